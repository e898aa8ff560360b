//! What an operator can choose about the conversion.

use std::sync::Arc;

/// Options of a [`Converter`](super::Converter): cheap to clone, shared by all pages of a site.
#[derive(Debug, Clone, Default)]
pub struct Options {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    front_matter: bool,
}

impl Default for Inner {
    fn default() -> Self {
        Self { front_matter: true }
    }
}

impl Options {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the Markdown begins with YAML front matter (title, description, url).
    ///
    /// ### Default
    ///
    /// `true`
    #[must_use]
    pub fn front_matter(mut self, yes: bool) -> Self {
        Arc::make_mut(&mut self.inner).front_matter = yes;
        self
    }

    /// A hash of the converter's version and of every option that changes the output: the same in
    /// every process and on every machine.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        u64::from(self.inner.front_matter)
    }
}
