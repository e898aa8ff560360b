//! The Markdown writer.
