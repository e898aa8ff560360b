//! Addresses that end in `.md`: `/a/b.md` is the Markdown of `/a/b`, for clients that cannot set
//! `Accept`.
//!
//! [`MdSuffixLayer`] stands around [`MarkdownForAgents`](crate::MarkdownForAgents), which does the
//! conversion. For a GET or HEAD of a `.md` address it
//!
//! 1. asks for the address as it came: a file of that name wins, and is negotiated as any other;
//! 2. if there is none (404), asks for the page and [forces](crate::ForceMarkdown) Markdown. This
//!    second request has the fields and extensions of the first, and no body;
//! 3. adds `Link: <page>; rel="canonical"` to the Markdown. Where there is no page either, or
//!    something that is no page, the 404 of the first request is the answer.
//!
//! Every page in HTML [that can be converted](crate#when-a-response-is-converted) gets `Link: <address>;
//! rel="alternate"; type="text/markdown"`. The predicate of
//! [`convert_when`](crate::MarkdownForAgentsLayer::convert_when) is not asked: what it refuses is linked too,
//! and the address answers with the HTML. [`NoMarkdown`](crate::NoMarkdown) in the response prevents both.
//!
//! # Where it belongs
//!
//! Around the router, because it changes the path: in axum, `Router::layer` runs behind the routing
//! and is too late. Whatever decides by the path, like access control, belongs inside of it: outside,
//! it would see `/admin.md` and not `/admin`.
//!
//! # Example
//!
//! ```
//! use axum::{Router, body::Body, http::Request, response::Html, routing::get};
//! use markdown_for_agents::{MarkdownForAgentsLayer, md_suffix::MdSuffixLayer};
//! use tower::{Layer, ServiceExt};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let router = Router::new()
//!     .route("/a/b", get(|| async { Html("<h1>Hi</h1>") }))
//!     .layer(MarkdownForAgentsLayer::new());
//! let site = MdSuffixLayer::new().layer(router);
//!
//! let request = Request::builder().uri("/a/b.md").body(Body::empty()).unwrap();
//! let response = site.clone().oneshot(request).await.unwrap();
//! assert_eq!(response.headers()["content-type"], "text/markdown; charset=utf-8");
//! assert_eq!(response.headers()["link"], "</a/b>; rel=\"canonical\"");
//!
//! let request = Request::builder().uri("/a/b").body(Body::empty()).unwrap();
//! let response = site.oneshot(request).await.unwrap();
//! assert_eq!(response.headers()["link"], "</a/b.md>; rel=\"alternate\"; type=\"text/markdown\"");
//! # }
//! ```

mod future;
mod layer;
mod links;
mod mapping;
mod service;

pub use self::future::ResponseFuture;
pub use self::layer::MdSuffixLayer;
pub use self::mapping::{DefaultMapping, Mapping};
pub use self::service::MdSuffix;
