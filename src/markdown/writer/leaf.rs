//! The block that text goes to: a paragraph, a heading or a code block.

use super::cut::Cuts;
use super::{Leaf, PARAGRAPH, Writer};
use crate::markdown::escape::{Line, UNDECIDED};
use crate::markdown::inline::{Content, Context};
use crate::markdown::tape::{Event, end_of_text};

/// Marks and targets, in bytes, beyond which those are forgotten that no content refers to.
const MUCH: usize = 64 << 10;

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
        if self.ends_in_permalink() {
            return;
        }
        self.write_unbroken();
        if let Some((index, cut)) = self.cuts.last(&self.tape, &self.styles, self.leaf_started) {
            self.write_up_to(index, cut);
        }
    }

    /// Writes what has no place to cut it as soon as it is too much.
    fn write_unbroken(&mut self) {
        while let Some((index, cut)) = self.cuts.look(&self.tape, &self.styles, self.exact) {
            if self.leaf_started || self.tape.shows_text_up_to(index, cut) {
                self.write_up_to(index, cut);
            } else {
                self.take_up_to(index, cut);
            }
        }
    }

    /// Keeps the tape of a long paragraph short.
    pub(super) fn keep_leaf_bounds(&mut self) {
        if self.tape.size() > PARAGRAPH {
            self.write_some();
        } else if !self.ends_in_permalink() {
            self.write_unbroken();
        }
        self.next_look = self.tape.total() + self.cuts.room().min(PARAGRAPH);
    }

    fn clear_tape(&mut self) {
        self.tape.clear();
        self.cuts = Cuts::default();
        self.next_look = self.tape.total() + PARAGRAPH;
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
        self.take_up_to(index, cut);
        self.has_content = true;
        // What is left on the tape has no marks, and no mark was left open.
        let unmarked = |e: &Event| matches!(e, Event::Text { chain, .. } if self.styles.marks(*chain).is_empty());
        if !self.inline.has_open_marks() && self.tape.events().iter().all(unmarked) {
            self.forget_styles();
        } else {
            self.forget_unused_styles();
        }
    }

    /// Takes the events before this one off the tape, and this one or its text up to `cut`.
    fn take_up_to(&mut self, index: usize, cut: Option<usize>) {
        let (events, text) = match cut {
            Some(cut) => (index, cut),
            None => (index + 1, end_of_text(&self.tape.events()[..=index])),
        };
        self.tape.drain(events, text);
        self.cuts.taken(events, text);
    }

    /// Forgets the marks and targets that nothing on the tape has, if there are many.
    pub(super) fn forget_unused_styles(&mut self) {
        if self.styles.size() > MUCH && !self.replaying {
            if !self.tables.is_recording() {
                self.styles.keep_only(&mut self.tape, self.inline.marks());
            } else if let Some(tape) = self.tables.streamed_rows() {
                self.styles.keep_only(tape, self.inline.marks());
            }
        }
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
                // The names of languages are among them.
                self.forget_styles();
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
            || (self.exact && self.tape.text().bytes().any(|b| b != b' '))
            // Of so much, some may have been written before.
            || self.tape.text().len() > UNDECIDED;
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
        self.clear_tape();
        self.forget_styles();
    }

    pub(super) fn start_code(&mut self, language: Option<u32>) {
        // Before the end of the leaf, with which the styles are forgotten.
        let language = language.map_or_else(String::new, |l| self.styles.language(l).to_owned());
        self.end_leaf();
        self.leaf = Leaf::Code;
        self.code.begin(&language);
    }

    pub(super) fn push_code(&mut self, text: &str) {
        if self.leaf != Leaf::Code {
            self.start_code(None);
        }
        let mut rest = self.code.push(text);
        while !rest.is_empty() {
            if !self.leaf_started {
                self.containers.begin_block(&mut self.out);
                self.leaf_started = true;
            }
            self.code
                .write_lines(&mut self.out, self.containers.prefix());
            rest = self.code.push(rest);
        }
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
