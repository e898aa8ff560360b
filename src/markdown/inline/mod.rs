//! Writes the inline content of one block: text, marks, links, images, code spans, line breaks.
//!
//! A mark is written when text needs it and closed as soon as the text behind it does not, so that
//! blanks stand outside of marks and marks around nothing vanish. Where a delimiter would not be
//! one for CommonMark (§6.2, the flanking rules), punctuation moves to its other side; where that
//! does not help either, the mark is left out: text is never harmed.

mod code_span;
mod emphasis;
mod following;
mod link;
mod nesting;
mod piece;
mod plain;

use self::code_span::CodeSpan;
use self::following::Following;
use self::link::FirstLink;
use super::escape::{Line, Openers, is_punctuation};
use super::style::{Chain, Mark, Styles};
use super::tape::Event;

/// The kind of block around the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Paragraph,
    Heading,
    Cell,
}

/// A stretch of a tape that is to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'a> {
    pub(super) events: &'a [Event],
    pub(super) text: &'a str,
    /// Where in the text the first event begins.
    pub(super) start: usize,
    /// The last event is written up to here, as a rule before a blank; more of it comes later.
    /// `None` where it is written to its end.
    pub(super) cut: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    mark: Mark,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Delimiters were written, in a run of so many.
    Written { run: u8 },
    /// `_` or `__`, in a mark of the same kind.
    Underscores,
    /// `<address>`
    Autolink,
    /// No delimiter would have worked.
    LeftOut,
}

/// The run of `*` delimiters that the output ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    None,
    Opening,
    /// Delimiters that close.
    Closing {
        length: u8,
        /// The lengths of the runs that they close, modulo 3, as bits.
        openers: u8,
    },
}

/// The state of a block between two stretches of it.
#[derive(Debug)]
pub(super) struct Inline {
    context: Context,
    /// Blanks at the edges of code stay inside of it.
    exact: bool,
    open: Vec<Open>,
    /// The last character written; a line end at the start of a line.
    before: char,
    /// The character before the run of delimiters that the output ends with, if it does.
    before_run: char,
    run: Run,
    code_span: CodeSpan,
    /// Marks that are about to open.
    to_open: Vec<Mark>,
    blank: bool,
    breaks: u32,
    line: Line,
    /// The line is a number so far: before a full stop or a parenthesis it would begin a list.
    number: bool,
    openers: Openers,
    empty: bool,
    escape_brackets: bool,
    first_link: FirstLink,
    /// The next character is written as a reference: beside a delimiter it counts as punctuation.
    encode_next: bool,
}

impl Inline {
    pub(super) fn new(exact: bool) -> Self {
        Self {
            context: Context::Paragraph,
            exact,
            open: Vec::new(),
            before: '\n',
            before_run: '\n',
            run: Run::None,
            code_span: CodeSpan::default(),
            to_open: Vec::new(),
            blank: false,
            breaks: 0,
            line: Line::First,
            number: false,
            openers: Openers::default(),
            empty: true,
            escape_brackets: false,
            first_link: FirstLink::None,
            encode_next: false,
        }
    }

    /// A new block begins.
    pub(super) fn begin(&mut self, context: Context, line: Line) {
        self.context = context;
        self.open.clear();
        self.before = '\n';
        self.before_run = '\n';
        self.run = Run::None;
        self.code_span.is_last = false;
        self.code_span.is_out = false;
        self.blank = false;
        self.breaks = 0;
        self.line = line;
        self.number = false;
        self.openers = Openers::default();
        self.empty = true;
        self.escape_brackets = false;
        self.first_link = FirstLink::None;
        self.encode_next = false;
    }

    pub(super) fn has_open_marks(&self) -> bool {
        !self.open.is_empty()
    }

    /// The marks that are open, from the outside in.
    pub(super) fn marks(&self) -> impl Iterator<Item = Mark> {
        self.open.iter().map(|o| o.mark)
    }

    /// Writes the content; `prefix` begins each further line.
    pub(super) fn write(
        &mut self,
        out: &mut Vec<u8>,
        prefix: &str,
        styles: &Styles,
        content: Content<'_>,
    ) {
        self.code_span.is_out = std::mem::take(&mut self.code_span.is_last);
        let mut start = content.start;
        for (index, &event) in content.events.iter().enumerate() {
            let last = index + 1 == content.events.len();
            if last && content.cut.is_some() && !matches!(event, Event::Text { .. }) {
                // It only tells what follows.
                break;
            }
            let mut piece = Piece {
                out,
                prefix,
                styles,
                content: &content,
                index,
            };
            match event {
                Event::Text { end, chain } => {
                    let end = if last {
                        content.cut.unwrap_or(end as usize)
                    } else {
                        end as usize
                    };
                    let text = &content.text[start..end];
                    self.text(piece, text, chain);
                    start = end;
                }
                Event::Break { .. } => {
                    self.blank = false;
                    if self.context == Context::Heading {
                        self.blank = !self.empty;
                    } else if !self.empty {
                        self.breaks += 1;
                    }
                }
                Event::Image { target, chain } => {
                    self.transition(&mut piece, styles.marks(chain), "!");
                    let following = self.following(&piece, chain);
                    self.image(&mut piece, target);
                    self.close_for(&mut piece, following);
                }
                Event::Nothing { chain } => {
                    self.transition(&mut piece, styles.marks(chain), "");
                    let following = self.following(&piece, chain);
                    self.close_for(&mut piece, following);
                }
                Event::CodeText { .. } | Event::Block(_) => {}
            }
        }
    }

