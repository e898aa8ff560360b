//! Content that was recorded, tables and lists of links, on its way out.

use super::{Leaf, Writer};
use crate::markdown::output::Output;
use crate::markdown::table::{Part, Tables};
use crate::markdown::tape::{Event, Tape};
use std::ops::Range;

impl Writer {
    /// The table waits for more than its share of memory. What stands before it goes first.
    pub(super) fn spill_table(&mut self) {
        let part = self.tables.part();
        if part != Part::Rows {
            return self.begin_part(part);
        }
        if !self.tables.is_streaming() {
            self.write_before_table();
        }
        if !self.tables.is_over_limit() {
            return;
        }
        if self.tables.has_complete_row() {
            self.write_table_so_far();
        } else {
            self.commit_as_blocks();
        }
    }

    pub(super) fn end_table(&mut self) {
        if self.tables.is_data() {
            self.begin_block_for_table();
            let (tables, mut to) = self.output();
            tables.write_all(&mut to);
            self.end_block();
            self.tables_written += 1;
        } else {
            self.commit_as_blocks();
        }
        self.tables.pop();
        self.forget_styles();
    }

    fn begin_block_for_table(&mut self) {
        if !self.tables.is_streaming() {
            self.write_before_table();
            self.containers.begin_block(&mut self.out);
        }
    }

    fn write_table_so_far(&mut self) {
        self.begin_block_for_table();
        let (tables, mut to) = self.output();
        tables.write_so_far(&mut to);
        self.has_content = true;
        self.forget_unused_styles();
    }

    pub(super) fn write_row(&mut self) {
        let (tables, mut to) = self.output();
        tables.write_so_far(&mut to);
        self.forget_unused_styles();
    }

    /// The tables, and where they are written.
    fn output(&mut self) -> (&mut Tables, Output<'_>) {
        let to = Output {
            out: &mut self.out,
            prefix: self.containers.prefix(),
            styles: &mut self.styles,
            inline: &mut self.inline,
        };
        (&mut self.tables, to)
    }

    /// Writes what has come of a part that stands before the table and goes on: its paragraph stays
    /// open, so that no word is torn.
    fn begin_part(&mut self, part: Part) {
        if self.tables.unfinished() != Some(part) {
            let others = self.tables.before_table();
            for other in others.into_iter().filter(|&other| other != part) {
                self.finish_part(other);
            }
        }
        let tape = self.tables.lend(part);
        self.replay(&tape);
        self.tables.begun(part, tape);
    }

    /// Writes all that stands before the table.
    fn write_before_table(&mut self) {
        for part in self.tables.before_table() {
            self.finish_part(part);
        }
    }

    fn finish_part(&mut self, part: Part) {
        let tape = self.tables.lend(part);
        self.replay(&tape);
        self.end_leaf();
        self.tables.finished(part, tape);
    }

    /// The table is no data: what was recorded is written as blocks, and so is the rest.
    pub(super) fn commit_as_blocks(&mut self) {
        self.write_before_table();
        let tape = self.tables.take_recorded();
        self.replay(&tape);
    }

    /// Writes what was recorded of a list: as tables where it is of links, else as what it is.
    pub(super) fn write_link_lists(&mut self) {
        let mut recorded = self.link_lists.take();
        let columns = self.link_lists.columns().unwrap_or_default();
        self.replaying = true;
        let (mut event, mut text) = (0, 0);
        for list in std::mem::take(&mut recorded.tables) {
            if !recorded.has_rows(&list) {
                continue;
            }
            text = self.replay_part(&recorded.tape, event..list.events.start, text);
            event = list.events.end;
            self.end_leaf();
            self.containers.begin_block(&mut self.out);
            text = recorded.write_table(&list, text, &columns, &mut self.output().1);
            self.end_block();
        }
        self.replay_part(&recorded.tape, event..recorded.tape.events().len(), text);
        self.replaying = false;
        if self.leaf == Leaf::None {
            self.forget_styles();
        }
    }

    /// Writes recorded content as if it came now.
    pub(super) fn replay(&mut self, tape: &Tape) {
        self.replaying = true;
        self.replay_part(tape, 0..tape.events().len(), 0);
        self.replaying = false;
    }

    /// Writes these events, whose text begins at `start`. Returns where it ends.
    pub(super) fn replay_part(
        &mut self,
        tape: &Tape,
        events: Range<usize>,
        mut start: usize,
    ) -> usize {
        for &event in &tape.events()[events] {
            match event {
                Event::Text { end, chain } => {
                    self.begin_paragraph();
                    self.tape
                        .push_text(&tape.text()[start..end as usize], chain);
                    start = end as usize;
                    self.keep_leaf_bounds();
                }
                Event::Break { chain } => {
                    if matches!(self.leaf, Leaf::Paragraph { .. } | Leaf::Heading(_)) {
                        self.tape.push_break(chain);
                        self.keep_leaf_bounds();
                    }
                }
                Event::Image { target, chain } => {
                    self.begin_paragraph();
                    self.tape.push_image(target, chain);
                    self.keep_leaf_bounds();
                }
                Event::CodeText { end } => {
                    self.push_code(&tape.text()[start..end as usize]);
                    start = end as usize;
                }
                Event::Nothing { chain } => {
                    self.begin_paragraph();
                    self.tape.push_nothing(chain);
                    self.keep_leaf_bounds();
                }
                Event::Block(block) => self.apply(block),
            }
        }
        start
    }
}
