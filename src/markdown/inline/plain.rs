//! Plain text under the marks that are open.

use super::{Context, Form, Inline, Piece};
use crate::markdown::escape::{Line, Place, is_punctuation, write_text};
use crate::markdown::style::Mark;

impl Inline {
    /// Writes plain text under the marks that are open.
    pub(super) fn plain(&mut self, piece: &mut Piece<'_>, text: &str, after: char) {
        self.plain_before(piece, text, after, false);
    }

    /// The same before a character of which is known whether it is of a delimiter that closes.
    pub(super) fn plain_before(
        &mut self,
        piece: &mut Piece<'_>,
        text: &str,
        after: char,
        closes: bool,
    ) {
        self.separate(piece);
        let Some(last) = text.chars().next_back() else {
            return;
        };
        if self.open.last().is_some_and(|o| o.form == Form::Autolink) {
            piece.out.extend_from_slice(text.as_bytes());
            self.wrote(last);
            return;
        }
        let mut text = text;
        if std::mem::take(&mut self.encode_next) {
            let mut chars = text.chars();
            if let Some(first) = chars.next()
                && !is_punctuation(first)
                && !first.is_whitespace()
            {
                piece
                    .out
                    .extend_from_slice(format!("&#{};", u32::from(first)).as_bytes());
                self.wrote(';');
                text = chars.as_str();
                if text.is_empty() {
                    return;
                }
            }
        }
        let mut place = Place {
            line: if self.context == Context::Heading {
                Line::Heading
            } else {
                self.line
            },
            closes,
            in_cell: self.context == Context::Cell,
            ..Place::between(self.before, after)
        };
        for open in &self.open {
            match (open.form, open.mark) {
                (_, Mark::Link(_)) => {
                    place.in_link = true;
                    place.escape_brackets = self.escape_brackets;
                }
                (Form::Written { .. }, _) => place.in_emphasis = true,
                (Form::Underscores, _) => {
                    place.in_emphasis = true;
                    place.in_underscores = true;
                }
                (Form::Autolink | Form::LeftOut, _) => {}
            }
        }
        if self.number && ends_marker(text, after) {
            piece.out.push(b'\\');
        }
        write_text(piece.out, text, &place, &mut self.openers);
        let begins = self.number || !matches!(place.line, Line::Inside | Line::Heading);
        self.wrote(last);
        self.number = begins && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    }
}

/// Whether the text makes the marker of a list item of a number before it (CommonMark §5.2). A delimiter
/// behind it may be left out.
fn ends_marker(text: &str, after: char) -> bool {
    let mut chars = text.chars();
    matches!(chars.next(), Some('.' | ')'))
        && match chars.next() {
            Some(next) => next == ' ',
            None => after.is_whitespace() || matches!(after, '*' | '~'),
        }
}
