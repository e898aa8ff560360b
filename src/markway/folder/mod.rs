//! A folder of documents, as the inner service of a static MarkWay site.

mod listing;
mod sandbox;
mod service;

pub use self::service::{FolderBody, FolderFuture, ServeFolder};
