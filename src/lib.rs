//! Tower middleware that answers `Accept: text/markdown` with Markdown made from the page's own HTML.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
mod coding;
mod conditional;
pub mod convert;
mod eligibility;
mod exchange;
mod extensions;
mod fields;
mod future;
mod head;
mod layer;
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
pub use self::body::{DecodeError, DecodeErrorKind};
pub use self::extensions::{ConvertWith, ForceMarkdown, NoMarkdown};
pub use self::future::ResponseFuture;
pub use self::layer::MarkdownForAgentsLayer;
pub use self::negotiation::TiePolicy;
pub use self::observe::{Completion, Decision, Reason, Report};
pub use self::request::AcceptShaping;
pub use self::service::MarkdownForAgents;
pub use self::target::{OriginError, OriginErrorKind};

/// The error of a response body: that of the inner body, or one of this crate.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
