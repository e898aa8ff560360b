//! What the operator chose: one value behind the layer, its services and their responses.

use crate::convert;
use crate::negotiation::{AcceptShaping, TiePolicy};
use crate::observe::Callback;
use http::HeaderValue;
use std::fmt;

#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) options: convert::Options,
    pub(crate) ties: TiePolicy,
    pub(crate) accept: AcceptShaping,
    pub(crate) user_agents: Vec<Box<str>>,
    pub(crate) error_pages: bool,
    pub(crate) content_signal: Option<HeaderValue>,
    pub(crate) cdn_no_store: bool,
    pub(crate) public_origin: Option<String>,
    pub(crate) trust_forwarded: bool,
    pub(crate) limits: Limits,
    pub(crate) on_response: Option<Callback>,
}

/// Bounds on what one response may take, in bytes unless it says otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Markdown that is held back before the head leaves.
    pub(crate) hold: usize,
    /// Input that is kept for the case that the original must be sent after all.
    pub(crate) replay: usize,
    /// Codings that are taken off one after the other.
    pub(crate) codings: usize,
    /// Output of the decoders that is always allowed.
    #[cfg(feature = "decompression")]
    pub(crate) decoded: u64,
    /// Output of the decoders beyond that, as a multiple of their input.
    #[cfg(feature = "decompression")]
    pub(crate) expansion: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hold: 64 << 10,
            replay: 1 << 20,
            codings: 1,
            #[cfg(feature = "decompression")]
            decoded: 256 << 20,
            #[cfg(feature = "decompression")]
            expansion: 100,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            options,
            ties,
            accept,
            user_agents,
            error_pages,
            content_signal,
            cdn_no_store,
            public_origin,
            trust_forwarded,
            limits,
            on_response,
        } = self;
        f.debug_struct("Settings")
            .field("options", options)
            .field("ties", ties)
            .field("accept", accept)
            .field("user_agents", user_agents)
            .field("error_pages", error_pages)
            .field("content_signal", content_signal)
            .field("cdn_no_store", cdn_no_store)
            .field("public_origin", public_origin)
            .field("trust_forwarded", trust_forwarded)
            .field("limits", limits)
            .field("on_response", &on_response.is_some())
            .finish()
    }
}
