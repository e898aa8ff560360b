//! Tower middleware that answers `Accept: text/markdown` with Markdown made from the page's own HTML.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "agents-md")]
pub mod agents_md;
pub mod convert;
