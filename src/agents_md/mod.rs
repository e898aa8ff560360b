//! The agents.md discovery file, version 0.2.0: what agents may do on a site, and where its MCP server is.
//!
//! robots.txt says what agents must not fetch, llms.txt what is worth reading; an agents.md says what agents can
//! *do*, and names the Model Context Protocol server where they do it. It is a Markdown file at
//! `/.well-known/agents.md` or `/agents.md`.
//!
//! A site writes one with [`AgentsMd::builder`] and serves it with [`AgentsMdLayer`]; an agent reads one with a
//! [`Reader`] and asks [`AgentsMd::verify`] what not to trust.
//!
//! ```
//! use markdown_for_agents::agents_md::{AgentsMd, AgentsMdLayer, Auth, Mcp, Origin, Transport};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // The site.
//! let origin = Origin::of("https://shop.example")?;
//! let mcp = Mcp::new("https://shop.example/mcp").transport(Transport::StreamableHttp).auth(Auth::None);
//! let document = AgentsMd::builder(origin.clone())
//!     .name("Corner Bookshop")
//!     .description("Books since 2010.")
//!     .can(["Search the catalog", "Check prices and stock"])
//!     .cannot(["Place orders without a human"])
//!     .mcp(mcp)
//!     .behavior(["At most 1 request a second"])
//!     .contact(["agents@shop.example"])
//!     .build()?;
//! let layer = AgentsMdLayer::new(&document); // .layer(layer) on a router or ServiceBuilder
//! # let _ = layer;
//!
//! // The agent, with the text that it got from the site.
//! let read: AgentsMd = document.to_string().parse()?;
//! assert_eq!(read, document);
//! assert_eq!(read.verify(&origin), []);
//! assert_eq!(read.mcp().and_then(Mcp::endpoint), Some("https://shop.example/mcp"));
//! # Ok(())
//! # }
//! ```
//!
//! # What is not trusted
//!
//! An endpoint on another origin, plain http, a command to run: the builder refuses them, [`AgentsMd::verify`] lists
//! them. On a loopback address plain http is right, so that a site can be tried out as it is.

// The file: text -> lines (block, verbatim) -> parse -> document -> write (escape) -> text, with builder, verify and
// robots around the document.
// Its answer: layer -> service -> representation (accept) -> future -> body.
mod accept;
mod block;
mod body;
mod builder;
mod document;
mod error;
mod escape;
mod future;
mod layer;
mod lines;
mod mcp;
mod origin;
mod parse;
mod representation;
mod robots;
mod service;
mod verbatim;
mod verify;
mod write;

pub use self::body::AgentsMdBody;
pub use self::builder::AgentsMdBuilder;
pub use self::document::{AgentsMd, Section};
pub use self::error::{BuildError, BuildErrorKind, ParseError, ParseErrorKind};
pub use self::future::ResponseFuture;
pub use self::layer::{AgentsMdLayer, ROOT_PATH, WELL_KNOWN_PATH};
pub use self::mcp::{Auth, Mcp, Transport, UnknownName};
pub use self::origin::{Origin, OriginError};
pub use self::parse::Reader;
pub use self::representation::Served;
pub use self::service::AgentsMdService;
pub use self::verify::{Finding, FindingKind};