    fn text(&mut self, mut piece: Piece<'_>, text: &str, chain: Chain) {
        if text.is_empty() {
            // It is cut at its start: all of it comes later.
            return;
        }
        let marks = piece.styles.marks(chain);
        if self.exact && marks.last() == Some(&Mark::Code) {
            self.transition(&mut piece, &marks[..marks.len() - 1], "`");
            let following = self.following(&piece, chain);
            self.separate(&mut piece);
            self.code_span(&mut piece, text);
            self.close_for(&mut piece, following);
            return;
        }
        let mut body = text;
        if let Some(rest) = body.strip_prefix(' ') {
            self.blank |= !self.empty;
            body = rest;
        }
        let (trimmed, trailing_blank) = match body.strip_suffix(' ') {
            Some(rest) => (rest, true),
            None => (body, false),
        };
        body = trimmed;
        if body.is_empty() {
            self.blank |= trailing_blank && !self.empty;
            if !self.open.is_empty() {
                let mut following = self.following(&piece, chain);
                if self.blank {
                    following.first = ' ';
                }
                self.close_for(&mut piece, following);
            }
            return;
        }
        if marks.is_empty() && self.open.is_empty() && body.as_bytes()[0].is_ascii_graphic() {
            // Most text: no mark opens or closes.
            let following = self.following(&piece, chain);
            self.marked(&mut piece, body, trailing_blank, following, false);
            self.blank = trailing_blank;
            return;
        }
        let mut following;
        if marks.last() == Some(&Mark::Code) {
            self.transition(&mut piece, &marks[..marks.len() - 1], "`");
            following = self.following(&piece, chain);
            self.separate(&mut piece);
            self.code_span(&mut piece, body);
        } else {
            if body.chars().all(char::is_whitespace)
                && !marks
                    .iter()
                    .any(|m| matches!(m, Mark::Link(_)) && self.open.iter().all(|o| o.mark != *m))
            {
                // Blanks that do not collapse need no marks.
                let following = self.following(&piece, chain);
                self.close_to(piece.out, piece.styles, self.kept(marks));
                self.close_for(&mut piece, following);
                self.plain(&mut piece, body, following.first);
                self.blank = trailing_blank;
                return;
            }
            body = self.transition(&mut piece, marks, body);
            following = self.following(&piece, chain);
            let kept = self.kept_for(piece.styles, following);
            let tail = self.tail(body, trailing_blank, following, kept);
            let (inner, outer) = body.split_at(body.len() - tail);
            if !inner.is_empty() {
                let has_tail = !outer.is_empty();
                if let Some(delimiter) = self.closer(kept) {
                    self.plain_before(&mut piece, inner, delimiter, true);
                } else {
                    self.marked(&mut piece, inner, trailing_blank, following, has_tail);
                }
            }
            if !outer.is_empty() {
                self.close_for(&mut piece, following);
                let after = if trailing_blank {
                    ' '
                } else {
                    self.next_written(&piece, following)
                };
                self.plain(&mut piece, outer, after);
            }
        }
        if trailing_blank {
            following.first = ' ';
        }
        self.close_for(&mut piece, following);
        self.blank = trailing_blank;
    }

    /// Writes text for which all marks that it needs are open, and behind which none closes.
    fn marked(
        &mut self,
        piece: &mut Piece<'_>,
        text: &str,
        trailing_blank: bool,
        following: Following,
        has_tail: bool,
    ) {
        let mut after = self.after(piece, trailing_blank, following, has_tail);
        if after == '*' && following.first == '[' && text.ends_with('!') {
            // A delimiter expected between them may be left out.
            after = '[';
        }
        self.plain(piece, text, after);
    }

    fn wrote(&mut self, last: char) {
        self.before = last;
        self.run = Run::None;
        // Only a run of these is one with the delimiters before.
        self.encode_next &= last == '*';
        self.code_span.is_last = false;
        self.code_span.is_out = false;
        self.line = Line::Inside;
        self.number = false;
        self.empty = false;
    }

