//! What the request said, kept for the time when the response is there.

use crate::conditional::{self, Fingerprint};
use crate::convert::{Converter, Options};
use crate::extensions::{ConvertWith, ForceMarkdown, NoMarkdown};
use crate::negotiation::Accept;
use crate::observe::{Observer, Reason, Trigger};
use crate::request;
use crate::settings::Settings;
use crate::target::Target;
use http::{HeaderMap, HeaderValue, Method, Request};
use std::sync::Arc;

/// What the client wants of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preference {
    /// Nothing that concerns this layer: neither request nor response is touched.
    Nothing(Reason),
    Html,
    Markdown(Trigger),
}

impl Preference {
    pub(crate) fn of<B>(request: &Request<B>, settings: &Settings) -> Self {
        let (extensions, headers) = (request.extensions(), request.headers());
        let forced = extensions.get::<ForceMarkdown>().is_some();
        if extensions.get::<NoMarkdown>().is_some() {
            Self::Nothing(Reason::OptedOut)
        } else if request::is_upgrade(request) {
            Self::Nothing(Reason::Upgrade)
        } else if !request::is_safe(request.method()) && !forced {
            Self::Nothing(Reason::Method)
        } else if forced {
            Self::Markdown(Trigger::Forced)
        } else if Accept::may_prefer_markdown(headers)
            && Accept::parse(headers).prefers_markdown(settings.ties)
        {
            Self::Markdown(Trigger::Accept)
        } else if request::has_product(headers, &settings.user_agents)
            && !Accept::parse(headers).refuses_markdown()
        {
            Self::Markdown(Trigger::UserAgent)
        } else {
            Self::Html
        }
    }
}

/// A request, as far as its response depends on it.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) settings: Arc<Settings>,
    pub(crate) method: Method,
    pub(crate) target: Target,
    pub(crate) preference: Preference,
    pub(crate) observer: Observer,
    convert_with: Option<ConvertWith>,
    /// The tag that a 304 without validators confirms.
    confirmed: Option<HeaderValue>,
}

/// The Markdown variant of one page: how it is made and told apart from others.
#[derive(Debug)]
pub(crate) struct Variant {
    url: Option<String>,
    options: Options,
    pub(crate) fingerprint: Fingerprint,
}

impl Exchange {
    /// Reads a request, and makes it one whose answer can be converted where Markdown is preferred.
    pub(crate) fn begin<B>(request: &mut Request<B>, settings: &Arc<Settings>) -> Self {
        let preference = Preference::of(request, settings);
        if preference == Preference::Html {
            conditional::forget_markdown(request.headers_mut());
        }
        let mut exchange = Self {
            settings: Arc::clone(settings),
            method: request.method().clone(),
            target: Target::of(request, settings.trust_forwarded),
            preference,
            observer: Observer::start(settings.on_response.as_ref()),
            convert_with: request.extensions().get().cloned(),
            confirmed: None,
        };
        if let Preference::Markdown(trigger) = preference {
            exchange.observer.triggered(trigger);
            let safe = request::is_safe(request.method());
            let headers = request.headers_mut();
            let named = trigger == Trigger::Accept;
            let accept = Accept::parse(headers);
            request::shape(headers, &accept, settings.accept, named);
            if safe {
                exchange.confirmed = exchange.variant().fingerprint.translate(headers);
            }
        }
        exchange
    }

    /// The response asks for Markdown where the client does not.
    pub(crate) fn force(&mut self) {
        if self.preference == Preference::Html {
            self.preference = Preference::Markdown(Trigger::Forced);
            self.observer.triggered(Trigger::Forced);
        }
    }

    /// The variant that this request would get.
    pub(crate) fn variant(&self) -> Variant {
        let (options, revision) = self
            .convert_with
            .as_ref()
            .map_or((&self.settings.options, 0), ConvertWith::parts);
        let origin = self
            .settings
            .public_origin
            .clone()
            .or_else(|| self.target.origin());
        Variant {
            fingerprint: Fingerprint::new(options, revision, origin.as_deref()),
            options: options.clone(),
            url: origin.map(|origin| self.target.below(&origin)),
        }
    }

    /// The entity tag of Markdown that another layer behind this one has made; `None` if it is not.
    pub(crate) fn tag_of_other_layer(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        self.variant().fingerprint.tag_of_other_layer(headers)
    }

    /// The entity tag of a 304: that of the variant, or else the one that the client asked about.
    pub(crate) fn confirmed_tag(&mut self, headers: &HeaderMap) -> Option<HeaderValue> {
        let confirmed = self.confirmed.take();
        self.variant().fingerprint.tag_of_304(headers, confirmed)
    }
}

impl Variant {
    pub(crate) fn converter(self, charset: Option<&str>) -> Converter {
        let mut converter = Converter::new(self.options);
        if let Some(url) = &self.url {
            converter = converter.url(url);
        }
        if let Some(charset) = charset {
            converter = converter.charset(charset);
        }
        converter
    }
}
