//! [`AgentsMdLayer`]: which file, and how it is served.

use super::document::AgentsMd;
use super::error::ParseError;
use super::representation::Representations;
use super::service::AgentsMdService;
use bytes::Bytes;
use http::HeaderValue;
use tower_layer::Layer;

/// The location of the file that agents try first.
pub const WELL_KNOWN_PATH: &str = "/.well-known/agents.md";

/// The other location of the file.
pub const ROOT_PATH: &str = "/agents.md";

/// Serves an agents.md at [`WELL_KNOWN_PATH`] and [`ROOT_PATH`], in front of a site.
///
/// GET and HEAD of both get the file: `text/markdown; charset=utf-8`, or `text/plain; charset=utf-8` if `Accept`
/// prefers it, with `Content-Length`, `Vary: Accept`, a strong `ETag` and `Cache-Control`. `If-None-Match` and
/// `If-Match` are answered with 304 and 412, other methods with 405. Requests for other paths go to the inner
/// service, and their responses come back, untouched.
///
/// The layer stands where whole paths arrive: at the root, not in a nested router, and outside of
/// [`MarkdownForAgentsLayer`](crate::MarkdownForAgentsLayer). Inside of that one the file is served too, but a client
/// that prefers Markdown gets no 304, because the outer layer drops tags that are not its own.
///
/// ```
/// use bytes::Bytes;
/// use http::{Request, Response, header};
/// use http_body_util::{BodyExt, Full};
/// use markdown_for_agents::agents_md::{AgentsMd, AgentsMdLayer, Origin};
/// use tower::{Layer, ServiceExt, service_fn};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let site = service_fn(async |_request: Request<Full<Bytes>>| {
///     Ok::<_, std::convert::Infallible>(Response::new(Full::new(Bytes::from("<p>Hello"))))
/// });
/// let document = AgentsMd::builder(Origin::of("https://shop.example")?).name("Shop").build()?;
/// let service = AgentsMdLayer::new(&document).layer(site);
///
/// let request = Request::get("/.well-known/agents.md").body(Full::default())?;
/// let response = service.oneshot(request).await?;
/// assert_eq!(response.headers()[header::CONTENT_TYPE], "text/markdown; charset=utf-8");
/// assert_eq!(response.into_body().collect().await?.to_bytes(), "# Shop\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct AgentsMdLayer {
    pub(super) representations: Representations,
    pub(super) precedence: Precedence,
    pub(super) link: Option<HeaderValue>,
}

/// Who answers at the two locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precedence {
    Layer,
    Inner,
}

impl AgentsMdLayer {
    /// Serves `document`.
    pub fn new(document: &AgentsMd) -> Self {
        Self::serving(document.to_string().into())
    }

    /// Serves `text` as it is, for instance a file written by hand, if it is an agents.md.
    ///
    /// Unlike the [builder](AgentsMd::builder), this does not look at the MCP endpoint: see [`AgentsMd::verify`].
    ///
    /// # Errors
    ///
    /// `text` cannot be read; see [`ParseErrorKind`](super::ParseErrorKind).
    pub fn from_text(text: impl Into<String>) -> Result<Self, ParseError> {
        let text = text.into();
        text.parse::<AgentsMd>()?;
        Ok(Self::serving(text.into()))
    }

    fn serving(text: Bytes) -> Self {
        let cache_control = HeaderValue::from_static("max-age=3600");
        Self {
            representations: Representations::new(text, cache_control),
            precedence: Precedence::Layer,
            link: None,
        }
    }

    /// The `Cache-Control` of the file.
    ///
    /// ### Default
    ///
    /// `max-age=3600`: an agent asks again after an hour.
    pub fn cache_control(mut self, value: HeaderValue) -> Self {
        self.representations.set_cache_control(value);
        self
    }

    /// Lets the inner service answer first, whatever the method, and answers only if it has no such file.
    ///
    /// It has none if it says 404 or 405, or if GET or HEAD succeeds with `text/html`: that is the page that a
    /// single-page application sends for every address. The request goes in whole and is not copied. With this
    /// option, the layer stands inside of one that converts pages, where it still sees that page as HTML.
    ///
    /// ### Default
    ///
    /// The layer answers, and the inner service is not asked.
    pub fn inner_wins(mut self) -> Self {
        self.precedence = Precedence::Inner;
        self
    }

    /// Adds `Link: </.well-known/agents.md>; rel="service-desc"; type="text/markdown"` (RFC 8288, RFC 8631 §4.2) to
    /// the responses of the inner service, so that agents find the file from any page.
    ///
    /// ### Default
    ///
    /// Not added.
    pub fn link(mut self) -> Self {
        self.link = Some(HeaderValue::from_static(
            "</.well-known/agents.md>; rel=\"service-desc\"; type=\"text/markdown\"",
        ));
        self
    }
}

impl<S> Layer<S> for AgentsMdLayer {
    type Service = AgentsMdService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        AgentsMdService::new(inner, self.clone())
    }
}
