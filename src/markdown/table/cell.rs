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
    /// The last event is text that is written up to here: the cell goes on.
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

/// What was written of a cell, and what the rest of it has to know of that.
#[derive(Debug, Default)]
pub(in crate::markdown) struct CellState {
    /// Something was written, so that the next block is set apart.
    any: bool,
    apart: bool,
    /// The marker of an item was written last.
    behind_marker: bool,
    /// The text that was written last may go on.
    in_text: bool,
    /// So may the code.
    in_code: bool,
    /// Numbers and bullets of the lists that are open, outermost first.
    lists: Vec<Option<u32>>,
}

impl CellState {
    /// Another cell begins, in a place where there is `any` content already or none.
    pub(in crate::markdown) fn begin(&mut self, any: bool) {
        let mut lists = std::mem::take(&mut self.lists);
        lists.clear();
        *self = Self {
            any,
            lists,
            ..Self::default()
        };
    }

    /// Whether there is anything in it.
    pub(in crate::markdown) fn any(&self) -> bool {
        self.any
    }
}

pub(in crate::markdown) struct CellWriter<'a, 'o> {
    to: &'a mut Output<'o>,
    state: &'a mut CellState,
}

impl<'a, 'o> CellWriter<'a, 'o> {
    pub(in crate::markdown) fn new(to: &'a mut Output<'o>, state: &'a mut CellState) -> Self {
        Self { to, state }
    }

    pub(in crate::markdown) fn write(mut self, tape: &Tape, content: Content) {
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
                    let end = end as usize;
                    at += 1;
                    let cut = content.cut.filter(|_| at == events.len());
                    self.code(&tape.text()[text..cut.unwrap_or(end)]);
                    text = end;
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
                    let end = end.unwrap_or(text);
                    self.run(inline::Content {
                        events: &events[at..at + run],
                        text: &tape.text()[..end],
                        start: text,
                        cut: content.cut.filter(|_| at + run == events.len()),
                    });
                    text = end;
                    at += run;
                }
            }
        }
    }

    fn run(&mut self, content: inline::Content<'_>) {
        let begins = !self.state.in_text;
        if begins {
            let end = content.cut.unwrap_or(content.text.len());
            let shows = content
                .events
                .iter()
                .any(|e| matches!(e, Event::Image { .. } | Event::Nothing { .. }))
                || content.text[content.start..end].bytes().any(|b| b != b' ');
            if !shows {
                return;
            }
            self.separate();
        }
        let Output {
            out,
            styles,
            inline,
            ..
        } = &mut *self.to;
        if begins {
            inline.begin(Context::Cell, Line::Inside);
        }
        inline.write(out, "", styles, content);
        self.state.any = true;
        self.state.in_text = true;
        self.state.behind_marker = false;
    }

    fn separate(&mut self) {
        if std::mem::take(&mut self.state.apart) && self.state.any {
            self.to.push(b"<br>");
        }
    }

    fn block(&mut self, block: Block) {
        let state = &mut *self.state;
        state.in_text = false;
        state.in_code = false;
        match block {
            Block::List(number) => state.lists.push(number),
            Block::EndList => {
                state.lists.pop();
                state.behind_marker = false;
            }
            // An item of nothing.
            Block::EndItem { .. } => state.behind_marker = false,
            Block::Item { .. } => {
                state.apart = true;
                self.separate();
                match self.state.lists.last_mut() {
                    Some(Some(number)) => {
                        self.to.push(format!("{number}. ").as_bytes());
                        *number = number.saturating_add(1);
                    }
                    _ => self.to.push(b"- "),
                }
                self.state.any = true;
                self.state.behind_marker = true;
                return;
            }
            Block::Task { done } => {
                self.to.push(if done { b"[x] " } else { b"[ ] " });
                return;
            }
            _ => {}
        }
        state.apart = state.any && !state.behind_marker;
    }

    /// Code keeps its lines, each in a span of its own.
    fn code(&mut self, text: &str) {
        if text.is_empty() || (self.state.in_code && text.bytes().all(|b| b == b'\n')) {
            // It is cut at its start: all of it comes later. So may more behind the line ends.
            return;
        }
        let text = if self.state.in_code {
            text.strip_prefix('\n').unwrap_or(text)
        } else {
            text.trim_start_matches('\n')
        };
        for line in text.trim_end_matches('\n').split('\n') {
            self.state.apart = self.state.any;
            self.separate();
            let line = line.trim_end_matches(['\r', ' ', '\t']);
            if !line.is_empty() {
                write_code_span(self.to.out, line, true);
            }
            self.state.any = true;
        }
        self.state.apart = true;
        self.state.in_text = false;
        self.state.in_code = true;
        self.state.behind_marker = false;
    }
}
