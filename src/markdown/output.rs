//! Where Markdown is written, and what is needed to write content that was recorded.

use super::inline::Inline;
use super::style::Styles;

#[derive(Debug)]
pub(super) struct Output<'a> {
    pub(super) out: &'a mut Vec<u8>,
    /// What each line but the first begins with.
    pub(super) prefix: &'a str,
    pub(super) styles: &'a mut Styles,
    pub(super) inline: &'a mut Inline,
}

impl Output<'_> {
    pub(super) fn push(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    /// Begins another line of the block.
    pub(super) fn next_line(&mut self) {
        self.out.push(b'\n');
        self.out.extend_from_slice(self.prefix.as_bytes());
    }
}