    /// Writes the line break or the blank that is owed.
    fn separate(&mut self, piece: &mut Piece<'_>) {
        let breaks = std::mem::take(&mut self.breaks);
        let blank = std::mem::take(&mut self.blank);
        self.encode_next &= breaks == 0 && !blank;
        self.number &= breaks == 0 && !blank;
        if breaks == 0 {
            if blank && !self.empty {
                piece.out.push(b' ');
                self.before = ' ';
            }
            return;
        }
        match self.context {
            Context::Cell => {
                for _ in 0..breaks.min(2) {
                    piece.out.extend_from_slice(b"<br>");
                }
                self.before = '>';
                return;
            }
            Context::Heading => piece.out.push(b' '),
            Context::Paragraph if breaks > 1 && self.open.is_empty() => {
                piece.out.push(b'\n');
                piece
                    .out
                    .extend_from_slice(piece.prefix.trim_end().as_bytes());
                piece.out.push(b'\n');
                piece.out.extend_from_slice(piece.prefix.as_bytes());
                self.before = '\n';
                self.line = Line::First;
                return;
            }
            Context::Paragraph => {
                piece.out.extend_from_slice(b"\\\n");
                piece.out.extend_from_slice(piece.prefix.as_bytes());
            }
        }
        self.before = '\n';
        self.line = Line::Continued;
    }

    /// Closes what the event that follows does not have.
    fn close_for(&mut self, piece: &mut Piece<'_>, following: Following) {
        if self.open.is_empty() {
            return;
        }
        let kept = self.kept_for(piece.styles, following);
        let closes_emphasis = self.open[kept..]
            .iter()
            .any(|o| is_emphasis(o.mark) && o.form != Form::LeftOut);
        self.close_to(piece.out, piece.styles, kept);
        if closes_emphasis
            && matches!(self.before, '*' | '~')
            && is_punctuation(self.before_run)
            && !following.first.is_whitespace()
            && !is_punctuation(following.first)
        {
            self.encode_next = true;
        }
        if !following.same {
            self.open.truncate(self.open_without_retried().len());
        }
    }

    /// Closes what may still be open at the end of a block.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>, styles: &Styles) {
        self.close_to(out, styles, 0);
    }

    fn close_to(&mut self, out: &mut Vec<u8>, styles: &Styles, kept: usize) {
        let mut in_run = false;
        let (mut length, mut openers) = (0, 0);
        while self.open.len() > kept {
            let Some(open) = self.open.pop() else { return };
            match (open.form, open.mark) {
                (Form::LeftOut, _) => {}
                (Form::Underscores, mark) => {
                    out.extend_from_slice(if mark == Mark::Strong { b"__" } else { b"_" });
                    self.wrote('_');
                    in_run = false;
                }
                (Form::Autolink, _) => {
                    out.push(b'>');
                    self.wrote('>');
                    in_run = false;
                }
                (Form::Written { .. }, Mark::Link(target)) => {
                    self.end_link(out, styles, target);
                    in_run = false;
                }
                (Form::Written { run }, mark) => {
                    if !in_run || mark == Mark::Strikethrough {
                        self.before_run = self.before;
                        (length, openers) = (0, 0);
                    }
                    out.extend_from_slice(delimiter(mark));
                    if mark == Mark::Strikethrough {
                        self.wrote('~');
                        in_run = false;
                    } else {
                        length += delimiter(mark).len() as u8;
                        self.wrote('*');
                        openers |= 1 << (run % 3);
                        self.run = Run::Closing { length, openers };
                        in_run = true;
                    }
                }
            }
        }
    }

    /// How many of the marks that are open stay so for text with these.
    fn kept(&self, marks: &[Mark]) -> usize {
        nesting::kept(&self.open, marks)
    }

    /// How many of the marks that are open stay so for what follows.
    fn kept_for(&self, styles: &Styles, following: Following) -> usize {
        if self.open.is_empty() {
            return 0;
        }
        following.chain.map_or(0, |chain| {
            let open = if following.same {
                &self.open
            } else {
                self.open_without_retried()
            };
            nesting::kept(open, styles.marks(chain))
        })
    }

    /// The marks that are open but for those at their end that were left out: they get another
    /// chance with the next text, though not with more of the same.
    fn open_without_retried(&self) -> &[Open] {
        let last = self.open.iter().rposition(|o| o.form != Form::LeftOut);
        &self.open[..last.map_or(0, |i| i + 1)]
    }
}

/// Where one event is written, and what it stands among.
struct Piece<'a> {
    out: &'a mut Vec<u8>,
    prefix: &'a str,
    styles: &'a Styles,
    content: &'a Content<'a>,
    index: usize,
}

/// Whether `_` can open behind this character and close before it (CommonMark §6.2).
fn is_edge(c: char) -> bool {
    c.is_whitespace() || is_punctuation(c)
}

fn is_emphasis(mark: Mark) -> bool {
    matches!(mark, Mark::Emphasis | Mark::Strong | Mark::Strikethrough)
}

fn delimiter(mark: Mark) -> &'static [u8] {
    match mark {
        Mark::Emphasis => b"*",
        Mark::Strong => b"**",
        Mark::Strikethrough => b"~~",
        Mark::Code | Mark::Link(_) => b"",
    }
}
