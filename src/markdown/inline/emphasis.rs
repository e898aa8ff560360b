//! Where delimiters of emphasis can open (CommonMark §6.2), and what has to stand outside of them.

use super::{
    Context, Following, Form, Inline, Open, Piece, Run, delimiter, is_edge, is_emphasis, nesting,
};
use crate::markdown::escape::{is_left_flanking, is_punctuation, is_right_flanking};
use crate::markdown::style::Mark;
use crate::markdown::tape::Event;

impl Inline {
    /// The character before a delimiter that is written now; a run of `*` counts as one.
    pub(super) fn before_delimiter(&self, mark: Mark) -> char {
        if self.breaks > 0 {
            if self.context == Context::Cell {
                '>'
            } else {
                '\n'
            }
        } else if self.blank {
            ' '
        } else if self.run != Run::None && mark != Mark::Strikethrough {
            self.before_run
        } else {
            self.before
        }
    }

    /// How many `*` that close stand right before what is written next: what opens there becomes
    /// part of their run.
    pub(super) fn closing_run(&self) -> u8 {
        match self.run {
            Run::Closing { length, .. } if !self.blank && self.breaks == 0 => length,
            _ => 0,
        }
    }

    /// Whether the text behind delimiters of this kind is to begin with a reference.
    fn encodes_behind(&self, mark: Mark) -> bool {
        self.encode_next && self.closing_run() > 0 && mark != Mark::Strikethrough
    }

    /// Whether a run of this length may open here. Right behind delimiters that close, both are one
    /// run, of a length by which all that it is to match must still match (CommonMark §6.2, rules
    /// 9 and 10), and nothing else may be open for it to close.
    pub(super) fn may_open_behind(&self, marks: &[Mark]) -> bool {
        if self.blank || self.breaks > 0 {
            return true;
        }
        if marks[0] == Mark::Strikethrough {
            return self.before != '~';
        }
        let Run::Closing { length, openers } = self.run else {
            return true;
        };
        let opened: usize = marks.iter().map(|m| delimiter(*m).len()).sum();
        let total = usize::from(length) + opened;
        let matches = |run: usize| !(run + total).is_multiple_of(3) || total.is_multiple_of(3);
        let alone = !self
            .open
            .iter()
            .any(|o| matches!(o.form, Form::Written { run } if run > 0));
        alone
            && usize::from(length) != opened
            && opened < 3
            && matches(opened)
            && (0..3).all(|n| openers & (1 << n) == 0 || matches(n))
    }

    /// Opens the marks in one run of delimiters; those that are not `fresh` stand in their own kind.
    fn open_emphasis(&mut self, piece: &mut Piece<'_>, marks: &[Mark], fresh: &[Mark]) {
        let before = self.before_delimiter(marks[0]);
        let mut run: usize = fresh.iter().map(|m| delimiter(*m).len()).sum();
        if marks[0] != Mark::Strikethrough {
            run += usize::from(self.closing_run());
        }
        self.encode_next &= self.encodes_behind(marks[0]);
        self.separate(piece);
        for &mark in marks {
            let form = if fresh.contains(&mark) && !self.is_written(mark) {
                piece.out.extend_from_slice(delimiter(mark));
                self.wrote(if mark == Mark::Strikethrough {
                    '~'
                } else {
                    '*'
                });
                Form::Written { run: run as u8 }
            } else {
                Form::LeftOut
            };
            self.open.push(Open { mark, form });
        }
        self.before_run = before;
        if marks[0] != Mark::Strikethrough {
            self.run = Run::Opening;
        }
    }

    /// Whether a mark of this kind is open and shows.
    pub(super) fn is_written(&self, mark: Mark) -> bool {
        self.open
            .iter()
            .any(|o| o.mark == mark && o.form != Form::LeftOut)
    }

    /// Whether a mark in a mark of its kind can be written, with `_` (CommonMark §6.2, rules 1 to
    /// 8): around words between blanks or punctuation.
    fn can_nest(&self, piece: &Piece<'_>, mark: Mark, before: char, text: &str) -> bool {
        let underscores = self.open.iter().any(|o| o.form == Form::Underscores);
        mark != Mark::Strikethrough
            && !underscores
            && !self.encode_next
            && is_edge(before)
            && before != '_'
            && text.starts_with(char::is_alphanumeric)
            && piece
                .end_of_nested(mark)
                .is_some_and(|(last, behind)| last.is_alphanumeric() && is_edge(behind))
    }

