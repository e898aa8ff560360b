//! Other destinations for links, as the operator wants them.

use std::fmt;
use std::sync::Arc;

type Rewrite = dyn Fn(&str) -> Option<String> + Send + Sync;

/// A function from the absolute address of a link to what the Markdown has for it.
#[derive(Clone)]
pub(super) struct LinkRewriter {
    rewrite: Arc<Rewrite>,
    revision: u64,
}

impl LinkRewriter {
    pub(super) fn new(
        revision: u64,
        rewrite: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            rewrite: Arc::new(rewrite),
            revision,
        }
    }

    /// `None` if the link is to be left as it is.
    pub(super) fn rewrite(&self, address: &str) -> Option<String> {
        (self.rewrite)(address)
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision
    }
}

impl fmt::Debug for LinkRewriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkRewriter")
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}
