//! The content of one cell on one line: blocks are set apart by `<br>`.

use crate::markdown::block::Block;
use crate::markdown::escape::{Line, write_code_span};
use crate::markdown::inline::{self, Context};
use crate::markdown::output::Output;
use crate::markdown::tape::{Event, Tape};

/// Where the content of a cell stands on the tape.
#[derive(Debug, Clone, Copy)]
pub(in crate::markdown) struct Content {
    pub(in crate::markdown) first_event: usize,
    pub(in crate::markdown) end_event: usize,
    pub(in crate::markdown) first_text: usize,
    /// The last text is written up to here, before a blank: the cell goes on.
    pub(in crate::markdown) cut: Option<usize>,
}

impl Content {
    /// Whether it has nothing to show.
    pub(super) fn is_blank(&self, tape: &Tape) -> bool {
        let mut start = self.first_text;
        tape.events()[self.first_event..self.end_event]
            .iter()
            .all(|event| match *event {
                Event::Text { end, .. } | Event::CodeText { end } => {
                    let text = &tape.text()[start..end as usize];
                    start = end as usize;
                    text.trim().is_empty()
                }
                Event::Break { .. } | Event::Block(_) => true,
                Event::Image { .. } | Event::Nothing { .. } => false,
            })
    }
}

/// Numbers and bullets of the lists in a cell, outermost first.
type Lists = Vec<Option<u32>>;

pub(in crate::markdown) struct CellWriter<'a, 'o> {
    to: &'a mut Output<'o>,
    /// Something was written, so that the next block is set apart.
    any: bool,
    apart: bool,
    /// The cell has text already that the next text follows closely.
    goes_on: bool,
    lists: Lists,
}

impl<'a, 'o> CellWriter<'a, 'o> {
    pub(in crate::markdown) fn new(to: &'a mut Output<'o>) -> Self {
        Self {
            to,
            any: false,
            apart: false,
            goes_on: false,
            lists: Lists::new(),
        }
    }

    /// Goes on in a cell that has text already.
    pub(super) fn continued(to: &'a mut Output<'o>) -> Self {
        Self {
            any: true,
            goes_on: true,
            ..Self::new(to)
        }
    }

    /// Returns whether there was anything to write.
    pub(in crate::markdown) fn write(mut self, tape: &Tape, content: Content) -> bool {
        let events = &tape.events()[content.first_event..content.end_event];
        let mut text = content.first_text;
        let mut at = 0;
        while at < events.len() {
            match events[at] {
                Event::Block(block) => {
                    self.block(block);
                    at += 1;
                }
                Event::CodeText { end } => {
                    self.code(&tape.text()[text..end as usize]);
                    text = end as usize;
                    at += 1;
                }
                Event::Text { .. }
                | Event::Break { .. }
                | Event::Nothing { .. }
                | Event::Image { .. } => {
                    let run = events[at..]
                        .iter()
                        .take_while(|e| !matches!(e, Event::Block(_) | Event::CodeText { .. }))
                        .count();
                    let end = events[at..at + run].iter().rev().find_map(|e| match e {
                        Event::Text { end, .. } => Some(*end as usize),
                        _ => None,
                    });
                    let cut = content.cut.filter(|_| at + run == events.len());
                    self.run(inline::Content {
                        events: &events[at..at + run],
                        text: &tape.text()[..cut.or(end).unwrap_or(text)],
                        start: text,
                        cut,
                    });
                    text = end.unwrap_or(text);
                    at += run;
                }
            }
        }
        self.any
    }

    fn run(&mut self, content: inline::Content<'_>) {
        let text = &content.text[content.start..];
        let shows = content
            .events
            .iter()
            .any(|e| matches!(e, Event::Image { .. } | Event::Nothing { .. }))
            || text.bytes().any(|b| b != b' ');
        if !shows {
            return;
        }
        self.separate();
        if self.goes_on && text.starts_with(' ') {
            self.to.out.push(b' ');
        }
        self.goes_on = false;
        let Output {
            out,
            styles,
            inline,
            ..
        } = &mut *self.to;
        inline.begin(Context::Cell, Line::Inside);
        inline.write(out, "", styles, content);
        self.any = true;
    }

    fn separate(&mut self) {
        if std::mem::take(&mut self.apart) && self.any {
            self.to.push(b"<br>");
        }
    }

    fn block(&mut self, block: Block) {
        match block {
            Block::List(number) => self.lists.push(number),
            Block::EndList => {
                self.lists.pop();
            }
            Block::Item { .. } => {
                self.apart = true;
                self.separate();
                match self.lists.last_mut() {
                    Some(Some(number)) => {
                        self.to.push(format!("{number}. ").as_bytes());
                        *number = number.saturating_add(1);
                    }
                    _ => self.to.push(b"- "),
                }
                self.any = true;
                return;
            }
            Block::Task { done } => {
                self.to.push(if done { b"[x] " } else { b"[ ] " });
                return;
            }
            _ => {}
        }
        self.apart = self.any && !self.to.out.ends_with(b"- ");
    }

    /// Code keeps its lines, each in a span of its own.
    fn code(&mut self, text: &str) {
        for line in text.trim_matches('\n').split('\n') {
            self.apart = self.any;
            self.separate();
            let line = line.trim_end_matches(['\r', ' ', '\t']);
            if !line.is_empty() {
                write_code_span(self.to.out, line, true);
            }
            self.any = true;
        }
        self.apart = true;
    }
}
