//! The block that text goes to: a paragraph, a heading or a code block.

use super::{Leaf, PARAGRAPH, Writer};
use crate::markdown::escape::{Line, UNDECIDED, is_open_label};
use crate::markdown::inline::{Content, Context};
use crate::markdown::style::{Chain, Mark};
use crate::markdown::tape::{Event, end_of_text};
use std::ops::Range;

/// Content of one block without a place to cut it, beyond which it is cut anywhere: bytes of text,
/// and as much for anything else as it takes.
const UNBROKEN: usize = 16 << 10;

/// Content on the tape beyond which all of it is searched for a place to cut it.
const MUCH: usize = 64 << 10;

/// Pieces of content at the end of a block that are searched for a place to cut it.
const LOOKED_AT: usize = 32;

impl Writer {
    pub(super) fn begin_paragraph(&mut self) {
        match self.leaf {
            Leaf::None => self.leaf = Leaf::Paragraph { explicit: false },
            Leaf::Code => {
                self.end_leaf();
                self.leaf = Leaf::Paragraph { explicit: false };
            }
            Leaf::Paragraph { .. } | Leaf::Heading(_) => {}
        }
    }

    /// Writes the part of the open paragraph or heading that no later text can change: up to its
    /// last blank.
    pub(super) fn write_some(&mut self) {
        if let Some((index, cut)) = self.cut() {
            self.write_up_to(index, Some(cut));
        }
    }

    /// Writes what has no place to cut it as soon as it is too much. Where it is cut depends on
    /// nothing but the content.
    pub(super) fn write_unbroken(&mut self) {
        while self.tape.total() > self.next_unbroken {
            match self.unbroken() {
                Ok((index, cut)) => {
                    if self.leaf_started || self.tape.shows_text() {
                        self.write_up_to(index, cut);
                    } else {
                        self.tape.clear();
                    }
                }
                Err(unbroken) => self.next_unbroken = self.tape.total() + UNBROKEN - unbroken,
            }
        }
    }

    /// Where to cut content that goes on for too long without a place for that: in which event, and
    /// where in its text. Else how much of it the tape ends with.
    fn unbroken(&self) -> Result<(usize, Option<usize>), usize> {
        let text = self.tape.text();
        let mut start = 0;
        let mut unbroken = 0;
        for (index, event) in self.tape.events().iter().enumerate() {
            let &Event::Text { end, chain } = event else {
                unbroken += size_of::<Event>();
                if unbroken > UNBROKEN {
                    return Ok((index, None));
                }
                continue;
            };
            let end = end as usize;
            let mut from = start;
            let breaks = self.may_cut_in(chain);
            while from < end {
                let rest = &text[from..end];
                let blank = memchr::memchr(b' ', rest.as_bytes()).filter(|_| breaks);
                let length = blank.unwrap_or(rest.len());
                if unbroken + length > UNBROKEN {
                    let at = text.floor_char_boundary(from + UNBROKEN - unbroken);
                    // In code or a link a blank is a good place.
                    let before = memchr::memrchr(b' ', &text.as_bytes()[from..at]);
                    let cut = before.filter(|&i| i > 0).map_or(at, |i| from + i);
                    return Ok((index, Some(cut)));
                }
                unbroken += length;
                from += length;
                if blank.is_some() {
                    unbroken = 0;
                    from += 1;
                }
            }
            start = end;
        }
        Err(unbroken)
    }

    /// Writes the events before this one, and this one or its text up to `cut`.
    fn write_up_to(&mut self, index: usize, cut: Option<usize>) {
        self.start_inline();
        let content = Content {
            events: &self.tape.events()[..=index],
            text: self.tape.text(),
            start: 0,
            cut,
        };
        self.inline.write(
            &mut self.out,
            self.containers.prefix(),
            &self.styles,
            content,
        );
        match cut {
            Some(cut) => self.tape.drain(index, cut),
            None => {
                let end = |e: &Event| match e {
                    Event::Text { end, .. } => Some(*end as usize),
                    _ => None,
                };
                let text = self.tape.events()[..=index].iter().rev().find_map(end);
                self.tape.drain(index + 1, text.unwrap_or(0));
            }
        }
        self.has_content = true;
        // What is left on the tape has no marks, and no mark was left open.
        let unmarked = |e: &Event| matches!(e, Event::Text { chain, .. } if self.styles.marks(*chain).is_empty());
        if !self.inline.has_open_marks() && self.tape.events().iter().all(unmarked) {
            self.forget_styles();
        }
    }

    /// Where to cut the tape, if it can be cut: in which event, and where in the text.
    fn cut(&self) -> Option<(usize, usize)> {
        let events = self.tape.events();
        // More than a few pieces are searched only where it is worth it.
        let looked_at = if self.tape.size() > MUCH {
            events.len()
        } else {
            LOOKED_AT
        };
        let mut index = events.len();
        for _ in 0..looked_at {
            let (event, before) = events[..index].split_last()?;
            index -= 1;
            let &Event::Text { end, chain } = event else {
                continue;
            };
            let text = end_of_text(before)..end as usize;
            if let Some(cut) = self.cut_within(text, chain) {
                return Some((index, cut));
            }
        }
        None
    }

