//! Links and images.

use super::{Context, Form, Inline, Open, Piece};
use crate::markdown::escape::{
    Line, Openers, Place, brackets_balance, write_destination, write_text, write_title,
};
use crate::markdown::style::{Mark, Styles};

/// A link that the block begins with, as long as it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum FirstLink {
    #[default]
    None,
    Open,
    /// Code in it makes its text look like the label of a definition (CommonMark §4.7).
    LikeDefinition,
}

impl Inline {
    pub(super) fn open_link(
        &mut self,
        piece: &mut Piece<'_>,
        mark: Mark,
        text: &str,
        innermost: bool,
    ) {
        let Mark::Link(target) = mark else { return };
        let form = if innermost && piece.is_autolink(target, text, mark) {
            Form::Autolink
        } else {
            Form::Written { run: 0 }
        };
        self.separate(piece);
        if form == Form::Autolink {
            piece.out.push(b'<');
            self.wrote('<');
        } else {
            piece.out.push(b'[');
            if matches!(self.line, Line::First | Line::FirstOfItem) {
                self.first_link = FirstLink::Open;
            }
            self.wrote('[');
            self.escape_brackets = piece.cuts(mark) || !piece.brackets_balance(mark);
        }
        self.open.push(Open { mark, form });
    }

    pub(super) fn end_link(&mut self, out: &mut Vec<u8>, styles: &Styles, target: u32) {
        out.extend_from_slice(b"](");
        if std::mem::take(&mut self.first_link) == FirstLink::LikeDefinition {
            // Nothing but a title may follow the blank in a definition.
            out.push(b' ');
        }
        self.target(out, styles, target);
    }

    /// Writes where a link or an image goes, and its end.
    fn target(&mut self, out: &mut Vec<u8>, styles: &Styles, target: u32) {
        let in_cell = self.context == Context::Cell;
        write_destination(out, styles.destination(target), in_cell);
        let title = styles.title(target);
        if !title.is_empty() {
            write_title(out, title, in_cell, self.exact);
        }
        out.push(b')');
        self.wrote(')');
    }

    pub(super) fn image(&mut self, piece: &mut Piece<'_>, target: u32) {
        self.separate(piece);
        let alt = piece.styles.text(target);
        piece.out.extend_from_slice(b"![");
        let mut depth = 0;
        let balanced = brackets_balance(alt, &mut depth) && depth == 0;
        write_text(
            piece.out,
            alt,
            &Place {
                in_emphasis: true,
                in_underscores: true,
                in_link: true,
                escape_brackets: !balanced,
                in_cell: self.context == Context::Cell,
                ..Place::between('[', ']')
            },
            &mut Openers::default(),
        );
        piece.out.extend_from_slice(b"](");
        self.target(piece.out, piece.styles, target);
        self.before_run = ')';
    }
}