    /// Whether emphasis that can't open with `*` right behind `*` that close can do so with `_`:
    /// around one word, which is never written before what follows it is known.
    fn opens_behind_stars(&self, piece: &Piece<'_>, marks: &[Mark]) -> bool {
        let &[mark @ Mark::Emphasis] = marks else {
            return false;
        };
        let mut covered = piece.covered(mark);
        let (Some((Event::Text { chain, .. }, word)), None) = (covered.next(), covered.next())
        else {
            return false;
        };
        if piece.styles.has_code(*chain) {
            return false;
        }
        let (word, blank) = match word.strip_suffix(' ') {
            Some(word) => (word, true),
            None => (word, false),
        };
        !self.open.iter().any(|o| o.form == Form::Underscores)
            && word.starts_with(char::is_alphanumeric)
            && !word.contains(' ')
            && (blank || is_edge(piece.char_behind(mark)))
    }

    fn open_underscores(&mut self, piece: &mut Piece<'_>, mark: Mark) {
        self.separate(piece);
        let delimiter: &[u8] = if mark == Mark::Strong { b"__" } else { b"_" };
        piece.out.extend_from_slice(delimiter);
        self.wrote('_');
        self.open.push(Open {
            mark,
            form: Form::Underscores,
        });
    }

    /// Whether a run of `*` that is to open emphasis could close some that is open instead
    /// (CommonMark §6.2, rules 9 and 10).
    pub(super) fn would_close(&self, marks: &[Mark], before: char, after: char) -> bool {
        if !is_right_flanking(before, after) || marks[0] == Mark::Strikethrough {
            return false;
        }
        let run: usize = marks.iter().map(|m| delimiter(*m).len()).sum();
        self.open.iter().any(|o| match o.form {
            Form::Written { run: other } if matches!(o.mark, Mark::Emphasis | Mark::Strong) => {
                let other = usize::from(other);
                !(other + run).is_multiple_of(3)
                    || (other.is_multiple_of(3) && run.is_multiple_of(3))
            }
            _ => false,
        })
    }