    /// Whether text with these marks can be cut before a blank.
    fn may_cut_in(&self, chain: Chain) -> bool {
        let marks = self.styles.marks(chain);
        let inside = marks
            .iter()
            .any(|m| matches!(m, Mark::Link(_) | Mark::Code));
        // Whether a mark within its kind can be written depends on what stands behind it.
        let twice = self.exact && self.styles.has_nested(chain);
        !inside && !twice
    }

    /// Where to cut the text of one event: before its last blank.
    fn cut_within(&self, range: Range<usize>, chain: Chain) -> Option<usize> {
        if !self.may_cut_in(chain) {
            return None;
        }
        let text = self.tape.text();
        let start = range.start;
        let last_text = &text[range];
        // What is written before blanks at an end differs from what is written before more text.
        let mut last_word = last_text.trim_end();
        if let Some(rest) = last_text.strip_suffix(' ')
            && self.styles.marks(chain).is_empty()
            && rest.ends_with(char::is_alphanumeric)
        {
            last_word = last_text;
        }
        let blank = memchr::memrchr(b' ', last_word.as_bytes())?;
        let before = &text[..start + blank];
        let decided = before.len() > UNDECIDED
            || (before.chars().any(char::is_alphanumeric)
                && (self.leaf_started || !is_open_label(before)));
        decided.then_some(start + blank)
    }

    /// The first text of the leaf is about to be written.
    pub(super) fn start_inline(&mut self) {
        if self.leaf_started {
            return;
        }
        self.leaf_started = true;
        let first_of_item = self.containers.begin_block(&mut self.out);
        match self.leaf {
            Leaf::Heading(level) => {
                self.out
                    .extend(std::iter::repeat_n(b'#', usize::from(level)));
                self.out.push(b' ');
                self.inline.begin(Context::Heading, Line::Heading);
            }
            _ => {
                let mut line = Line::First;
                if first_of_item {
                    line = Line::FirstOfItem;
                    if let Some(done) = self.task.take() {
                        self.out
                            .extend_from_slice(if done { b"[x] " } else { b"[ ] " });
                        line = Line::Inside;
                    }
                }
                self.inline.begin(Context::Paragraph, line);
            }
        }
        self.task = None;
    }

    /// The open paragraph, heading or code block ends.
    pub(super) fn end_leaf(&mut self) {
        let leaf = std::mem::replace(&mut self.leaf, Leaf::None);
        match leaf {
            Leaf::None => {}
            Leaf::Code => {
                if self.leaf_started || self.exact || !self.code.is_blank() {
                    if !self.leaf_started {
                        self.containers.begin_block(&mut self.out);
                    }
                    self.code.finish(&mut self.out, self.containers.prefix());
                    self.end_block();
                }
            }
            Leaf::Paragraph { .. } | Leaf::Heading(_) => {
                self.leaf = leaf;
                self.end_inline();
                self.leaf = Leaf::None;
            }
        }
        self.leaf_started = false;
    }

    pub(super) fn end_inline(&mut self) {
        let shows = self
            .tape
            .events()
            .iter()
            .any(|e| matches!(e, Event::Image { .. } | Event::Nothing { .. }))
            || (self.exact && self.in_heading())
            || shows_something(self.tape.text())
            || (self.exact && self.tape.text().bytes().any(|b| b != b' '));
        if shows || self.leaf_started {
            if !self.exact {
                self.tape.trim_end();
            }
            self.start_inline();
            let content = Content {
                events: self.tape.events(),
                text: self.tape.text(),
                start: 0,
                cut: None,
            };
            self.inline.write(
                &mut self.out,
                self.containers.prefix(),
                &self.styles,
                content,
            );
            self.inline.finish(&mut self.out, &self.styles);
            self.end_block();
            if self.leaf == (Leaf::Paragraph { explicit: false }) {
                self.containers.after_implicit_paragraph();
            }
        }
        self.tape.clear();
        self.next_cut = PARAGRAPH;
        self.forget_styles();
    }

    pub(super) fn start_code(&mut self, language: Option<u32>) {
        // Before the end of the leaf, with which the styles are forgotten.
        let language = language.map_or_else(String::new, |l| self.styles.language(l).to_owned());
        self.end_leaf();
        self.leaf = Leaf::Code;
        self.code.begin(&language);
    }

    pub(super) fn boundary(&mut self) {
        match self.leaf {
            // A block in a heading or in code ends a line of it and no more.
            Leaf::Heading(_) => {
                let chain = self.styles.current();
                self.tape.push_text(" ", chain);
            }
            Leaf::Code => self.code.end_line(),
            Leaf::None => {}
            Leaf::Paragraph { .. } => self.end_leaf(),
        }
    }
}

/// Whether there is anything to see in the text.
fn shows_something(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_graphic())
        || text
            .chars()
            .any(|c| !c.is_whitespace() && !matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}'))
}
