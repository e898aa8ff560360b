//! The builder.

use crate::convert;
use crate::negotiation::{AcceptShaping, TiePolicy};
use crate::observe::Report;
use crate::predicate::{DefaultPredicate, Predicate};
use crate::service::MarkdownForAgents;
use crate::settings::Settings;
use crate::target::{self, OriginError};
use http::HeaderValue;
use std::fmt;
use std::sync::Arc;
use tower_layer::Layer;

/// Answers `Accept: text/markdown` with Markdown made from the inner service's own HTML.
///
/// See the [crate docs](crate) for what it does and for examples. Cloning is cheap.
pub struct MarkdownForAgentsLayer<P = DefaultPredicate> {
    settings: Arc<Settings>,
    predicate: Arc<P>,
}

impl MarkdownForAgentsLayer {
    /// A layer with the default of every option: see the methods.
    #[must_use]
    pub fn new() -> Self {
        Self {
            settings: Arc::default(),
            predicate: Arc::default(),
        }
    }
}

impl<P> MarkdownForAgentsLayer<P> {
    /// Which pages are converted, of those that can be.
    ///
    /// ### Default
    ///
    /// [`DefaultPredicate`]: all of them.
    #[must_use]
    pub fn convert_when<Q: Predicate>(self, predicate: Q) -> MarkdownForAgentsLayer<Q> {
        MarkdownForAgentsLayer {
            settings: self.settings,
            predicate: Arc::new(predicate),
        }
    }

    /// How HTML becomes Markdown. [`ConvertWith`](crate::ConvertWith) overrides it for one request.
    ///
    /// ### Default
    ///
    /// [`Options::default`](convert::Options::default)
    #[must_use]
    pub fn options(self, options: convert::Options) -> Self {
        self.with(|settings| settings.options = options)
    }

    /// What wins when `Accept` gives Markdown and HTML the same weight.
    ///
    /// ### Default
    ///
    /// [`TiePolicy::Markdown`]
    #[must_use]
    pub fn ties(self, policy: TiePolicy) -> Self {
        self.with(|settings| settings.ties = policy)
    }

    /// What the inner service sees as `Accept` when the client prefers Markdown.
    ///
    /// ### Default
    ///
    /// [`AcceptShaping::Widen`]
    #[must_use]
    pub fn accept(self, shaping: AcceptShaping) -> Self {
        self.with(|settings| settings.accept = shaping)
    }

