//! The one place that names `tracing`, so that call sites are the same without it.

/// One event of the level debug; nothing without the feature `tracing`.
macro_rules! event {
    ($($field:tt)*) => {
        #[cfg(feature = "tracing")]
        tracing::debug!(target: "markdown_for_agents", $($field)*);
    };
}

pub(crate) use event;
