//! What other middleware and handlers can say through request and response extensions.

use crate::convert;

/// Asks for Markdown whatever `Accept` says.
///
/// In the extensions of a request it also lifts the restriction to GET and HEAD; in those of a
/// response it holds for GET and HEAD. It overrides the negotiation only: a response that cannot be
/// converted, or that the [`Predicate`](crate::predicate::Predicate) refuses, still passes.
///
/// ```
/// use markdown_for_agents::ForceMarkdown;
///
/// let mut request = http::Request::new(());
/// request.extensions_mut().insert(ForceMarkdown);
/// assert!(request.extensions().get::<ForceMarkdown>().is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForceMarkdown;

/// Opts out: in the extensions of a request or of a response, the response passes untouched, and
/// without a `Vary` of ours. It is stronger than [`ForceMarkdown`].
///
/// ```
/// use markdown_for_agents::NoMarkdown;
///
/// let mut response = http::Response::new("<p>for people only");
/// response.extensions_mut().insert(NoMarkdown);
/// assert!(response.extensions().get::<NoMarkdown>().is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMarkdown;

/// In the extensions of a request: converts this page with options of its own instead of the layer's.
///
/// The options are part of the entity tag of the Markdown, so that a page which was converted with
/// others is never taken for fresh.
///
/// ```
/// use markdown_for_agents::{ConvertWith, convert::Options};
///
/// let mut request = http::Request::new(());
/// request.extensions_mut().insert(ConvertWith::new(Options::new().front_matter(false)));
/// ```
#[derive(Debug, Clone)]
pub struct ConvertWith {
    options: convert::Options,
    revision: u64,
}

impl ConvertWith {
    /// Converts with these options.
    #[must_use]
    pub fn new(options: convert::Options) -> Self {
        Self {
            options,
            revision: 0,
        }
    }

    /// A number that enters the entity tag beside the options: for a layer outside of this one that
    /// adds to the Markdown. It must change whenever that addition does.
    ///
    /// ### Default
    ///
    /// 0
    #[must_use]
    pub fn revision(mut self, revision: u64) -> Self {
        self.revision = revision;
        self
    }

    pub(crate) fn parts(&self) -> (&convert::Options, u64) {
        (&self.options, self.revision)
    }
}