    /// Gives Markdown to clients whose `User-Agent` has one of these product tokens (RFC 9110
    /// §10.1.5), for instance `ClaudeBot`, unless their `Accept` refuses Markdown with `q=0`. Tokens
    /// are compared whole and in any case; comments do not count. As soon as there is one, every page
    /// gets `Vary: User-Agent` as well, which makes shared caches nearly useless: prefer `Accept`.
    ///
    /// ### Default
    ///
    /// None
    #[must_use]
    pub fn user_agents<'a>(self, products: impl IntoIterator<Item = &'a str>) -> Self {
        self.with(|settings| settings.user_agents = products.into_iter().map(Box::from).collect())
    }

    /// Converts pages with a status of 4xx or 5xx too. The status is kept.
    ///
    /// ### Default
    ///
    /// `false`
    #[must_use]
    pub fn error_pages(self, yes: bool) -> Self {
        self.with(|settings| settings.error_pages = yes)
    }

    /// Sets `Content-Signal` (<https://contentsignals.org>, no standard) on Markdown, unless the inner
    /// service has set it.
    ///
    /// ### Default
    ///
    /// Not set
    #[must_use]
    pub fn content_signal(self, value: HeaderValue) -> Self {
        self.with(|settings| settings.content_signal = Some(value))
    }

    /// Sets `CDN-Cache-Control: no-store` (RFC 9213) on Markdown only: for a CDN that ignores `Vary:
    /// Accept` and would give the Markdown to browsers.
    ///
    /// ### Default
    ///
    /// `false`
    #[must_use]
    pub fn cdn_no_store(self, yes: bool) -> Self {
        self.with(|settings| settings.cdn_no_store = yes)
    }

    /// The origin that the site has for its readers, like `https://example.com`: links in the
    /// Markdown are absolute.
    ///
    /// ### Default
    ///
    /// The authority of the request URI or its `Host`; the scheme of the request URI, else `http`: a
    /// service on HTTP/1.1 behind TLS must set it, or its links begin with `http:`.
    ///
    /// # Errors
    ///
    /// The string is not just scheme, host and port of an `http` or `https` URL.
    ///
    /// ```
    /// use markdown_for_agents::{MarkdownForAgentsLayer, OriginErrorKind};
    ///
    /// assert!(MarkdownForAgentsLayer::new().public_origin("https://example.com").is_ok());
    /// let error = MarkdownForAgentsLayer::new().public_origin("https://example.com/docs").unwrap_err();
    /// assert_eq!(error.kind(), OriginErrorKind::NotBare);
    /// ```
    pub fn public_origin(self, origin: &str) -> Result<Self, OriginError> {
        let origin = target::public_origin(origin)?;
        Ok(self.with(|settings| settings.public_origin = Some(origin)))
    }

    /// As [`public_origin`](Self::public_origin), for a site that a proxy publishes below a path and
    /// whose requests come without it: with `https://example.com/docs`, the page that is asked for as
    /// `/guide` is `https://example.com/docs/guide`.
    ///
    /// ### Default
    ///
    /// As for [`public_origin`](Self::public_origin); the later of the two calls counts.
    ///
    /// # Errors
    ///
    /// The string is not just scheme, host, port and path of an `http` or `https` URL.
    ///
    /// ```
    /// use markdown_for_agents::{MarkdownForAgentsLayer, OriginErrorKind};
    ///
    /// assert!(MarkdownForAgentsLayer::new().public_base("https://example.com/docs/").is_ok());
    /// let error = MarkdownForAgentsLayer::new().public_base("https://example.com/?docs").unwrap_err();
    /// assert_eq!(error.kind(), OriginErrorKind::NotBare);
    /// ```
    pub fn public_base(self, base: &str) -> Result<Self, OriginError> {
        let base = target::public_base(base)?;
        Ok(self.with(|settings| settings.public_origin = Some(base)))
    }

    /// Reads the origin from `Forwarded` (RFC 7239), else from `X-Forwarded-Host` and
    /// `X-Forwarded-Proto`: the first element of each. Only for a service behind a proxy that sets or
    /// removes these fields: any client can send them. [`public_origin`](Self::public_origin) wins.
    ///
    /// ### Default
    ///
    /// `false`
    #[must_use]
    pub fn trust_forwarded(self, yes: bool) -> Self {
        self.with(|settings| settings.trust_forwarded = yes)
    }

    /// How much Markdown is held back before the head leaves, in bytes. A page whose Markdown ends
    /// within this, without a pause of the inner body, gets `X-Markdown-Tokens` and, unless trailers
    /// follow, a `Content-Length`. With 0 the head leaves before anything is read, and no page can be
    /// answered with its HTML after all.
    ///
    /// ### Default
    ///
    /// 65,536
    #[must_use]
    pub fn hold_limit(self, bytes: usize) -> Self {
        self.with(|settings| settings.limits.hold = bytes)
    }

    /// How much converted input is kept so that the original can be sent after all, in bytes. The
    /// head leaves when it is exceeded. The chunk that exceeds it is kept whole: it is in memory
    /// anyway.
    ///
    /// ### Default
    ///
    /// 1,048,576
    #[must_use]
    pub fn replay_limit(self, bytes: usize) -> Self {
        self.with(|settings| settings.limits.replay = bytes)
    }

    /// How many content codings are taken off a response, one after the other. A response with more
    /// of them passes as it is.
    ///
    /// ### Default
    ///
    /// 1
    #[cfg(feature = "decompression")]
    #[must_use]
    pub fn max_codings(self, codings: usize) -> Self {
        self.with(|settings| settings.limits.codings = codings)
    }

    /// What an encoded response may decode to: `bytes`, or `ratio` times its encoded size if that is
    /// more. Beyond it the original passes, or the body ends with an error if the head has left.
    ///
    /// ### Default
    ///
    /// 268,435,456 bytes, and a ratio of 100
    #[cfg(feature = "decompression")]
    #[must_use]
    pub fn expansion_budget(self, bytes: u64, ratio: u64) -> Self {
        self.with(|settings| {
            settings.limits.decoded = bytes;
            settings.limits.expansion = ratio;
        })
    }

    /// Calls this once for every response: for one that is converted when its body has ended, for any
    /// other as soon as that is decided.
    ///
    /// # Panics in the callback
    ///
    /// The callback may run while a body is dropped, where a panic can abort the process.
    ///
    /// ### Default
    ///
    /// Nothing is called.
    #[must_use]
    pub fn on_response(self, callback: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        self.with(|settings| settings.on_response = Some(Arc::new(callback)))
    }

    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }
}

impl<S, P> Layer<S> for MarkdownForAgentsLayer<P> {
    type Service = MarkdownForAgents<S, P>;

    fn layer(&self, inner: S) -> Self::Service {
        MarkdownForAgents::with(
            inner,
            Arc::clone(&self.settings),
            Arc::clone(&self.predicate),
        )
    }
}

// By hand: the predicate need be neither `Clone` nor `Debug`.
impl<P> Clone for MarkdownForAgentsLayer<P> {
    fn clone(&self) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            predicate: Arc::clone(&self.predicate),
        }
    }
}

impl Default for MarkdownForAgentsLayer {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> fmt::Debug for MarkdownForAgentsLayer<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MarkdownForAgentsLayer")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
