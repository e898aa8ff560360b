//! The MarkWay protocol: a site that an agent can walk in Markdown alone.
//!
//! A MarkWay site answers GET with Markdown that begins with the base URL of the site and the
//! address of a document that explains the protocol, so that an agent that knows nothing needs only
//! the root to find its way. There are two modes:
//!
//! | | static | dynamic |
//! |---|---|---|
//! | made for | fixed documents | interfaces |
//! | root | `/index.md` | `/` |
//! | protocol document | `/protocol.md` | `/protocol` |
//! | addresses of the site | end in `.md` | absolute paths without a query string |
//! | GET | the document | how to use the interface |
//! | POST | – | data, as Markdown or in another format by `Accept` |
//!
//! # A site behind the layer
//!
//! [`MarkWayLayer`] makes a MarkWay site of any service. It converts by itself: there is no need
//! for [`MarkdownForAgentsLayer`](crate::MarkdownForAgentsLayer) beside it.
//!
//! - Every Markdown answer to GET, converted or the inner service's own, begins with the preamble,
//!   once, and then with a title: the heading of level 1 that the page begins with. A page that
//!   begins with anything else gets the text of its `<title>` (or that of its front matter, which
//!   goes away) as a title, else that of its first such heading, else its name. If the page begins
//!   with a bar that names the site, so that `<title>` is something like `Page - Site` and the
//!   heading only `Site`, the text of `<title>` takes the place of the heading.
//! - Links of converted pages to pages of the site become [addresses](Site::address_of) of the
//!   protocol, and [lists of links](crate::convert::Options::link_lists_as_tables) tables of
//!   addresses.
//! - The navigation of a converted page is a [table at its
//!   end](crate::convert::Options::navigation_at_end): an agent may have no other way through the
//!   site.
//! - A response that has opted out by [`NoMarkdown`](crate::NoMarkdown) passes as it is.
//! - In static mode `/a/b.md` is the first of `/a/b.md`, `/a/b` and `/a/b.html` that the inner
//!   service has, and `/a/index.md` the first of `/a/index.md`, `/a/`, `/a/index.html` and
//!   `/a/index`. Addresses without `.md` are negotiated as always.
//! - In dynamic mode a client without a preference gets Markdown, browsers get HTML. A GET request
//!   for Markdown with a query string is answered with 400.
//! - In dynamic mode the answer to POST is Markdown unless the client would rather have something
//!   else: HTML is converted, and JSON is written as [`json_to_markdown`] does it. JSON that is
//!   longer than the limit, or broken, passes as it is.
//! - The protocol document is answered by the layer.
//!
//! It belongs around the router, because it answers paths that are no routes of the application and
//! asks for others than the client did.
//!
//! ```
//! use axum::{Json, Router, body::Body, http::Request, response::Html, routing::get};
//! use http_body_util::BodyExt;
//! use markdown_for_agents::markway::{Language, MarkWayLayer};
//! use tower::{Layer, ServiceExt};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! async fn users() -> Json<serde_json::Value> {
//!     Json(serde_json::json!([{"id": 123}]))
//! }
//!
//! let router = Router::new().route("/users", get(|| async { Html("<h1>Users</h1>") }).post(users));
//! let site = MarkWayLayer::dynamic("https://example.com".parse()?)
//!     .language(Language::English)
//!     .layer(router);
//! let text = async |request: Request<Body>| {
//!     let response = site.clone().oneshot(request).await.unwrap();
//!     response.into_body().collect().await.unwrap().to_bytes()
//! };
//!
//! let documentation = text(Request::get("/users").body(Body::empty())?).await;
//! assert!(documentation.starts_with(
//!     b"https://example.com\n\n\
//!       > This site follows the MarkWay Protocol: https://example.com/protocol\n\n# Users\n"
//! ));
//! let result = text(Request::post("/users").body(Body::empty())?).await;
//! assert_eq!(result, "| id |\n|------|\n| 123 |\n");
//! # Ok(())
//! # }
//! ```
//!
//! [`ServeFolder`] is an inner service for a folder of Markdown and HTML files. [`Index`] writes
//! tables of addresses, [`Document`] reads an answer, and [`check`] tells which rules it breaks.

mod address;
mod attempts;
mod base_url;
mod body;
mod check;
mod document;
mod escape;
mod folder;
mod front_matter;
mod future;
mod index;
mod json;
mod language;
mod layer;
mod message;
mod opening;
mod outline;
mod paths;
mod preference;
mod protocol;
mod service;
mod site;
mod validator;

pub use self::address::{Address, AddressError, AddressErrorKind, AddressKind};
pub use self::base_url::{BaseUrl, BaseUrlError, BaseUrlErrorKind};
pub use self::body::MarkWayBody;
pub use self::check::{Fault, Rule, check, check_index};
pub use self::document::{Document, DocumentError, DocumentErrorKind, Entry};
pub use self::folder::{FolderBody, FolderFuture, ServeFolder};
pub use self::future::MarkWayFuture;
pub use self::index::Index;
pub use self::json::{JsonError, json_to_markdown};
pub use self::language::Language;
pub use self::layer::MarkWayLayer;
pub use self::service::MarkWay;
pub use self::site::{Mode, Site};