    /// Writes blanks that do not collapse: they stand before the delimiters. Returns the rest.
    pub(super) fn blanks_before_marks<'t>(
        &mut self,
        piece: &mut Piece<'_>,
        text: &'t str,
    ) -> &'t str {
        let trimmed = text.trim_start_matches(char::is_whitespace);
        let blanks = text.len() - trimmed.len();
        if blanks > 0 {
            self.plain(piece, &text[..blanks], '*');
        }
        trimmed
    }

    /// Opens what the marks ask for; what is open and not among them was closed before. Returns
    /// the text that remains for them: blanks and punctuation at its start may have to stand
    /// before the delimiters.
    pub(super) fn transition<'t>(
        &mut self,
        piece: &mut Piece<'_>,
        marks: &[Mark],
        text: &'t str,
    ) -> &'t str {
        let kept = self.kept(marks);
        self.close_to(piece.out, piece.styles, kept);
        if nesting::in_order(&self.open, marks) == kept {
            match &marks[kept..] {
                [] => return text,
                &[link @ Mark::Link(_)] => {
                    self.open_link(piece, link, text, true);
                    return text;
                }
                _ => {}
            }
        } else if nesting::is_for(&self.open, marks) {
            return text;
        } else {
            nesting::forget_left_out(&mut self.open, marks);
        }
        // Its memory is used again.
        let mut todo = std::mem::take(&mut self.to_open);
        todo.clear();
        todo.extend(nesting::missing(&self.open, self.open.len(), marks));
        let rest = self.open_marks(piece, &mut todo, text);
        self.to_open = todo;
        rest
    }

    fn open_marks<'t>(
        &mut self,
        piece: &mut Piece<'_>,
        todo: &mut Vec<Mark>,
        text: &'t str,
    ) -> &'t str {
        let mut text = text;
        if todo.iter().any(|m| is_emphasis(*m)) {
            text = self.blanks_before_marks(piece, text);
        }
        while !todo.is_empty() {
            let mark = todo[0];
            if !is_emphasis(mark) {
                todo.remove(0);
                self.open_link(piece, mark, text, todo.is_empty());
                continue;
            }
            if text.is_empty() {
                return text;
            }
            let before = self.before_delimiter(mark);
            if self.is_written(mark) {
                todo.remove(0);
                if todo.is_empty() && self.can_nest(piece, mark, before, text) {
                    self.open_underscores(piece, mark);
                } else {
                    self.open.push(Open {
                        mark,
                        form: Form::LeftOut,
                    });
                }
                continue;
            }
            // Delimiters side by side are one run; a mark in its own kind adds none.
            let (mut group, mut fresh, mut kinds) = (1, [mark; 2], 1);
            while mark != Mark::Strikethrough
                && let Some(&next) = todo.get(group)
                && matches!(next, Mark::Emphasis | Mark::Strong)
            {
                let nested = fresh.contains(&next) || self.is_written(next);
                if !nested {
                    // One is emphasis, the other is strong.
                    fresh[1] = next;
                    kinds = 2;
                } else if todo.len() == group + 1 && self.can_nest(piece, next, '*', text) {
                    break;
                }
                group += 1;
            }
            let fresh = &fresh[..kinds];
            let own_run = |m: &&Mark| matches!(m, Mark::Emphasis | Mark::Strong);
            let first = match todo[group..]
                .iter()
                .find(|m| mark == Mark::Strikethrough || !own_run(m))
            {
                Some(Mark::Link(_)) => '[',
                Some(Mark::Strikethrough) => '~',
                Some(_) => '*',
                None if todo[group..].first().is_some_and(|&m| {
                    todo.len() == group + 1 && self.can_nest(piece, m, '*', text)
                }) =>
                {
                    '_'
                }
                None if self.encodes_behind(mark) => '&',
                None => text.chars().next().unwrap_or(' '),
            };
            if !self.may_open_behind(fresh) && self.opens_behind_stars(piece, todo) {
                self.open_underscores(piece, mark);
                todo.remove(0);
                continue;
            }
            let may_open = self.may_open_behind(fresh);
            if may_open
                && is_left_flanking(before, first)
                && !self.would_close(fresh, before, first)
            {
                self.open_emphasis(piece, &todo[..group], fresh);
                todo.drain(..group);
            } else if may_open
                && !is_left_flanking(before, first)
                && group == todo.len()
                && is_punctuation(first)
                && !text.starts_with(['!', '`'])
                && (piece.is_cut()
                    || !text
                        .trim_start_matches(is_punctuation)
                        .trim_start()
                        .is_empty())
            {
                let rest = text.trim_start_matches(is_punctuation);
                let after = rest.chars().next().map_or(piece.char_behind_cut(), |c| {
                    if c == ' ' { ' ' } else { '*' }
                });
                self.plain(piece, &text[..text.len() - rest.len()], after);
                text = rest.trim_start_matches(' ');
                self.blank = text.len() < rest.len();
                text = self.blanks_before_marks(piece, text);
            } else if let Some(index) = self.opens_around(todo, text) {
                todo[..=index].rotate_right(1);
            } else {
                let left_out = if may_open { group } else { 1 };
                self.open.extend(todo[..left_out].iter().map(|&mark| Open {
                    mark,
                    form: Form::LeftOut,
                }));
                todo.drain(..left_out);
            }
        }
        text
    }

    /// Of marks whose first can't open here, one that can, and in which the first can: a link, or
    /// delimiters of another kind.
    fn opens_around(&self, todo: &[Mark], text: &str) -> Option<usize> {
        let link = todo.iter().position(|m| matches!(m, Mark::Link(_)));
        if link.is_some() {
            return link;
        }
        let strikes = |m: &Mark| *m == Mark::Strikethrough;
        let other = todo.iter().position(|m| strikes(m) != strikes(&todo[0]))?;
        let mark = todo[other];
        let inner = if strikes(&mark) { '*' } else { '~' };
        let before = self.before_delimiter(mark);
        // The first is to open in it, and nothing else is between them.
        let text = text.chars().next().unwrap_or(' ');
        let alone = strikes(&mark) || other + 1 == todo.len();
        let opens = alone
            && !self.is_written(mark)
            && self.may_open_behind(&[mark])
            && is_left_flanking(before, inner)
            && !self.would_close(&[mark], before, inner)
            && !self.would_close(&todo[..1], '~', text);
        opens.then_some(other)
    }

    /// How many bytes at the end of the text are to stand behind the delimiters that close there,
    /// where so many marks stay open.
    pub(super) fn tail(
        &self,
        body: &str,
        trailing_blank: bool,
        following: Following,
        kept: usize,
    ) -> usize {
        let closing = &self.open[kept..];
        let written = |o: &&Open| o.form != Form::LeftOut;
        let Some(innermost) = closing.iter().rev().find(written) else {
            return 0;
        };
        if !is_emphasis(innermost.mark) {
            return 0;
        }
        let trimmed = body.trim_end_matches(|c: char| c.is_whitespace());
        if trimmed.is_empty() {
            // Blanks that do not collapse: no delimiter can close behind them.
            return body.len();
        }
        let mut keep = trimmed.len();
        let bounded_by_link = closing.iter().any(|o| !is_emphasis(o.mark));
        let next = if bounded_by_link {
            ']'
        } else if trailing_blank || keep < body.len() {
            ' '
        } else {
            following.first
        };
        let last = trimmed.chars().next_back().unwrap_or(' ');
        if !is_right_flanking(last, next) {
            // Not beyond a blank: what stands before one may have been written.
            let inner = trimmed.trim_end_matches(is_punctuation);
            if !inner.is_empty() && !inner.ends_with(char::is_whitespace) {
                keep = inner.len();
            }
        }
        body.len() - keep
    }
}
