//! Code spans, which become one where they touch.

use super::link::FirstLink;
use super::{Context, Inline, Piece};
use crate::markdown::escape::{ends_label, write_code_span};

/// The code span that was written last.
#[derive(Debug, Default)]
pub(super) struct CodeSpan {
    /// The output ends with it.
    pub(super) is_last: bool,
    /// So did the stretch that was written last: what follows can't be joined to it any more.
    pub(super) is_out: bool,
    /// Where in the output it begins.
    start: usize,
    text: String,
}

impl Inline {
    /// Writes code. Right behind a code span, where no delimiter that would work stands between
    /// them, the two are one: side by side their backticks would be none.
    pub(super) fn code_span(&mut self, piece: &mut Piece<'_>, mut code: &str) {
        if self.code_span.is_out && self.before == '`' {
            // The first character stands between the two.
            let next = code.ceil_char_boundary(1);
            self.plain(piece, &code[..next], '`');
            code = &code[next..];
            if code.is_empty() {
                return;
            }
        }
        if self.first_link == FirstLink::Open && ends_label(code) {
            self.first_link = FirstLink::LikeDefinition;
        }
        let span = &mut self.code_span;
        if !(span.is_last && self.before == '`') {
            span.start = piece.out.len();
            span.text.clear();
        }
        span.text.push_str(code);
        piece.out.truncate(span.start);
        write_code_span(piece.out, &span.text, self.context == Context::Cell);
        self.wrote('`');
        self.code_span.is_last = true;
    }
}
