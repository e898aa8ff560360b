//! The builder.

use super::mapping::{DefaultMapping, Mapping};
use super::service::MdSuffix;
use std::fmt;
use std::sync::Arc;
use tower_layer::Layer;

/// Gives every page an address of its own for its Markdown.
///
/// See the [module docs](super) for what it does and for an example. Cloning is cheap.
pub struct MdSuffixLayer<M = DefaultMapping> {
    mapping: Arc<M>,
}

impl MdSuffixLayer {
    /// A layer with the [`DefaultMapping`].
    #[must_use]
    pub fn new() -> Self {
        Self::with_mapping(DefaultMapping)
    }
}

impl<M: Mapping> MdSuffixLayer<M> {
    /// A layer with another mapping between pages and addresses.
    #[must_use]
    pub fn with_mapping(mapping: M) -> Self {
        Self {
            mapping: Arc::new(mapping),
        }
    }
}

impl<S, M> Layer<S> for MdSuffixLayer<M> {
    type Service = MdSuffix<S, M>;

    fn layer(&self, inner: S) -> Self::Service {
        MdSuffix::new(inner, Arc::clone(&self.mapping))
    }
}

impl Default for MdSuffixLayer {
    fn default() -> Self {
        Self::new()
    }
}

// By hand: the mapping need be neither `Clone` nor `Debug`.
impl<M> Clone for MdSuffixLayer<M> {
    fn clone(&self) -> Self {
        Self {
            mapping: Arc::clone(&self.mapping),
        }
    }
}

impl<M> fmt::Debug for MdSuffixLayer<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MdSuffixLayer").finish_non_exhaustive()
    }
}
