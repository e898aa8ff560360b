//! Tower middleware that answers `Accept: text/markdown` with Markdown made from the page's own HTML.
//!
//! The same URL gives a browser its HTML, untouched, and an agent that asks for Markdown the same page
//! as Markdown, converted while it streams. The site needs no second copy of its pages, no page is held
//! beyond [small limits](#memory-and-latency), and the header fields stay true for every cache in between.
//!
//! ```
//! use axum::{Router, body::Body, http::Request, response::Html, routing::get};
//! use http_body_util::BodyExt;
//! use markdown_for_agents::MarkdownForAgentsLayer;
//! use tower::ServiceExt;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let site = Router::new()
//!     .route("/", get(|| async { Html("<h1>Tides</h1><p>High water at <b>noon</b>.") }))
//!     .layer(MarkdownForAgentsLayer::new());
//!
//! let request = Request::builder().header("accept", "text/markdown, text/html;q=0.9");
//! let response = site.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
//! assert_eq!(response.headers()["content-type"], "text/markdown; charset=utf-8");
//! assert_eq!(response.headers()["vary"], "Accept");
//!
//! let markdown = response.into_body().collect().await.unwrap().to_bytes();
//! assert!(markdown.starts_with(b"# Tides"));
//! # }
//! ```
//!
//! # When a response is converted
//!
//! 1. The method is GET or HEAD, and the request asks for no other protocol.
//! 2. `Accept` prefers Markdown (RFC 9110 §12.5.1): it *names* `text/markdown` or `text/x-markdown` with
//!    a weight above 0 and not below that of HTML. A wildcard alone never asks for Markdown, except where
//!    HTML is refused with `q=0`. [`TiePolicy`] says what equal weights mean; [`ForceMarkdown`] and
//!    [`user_agents`](MarkdownForAgentsLayer::user_agents) ask for Markdown in other ways.
//! 3. The response is `text/html` or `application/xhtml+xml` with the status 200, or an
//!    [error page](MarkdownForAgentsLayer::error_pages) if the operator wants those.
//! 4. It may be changed and can be read: no `Cache-Control: no-transform`, no `Content-Range`, not an
//!    attachment, and no content coding but those that can be decoded.
//! 5. The [`Predicate`](predicate::Predicate) of the operator agrees, and nobody has
//!    [opted out](NoMarkdown).
//! 6. There is something to show besides front matter: text, an image, structured data. A page without
//!    any, like an empty application shell, is answered as it is, if it ends within
//!    [`replay_limit`](MarkdownForAgentsLayer::replay_limit).
//!
//! Any other response passes byte for byte, with every field as it was. [`Reason`] lists why. Only
//! `Vary: Accept` is added, to all pages in HTML or Markdown that 5 does not exclude, and to every 304
//! without a type.
//!
//! On its way in, a request for Markdown becomes one that can be answered with HTML: `Accept` is
//! [widened](AcceptShaping), `Accept-Encoding` is reduced to what client and crate can both decode, `Range`
//! and `If-Range` are taken out, `If-None-Match` is translated, and an `If-Modified-Since` of
//! the client is taken out.
//!
//! # What changes in the head
//!
//! | field | on Markdown |
//! |---|---|
//! | `Content-Type` | `text/markdown; charset=utf-8` |
//! | `Content-Length` | set if the Markdown is complete before the head leaves and no trailers follow, else removed |
//! | `X-Markdown-Tokens` | a quarter of the bytes, rounded up, if the Markdown is complete before the head leaves |
//! | `ETag` | `W/"<tag of the HTML>;md-<fingerprint>"`, or made from `Last-Modified` |
//! | `Vary` | `Accept` is merged in |
//! | `Content-Encoding`, `Content-Range`, `Accept-Ranges`, `Transfer-Encoding` | removed |
//! | `Content-MD5`, `Digest`, `Content-Digest`, `Repr-Digest`, `Signature`, `Signature-Input` | removed, from the trailers too |
//! | `Content-Signal`, `CDN-Cache-Control` | set if the operator wants that |
//! | all others | kept |
//!
//! A HEAD gets these fields but for `Content-Length` and `X-Markdown-Tokens`: nothing is converted for it.
//!
//! The entity tag can be taken apart again. A client that sends it back gets its 304 whenever the inner
//! service says that the HTML is fresh, and nothing is converted for that. The fingerprint stands for the
//! options, the version of the converter and the origin of the links; it is the same on every machine. A
//! tag of the HTML never confirms Markdown, nor the other way round.
//!
//! Markdown that the inner service makes by itself keeps its own tag, but is never answered with a 304:
//! from that tag alone the layer cannot tell whether the client has the HTML or the Markdown. Where such
//! pages should be revalidated, put [`NoMarkdown`] into the request. Markdown of another layer of this kind
//! further in, as behind a gateway, is known by its tag, which is wrapped in one of the outer layer and
//! unwrapped when it comes back.
//!
//! # A predicate of your own
//!
//! ```
//! use markdown_for_agents::MarkdownForAgentsLayer;
//! use markdown_for_agents::predicate::{Candidate, Path, Predicate};
//!
//! let layer = MarkdownForAgentsLayer::new()
//!     .convert_when(Path::under("/docs").and(|page: &Candidate<'_>| page.uri().query().is_none()));
//! # let _ = layer;
//! ```
//!
//! # Order with other layers
//!
//! - Compression belongs outside, so that Markdown is compressed too. Inside it works with the feature
//!   `decompression`; without it, the inner service is asked for `identity`.
//! - Whatever catches panics, traces or limits belongs outside; where Markdown was asked for, the
//!   [`Decision`] is in the extensions of the response.
//! - In axum, `Router::layer` of the outermost router is right: a nested router sees only a part of the path,
//!   and relative links would be resolved against that.
//! - [`md_suffix::MdSuffixLayer`] belongs around the router.
//!
//! # Errors after the head is sent
//!
//! Until the head leaves, whatever fails gives the client the original response. Afterwards the body ends
//! with an error: HTTP/1.1 breaks off the connection, HTTP/2 resets the stream. Half a page never looks
//! like a whole one.
//!
//! # Memory and latency
//!
//! The head is held back until [`hold_limit`](MarkdownForAgentsLayer::hold_limit) bytes of Markdown are
//! there, the inner body pauses while there is Markdown to send, or the page ends. Up to then the input
//! is kept, [within a limit](MarkdownForAgentsLayer::replay_limit). From then on each pause of the inner body
//! sends what there is. Nothing is read that nobody asks for, and dropping the response drops the inner body.
//! One poll converts at most 64 KiB before it lets other tasks run.
//!
//! For a client that does not ask for Markdown the layer allocates nothing, unless a `Vary` that is there
//! must be changed, or the data of the inner body is not [`Bytes`](bytes::Bytes) and must be copied.
//!
//! # Crate features
//!
//! None is on by default, and none changes what the default layer does with plain HTML.
//!
//! - `decompression`: pages in gzip, brotli, zstd and deflate are decoded and converted. Without it they pass.
//! - `agents-md`: the module `agents_md`, for the discovery file of that name.
//! - `markway`: the module `markway`, for sites that an agent can walk in Markdown alone.
//! - `tracing`: one event of the level `DEBUG` and the target `markdown_for_agents` for each [`Report`].
//! - `full`: all of these.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A file uses what stands below it, never what stands above:
// layer, service, future | exchange | request, conditional, target, eligibility, head, body |
// negotiation, coding, predicate, extensions, observe, settings | fields, convert | markdown, fnv
#[cfg(feature = "agents-md")]
#[cfg_attr(docsrs, doc(cfg(feature = "agents-md")))]
pub mod agents_md;
mod body;
mod byte_set;
mod coding;
mod conditional;
pub mod convert;
mod eligibility;
mod entity_tags;
mod exchange;
mod extensions;
mod fields;
mod fnv;
mod future;
mod head;
mod layer;
mod markdown;
#[cfg(feature = "markway")]
#[cfg_attr(docsrs, doc(cfg(feature = "markway")))]
pub mod markway;
pub mod md_suffix;
mod negotiation;
mod observe;
pub mod predicate;
mod request;
mod service;
mod settings;
mod target;
mod trace;

pub use self::body::MarkdownBody;
#[cfg(feature = "decompression")]
#[cfg_attr(docsrs, doc(cfg(feature = "decompression")))]
pub use self::body::{DecodeError, DecodeErrorKind};
pub use self::extensions::{ConvertWith, ForceMarkdown, NoMarkdown};
pub use self::future::ResponseFuture;
pub use self::layer::MarkdownForAgentsLayer;
pub use self::negotiation::{AcceptShaping, TiePolicy};
pub use self::observe::{Completion, Decision, Reason, Report, Trigger};
pub use self::service::MarkdownForAgents;
pub use self::target::{OriginError, OriginErrorKind};

/// The error of a response body: that of the inner body, or one of this crate.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
