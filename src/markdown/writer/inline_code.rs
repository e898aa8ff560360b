//! Marks in inline code. A code span holds nothing but text (CommonMark §6.1): a mark around all of
//! it stands around the span, one around a part is left out, so that the code stays in one piece.

use super::cut::Cuts;
use super::link::OnTape;
use super::{Writer, recorded};
use crate::markdown::style::Mark;
use crate::markdown::tape::Position;

/// Inline code that is open.
#[derive(Debug)]
pub(super) struct InlineCode {
    at: Position,
    on: OnTape,
    /// Links that are open around it.
    links: usize,
    /// Which of [`KINDS`] were opened in it.
    marked: [bool; 3],
}

/// The marks that Markdown can't write in code.
const KINDS: [Mark; 3] = [Mark::Emphasis, Mark::Strong, Mark::Strikethrough];

impl Writer {
    pub(crate) fn open_mark(&mut self, mark: Mark) {
        if mark == Mark::Code && self.inline_code.is_none() {
            let (at, on) = self.position();
            self.inline_code = Some(InlineCode {
                at,
                on,
                links: self.links.len(),
                marked: [false; 3],
            });
        } else if let Some(code) = &mut self.inline_code
            && let Some(kind) = KINDS.iter().position(|k| *k == mark)
        {
            code.marked[kind] |= !self.styles.is_open(mark);
        }
        self.styles.open(mark);
    }

    pub(crate) fn close_mark(&mut self, mark: Mark) {
        self.styles.close(mark);
        if mark == Mark::Code
            && !self.styles.is_open(mark)
            && let Some(code) = self.inline_code.take()
            && code.marked != [false; 3]
        {
            self.end_marked_code(&code);
        }
    }

    #[cold]
    fn end_marked_code(&mut self, code: &InlineCode) {
        let (_, on) = self.position();
        // A link that is still open knows its place on the tape.
        if on != code.on || self.links.len() > code.links {
            return;
        }
        let tape = recorded(&mut self.link_lists, &mut self.tables).unwrap_or(&mut self.tape);
        for (mark, _) in KINDS.into_iter().zip(code.marked).filter(|(_, m)| *m) {
            tape.unmark_part(code.at, mark, &mut self.styles);
        }
        if on == OnTape::Leaf {
            self.cuts = Cuts::default();
        }
    }
}
