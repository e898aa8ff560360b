//! What comes behind the content that is being written: which of its marks go on, and the character
//! that will stand next.

use super::{Content, Context, Form, Inline, Piece, is_emphasis, nesting};
use crate::markdown::style::{Chain, Mark, Styles};
use crate::markdown::tape::Event;

/// What comes behind a piece of content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Following {
    /// `None` at the end of the block.
    pub(super) chain: Option<Chain>,
    pub(super) first: char,
    /// It is the rest of the same text.
    pub(super) same: bool,
}

impl Following {
    /// The end of the block.
    pub(super) const END: Self = Self {
        chain: None,
        first: '\n',
        same: false,
    };
}

impl Inline {
    /// What stands behind an event: which marks it has and its first character. Where the marks of
    /// the event itself are open, that is told by the order in which they are.
    pub(super) fn following(&self, piece: &Piece<'_>, current: Chain) -> Following {
        if piece.is_cut() {
            return Following {
                chain: Some(current),
                first: piece.char_behind_cut(),
                same: true,
            };
        }
        let (content, styles) = (piece.content, piece.styles);
        let from = piece.index + 1;
        if content.events.len() == from {
            return Following::END;
        }
        let end = piece.end_of_text();
        // As it is most often.
        if let Some(&Event::Text { chain, .. }) = content.events.get(from)
            && let Some(&first) = content.text.as_bytes().get(end)
            && first.is_ascii_graphic()
        {
            return Following {
                chain: Some(chain),
                first: self.first_of(styles, current, chain, char::from(first)),
                same: false,
            };
        }
        // Blanks need no marks: what closes does so before them.
        let (mut index, mut start) = (from, end);
        for _ in 0..4 {
            match content.events.get(index) {
                Some(&Event::Text { end, chain })
                    if (index + 1 < content.events.len() || content.cut.is_none())
                        && !(self.exact && styles.has_code(chain))
                        && content.text[start..end as usize]
                            .chars()
                            .all(char::is_whitespace) =>
                {
                    (index, start) = (index + 1, end as usize);
                }
                _ => break,
            }
        }
        let skipped = index > from;
        let following = self.directly_following(styles, content, index, start, current);
        if !skipped {
            return following;
        }
        // Marks that the blanks do not have end here, even if they begin again behind them.
        let directly = self.directly_following(styles, content, from, end, current);
        let kept = |f: Following| f.chain.map_or(0, |c| self.kept_of(styles, current, c));
        if kept(directly) <= kept(following) {
            return directly;
        }
        Following {
            first: if following.first == '\n' { '\n' } else { ' ' },
            ..following
        }
    }

    /// How many of the marks that text has stay for the text of another chain.
    fn kept_of(&self, styles: &Styles, chain: Chain, next: Chain) -> usize {
        let (marks, next) = (styles.marks(chain), styles.marks(next));
        if nesting::is_for(&self.open, marks) {
            nesting::kept(self.open_without_retried(), next)
        } else {
            nesting::shared(marks.iter().copied(), next)
        }
    }

    fn directly_following(
        &self,
        styles: &Styles,
        content: &Content<'_>,
        index: usize,
        start: usize,
        current: Chain,
    ) -> Following {
        match content.events.get(index) {
            Some(&Event::Text { chain, .. }) => {
                let first = content.text[start..].chars().next().unwrap_or('\n');
                let first = if first == ' ' && !(self.exact && styles.has_code(chain)) {
                    first
                } else {
                    self.first_of(styles, current, chain, first)
                };
                Following {
                    chain: Some(chain),
                    first,
                    same: false,
                }
            }
            Some(&Event::Break { chain }) => {
                let behind = content.events[index..]
                    .iter()
                    .find(|e| !matches!(e, Event::Break { .. }));
                let chain = match behind {
                    // Behind the last content of a block, a break says nothing.
                    None if content.cut.is_none() => return Following::END,
                    // Marks that end behind it do so before it.
                    Some(
                        &Event::Text { chain: behind, .. }
                        | &Event::Image { chain: behind, .. }
                        | &Event::Nothing { chain: behind },
                    ) => {
                        let kept = |c| self.kept_of(styles, current, c);
                        if kept(behind) < kept(chain) {
                            behind
                        } else {
                            chain
                        }
                    }
                    _ => chain,
                };
                Following {
                    chain: Some(chain),
                    first: '\n',
                    same: false,
                }
            }
            Some(&Event::Image { chain, .. }) => Following {
                chain: Some(chain),
                first: self.first_of(styles, current, chain, '!'),
                same: false,
            },
            Some(&Event::Nothing { chain }) => Following {
                chain: Some(chain),
                first: '[',
                same: false,
            },
            None | Some(Event::CodeText { .. } | Event::Block(_)) => Following::END,
        }
    }

