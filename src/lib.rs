//! Tower middleware that answers `Accept: text/markdown` with Markdown made from the page's own HTML.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod convert;
#[cfg(feature = "markway")]
#[cfg_attr(docsrs, doc(cfg(feature = "markway")))]
pub mod markway;
