//! The builder.

use super::service::MarkWay;
use super::{BaseUrl, Language, Mode, Site};
use crate::conditional::Fingerprint;
use crate::convert::Options;
use crate::fnv::fnv1a;
use crate::predicate::DefaultPredicate;
use crate::{ConvertWith, MarkdownForAgents, MarkdownForAgentsLayer};
use std::sync::Arc;
use tower_layer::Layer;

/// Makes the site behind it a MarkWay site.
///
/// See the [module docs](crate::markway) for what it does and for an example. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct MarkWayLayer<P = DefaultPredicate> {
    converter: MarkdownForAgentsLayer<P>,
    site: Site,
    options: Options,
    protocol: Option<String>,
    json_limit: usize,
}

impl MarkWayLayer {
    /// A site of fixed documents, whose addresses end in `.md`.
    #[must_use]
    pub fn static_site(base_url: BaseUrl) -> Self {
        Self::new(Site::static_site(base_url))
    }

    /// A site of interfaces, which are documented by GET and used by POST.
    #[must_use]
    pub fn dynamic(base_url: BaseUrl) -> Self {
        Self::new(Site::dynamic(base_url))
    }

    fn new(site: Site) -> Self {
        Self {
            converter: MarkdownForAgentsLayer::new(),
            site,
            options: Options::new(),
            protocol: None,
            json_limit: 1 << 20,
        }
    }
}

impl<P> MarkWayLayer<P> {
    /// The language of everything that the protocol adds.
    ///
    /// ### Default
    ///
    /// [`Language::Chinese`]
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.site = self.site.in_language(language);
        self
    }

    /// The layer that converts the pages. Its `options` and its `public_base` are overridden, and
    /// error pages are converted too.
    ///
    /// ### Default
    ///
    /// [`MarkdownForAgentsLayer::new`]
    #[must_use]
    pub fn converter<Q>(self, converter: MarkdownForAgentsLayer<Q>) -> MarkWayLayer<Q> {
        let Self {
            site,
            options,
            protocol,
            json_limit,
            ..
        } = self;
        MarkWayLayer {
            converter,
            site,
            options,
            protocol,
            json_limit,
        }
    }

    /// How pages are converted. Front matter, the destinations of links, the tables of links and what
    /// becomes of the navigation are as the protocol wants, whatever the options say.
    ///
    /// ### Default
    ///
    /// [`Options::new`]
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// A protocol document of the operator's, in Markdown and without the preamble.
    ///
    /// ### Default
    ///
    /// [`Site::protocol_document`]
    #[must_use]
    pub fn protocol_document(mut self, text: impl Into<String>) -> Self {
        self.protocol = Some(text.into());
        self
    }

    /// The longest JSON answer that is written as Markdown, in bytes. It is held in memory, and so
    /// is the Markdown. A longer one passes as it is.
    ///
    /// ### Default
    ///
    /// 1 MiB
    #[must_use]
    pub fn json_limit(mut self, bytes: usize) -> Self {
        self.json_limit = bytes;
        self
    }
}

/// What all services of one layer share.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) site: Site,
    /// How pages that get the preamble are converted.
    pub(super) pages: ConvertWith,
    /// What the tags of pages stand for, the converted ones and the others.
    pub(super) fingerprint: Fingerprint,
    /// How the results of POST are converted.
    pub(super) results: ConvertWith,
    pub(super) protocol: String,
    pub(super) json_limit: usize,
}

impl<S, P> Layer<S> for MarkWayLayer<P> {
    type Service = MarkWay<MarkdownForAgents<S, P>>;

    fn layer(&self, inner: S) -> Self::Service {
        let base = self.site.base_url().as_str();
        let converter = self.converter.clone().error_pages(true);
        // A base URL is one; should it ever not be, the request's own origin is used.
        let converter = converter.clone().public_base(base).unwrap_or(converter);
        // What the preamble and the title add is part of what a tag stands for, and the addresses
        // follow from nothing else.
        let revision = fnv1a(self.site.preamble().bytes());
        let site = self.site.clone();
        let language = site.language();
        let options = self
            .options
            .clone()
            .rewrite_links(revision, move |address| {
                site.address_of(&address.parse().ok()?)
            })
            .link_lists_as_tables(language.address(), language.description())
            .navigation_at_end(language.navigation());
        let pages = ConvertWith::new(options.clone().front_matter(true)).revision(revision);
        let config = Config {
            site: self.site.clone(),
            fingerprint: Fingerprint::new(pages.parts().0, pages.parts().1, Some(base)),
            pages,
            results: ConvertWith::new(options.front_matter(false)),
            protocol: match &self.protocol {
                Some(text) => self.site.answer(text),
                None => self.site.protocol_document(),
            },
            json_limit: match self.site.mode() {
                Mode::Dynamic => self.json_limit,
                Mode::Static => 0,
            },
        };
        MarkWay::new(converter.layer(inner), Arc::new(config))
    }
}