    /// The character of the delimiter that closes behind text, if so many marks stay open and any
    /// does.
    pub(super) fn closer(&self, kept: usize) -> Option<char> {
        let mut closing = self.open[kept..].iter().rev();
        let innermost = closing.find(|o| o.form != Form::LeftOut)?;
        Some(match (innermost.form, innermost.mark) {
            (Form::Underscores, _) => '_',
            (Form::Autolink, _) => '>',
            (_, Mark::Link(_)) => ']',
            (_, Mark::Strikethrough) => '~',
            _ => '*',
        })
    }

    /// The character that will stand behind text in the output where nothing closes.
    pub(super) fn after(
        &self,
        piece: &Piece<'_>,
        trailing_blank: bool,
        following: Following,
        has_tail: bool,
    ) -> char {
        if trailing_blank && !has_tail && following.first != '\n' {
            ' '
        } else if following.first == '\n' && following.chain.is_some() {
            self.line_end(piece)
        } else {
            self.next_written(piece, following)
        }
    }

    /// The character that the line break behind an event is written with.
    fn line_end(&self, piece: &Piece<'_>) -> char {
        match self.context {
            Context::Cell => '<',
            Context::Heading => ' ',
            Context::Paragraph => match piece.content.events.get(piece.index + 2) {
                // Two of them may end the paragraph.
                Some(Event::Break { .. }) => '\n',
                _ => '\\',
            },
        }
    }

    /// The first character that is written of what follows: a delimiter, if one opens there.
    pub(super) fn next_written(&self, piece: &Piece<'_>, following: Following) -> char {
        let opens = following.chain.is_some_and(|chain| {
            let marks = piece.styles.marks(chain);
            if marks.is_empty() {
                return false;
            }
            let open = self.open_without_retried();
            let next = nesting::missing(open, nesting::kept(open, marks), marks)
                .find(|m| !is_emphasis(*m) || !self.is_written(*m));
            matches!(next, Some(Mark::Emphasis | Mark::Strong))
        });
        if opens && !following.first.is_whitespace() {
            '*'
        } else {
            following.first
        }
    }

    /// The first character that is written of text behind other text: of the marks that only it has.
    fn first_of(&self, styles: &Styles, before: Chain, chain: Chain, text: char) -> char {
        let marks = styles.marks(chain);
        if marks.is_empty() {
            return text;
        }
        let marks_before = styles.marks(before);
        let first = |mark: &Mark| !matches!(mark, Mark::Emphasis | Mark::Strong);
        let kept = nesting::shared(marks_before.iter().copied(), marks);
        let nested = kept == marks.len() || kept == marks_before.len();
        let first = if nested || !nesting::is_for(&self.open, marks_before) {
            marks[kept..].iter().copied().find(first)
        } else {
            let open = self.open_without_retried();
            nesting::missing(open, nesting::kept(open, marks), marks).find(first)
        };
        match first {
            Some(Mark::Link(_)) => '[',
            Some(Mark::Code) => '`',
            // Right behind another one it is not opened.
            Some(Mark::Strikethrough) if !marks_before.contains(&Mark::Strikethrough) => '~',
            _ => text,
        }
    }
}
