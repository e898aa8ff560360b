//! Tables: recorded until their columns are known, then written as GFM rows (GFM §4.10), or as
//! plain blocks where they only lay out a page.

pub(super) mod cell;
mod cut;
mod grid;
mod layout;
mod row;

use self::grid::{Grid, Recorded};
use self::layout::is_layout;
use self::row::Rows;
use super::block::Block;
use super::output::Output;
use super::tape::{Event, Tape};

/// How one of the tables that are open is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Its content waits on the tape.
    Recording,
    /// Its first rows were written, the columns are fixed; a row waits until it is complete.
    Streaming,
    /// Its cells are blocks like any other.
    Blocks,
    /// It stands in a cell of a table that is recorded: its rows are lines of that cell.
    Flattened,
}

/// What the writer is to do with a block event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableStep {
    /// It is on the tape.
    Recorded,
    /// It stands outside of recorded tables.
    Written,
    Dropped,
    TableBegins,
    /// A table begins in one that is recorded, which therefore is no data.
    NestedTableBegins,
    TableEnds,
    /// A row of a streaming table is complete.
    RowEnds,
}

/// The parts of a table whose content is recorded by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Rows,
    Misplaced,
    Caption,
}

/// The tables that are open. At most one is recorded at a time.
#[derive(Debug)]
pub(super) struct Tables {
    modes: Vec<Mode>,
    tape: Tape,
    /// Content that stands in the table but in none of its cells: it goes before the table.
    misplaced: Tape,
    caption: Tape,
    in_misplaced: bool,
    in_caption: bool,
    /// The part whose beginning was written: the paragraph that is open.
    unfinished: Option<Part>,
    layout: bool,
    rows: usize,
    /// The row that is recorded has a cell.
    in_row: bool,
    limit: usize,
    /// Those on the tape, while they are written.
    written: Rows,
    grid: Grid,
}

/// Tables in each other at most; deeper ones are plain blocks.
const MAX_NESTING: usize = 64;

impl Tables {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            modes: Vec::new(),
            tape: Tape::default(),
            misplaced: Tape::default(),
            caption: Tape::default(),
            in_misplaced: false,
            in_caption: false,
            unfinished: None,
            layout: false,
            rows: 0,
            in_row: false,
            limit,
            written: Rows::default(),
            grid: Grid::default(),
        }
    }

    /// The tape that content goes to now, if it is recorded.
    pub(super) fn tape(&mut self) -> Option<&mut Tape> {
        if !self.is_recording() {
            return None;
        }
        Some(self.tape_of(self.part()))
    }

    fn tape_of(&mut self, part: Part) -> &mut Tape {
        match part {
            Part::Misplaced => &mut self.misplaced,
            Part::Caption => &mut self.caption,
            Part::Rows => &mut self.tape,
        }
    }

    /// The part of the recorded table that content goes to now.
    pub(super) fn part(&self) -> Part {
        if self.in_misplaced && self.modes.last() == Some(&Mode::Recording) {
            Part::Misplaced
        } else if self.in_caption {
            Part::Caption
        } else {
            Part::Rows
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.modes.is_empty()
    }

    pub(super) fn is_recording(&self) -> bool {
        self.modes.last().is_some_and(|m| *m != Mode::Blocks)
    }

    pub(super) fn is_streaming(&self) -> bool {
        self.modes.contains(&Mode::Streaming)
    }

    pub(super) fn is_over_limit(&self) -> bool {
        self.size() > self.limit
    }

    fn size(&self) -> usize {
        self.tape.size() + self.misplaced.size() + self.caption.size()
    }

    /// How much text can be recorded for sure before the limit is passed, if any is recorded.
    pub(super) fn room(&self) -> Option<usize> {
        self.is_recording()
            .then(|| self.limit.saturating_sub(self.size() + size_of::<Event>()))
    }

    pub(super) fn has_complete_row(&self) -> bool {
        self.is_streaming() || (self.rows > 1 && !self.layout && !is_layout(&self.tape))
    }

    pub(super) fn misplaced(&mut self, misplaced: bool) {
        self.in_misplaced = misplaced;
    }

    pub(super) fn place(&mut self, block: Block) -> TableStep {
        let mode = self.modes.last().copied();
        match (block, mode) {
            (Block::Table { .. }, _) if self.modes.len() >= MAX_NESTING => {
                self.modes.push(mode.unwrap_or(Mode::Blocks));
                TableStep::Dropped
            }
            (Block::Table { .. }, Some(Mode::Recording)) => TableStep::NestedTableBegins,
            (Block::Table { .. }, Some(Mode::Streaming | Mode::Flattened)) => {
                self.modes.push(Mode::Flattened);
                self.record(Block::Boundary)
            }
            (Block::Table { layout }, None | Some(Mode::Blocks)) => {
                self.modes.push(Mode::Recording);
                self.layout = layout;
                self.rows = 0;
                self.in_row = false;
                self.in_misplaced = false;
                self.in_caption = false;
                self.grid.reset();
                TableStep::TableBegins
            }
            (Block::EndTable, None) => TableStep::Dropped,
            (Block::EndTable, Some(Mode::Recording | Mode::Streaming)) => TableStep::TableEnds,
            (Block::EndTable, Some(Mode::Blocks)) => {
                self.modes.pop();
                TableStep::Written
            }
            (Block::EndTable, Some(Mode::Flattened)) => {
                self.modes.pop();
                self.record(Block::Boundary)
            }
            (
                Block::Row { .. }
                | Block::Cell(_)
                | Block::EndCell
                | Block::Caption
                | Block::EndCaption,
                Some(Mode::Flattened),
            ) => self.record(Block::Boundary),
            (Block::Caption, Some(Mode::Recording)) => {
                self.in_caption = true;
                TableStep::Recorded
            }
            (Block::EndCaption, Some(Mode::Recording)) => {
                self.in_caption = false;
                TableStep::Recorded
            }
            (Block::Row { .. }, Some(Mode::Recording)) => {
                self.in_row = false;
                self.record(block)
            }
            (Block::Cell(_), Some(Mode::Recording)) => {
                self.rows += usize::from(!std::mem::replace(&mut self.in_row, true));
                self.record(block)
            }
            (Block::Row { .. }, Some(Mode::Streaming)) => {
                self.record(block);
                TableStep::RowEnds
            }
            (_, Some(Mode::Recording | Mode::Streaming | Mode::Flattened)) => self.record(block),
            (_, None | Some(Mode::Blocks)) => TableStep::Written,
        }
    }

    fn record(&mut self, block: Block) -> TableStep {
        if let Some(tape) = self.tape() {
            tape.push_block(block);
        }
        TableStep::Recorded
    }

    /// Whether the recorded table is one of rows and columns.
    pub(super) fn is_data(&self) -> bool {
        self.is_streaming() || (!self.layout && self.rows > 0 && !is_layout(&self.tape))
    }

    /// The parts that stand before the table, in the order in which they are written: one that was
    /// begun can only go on.
    pub(super) fn before_table(&self) -> [Part; 2] {
        match self.unfinished {
            Some(Part::Caption) => [Part::Caption, Part::Misplaced],
            _ => [Part::Misplaced, Part::Caption],
        }
    }

    pub(super) fn unfinished(&self) -> Option<Part> {
        self.unfinished
    }

    /// The content of a part, to be given back when it was written.
    pub(super) fn lend(&mut self, part: Part) -> Tape {
        std::mem::take(self.tape_of(part))
    }

    /// The content was written up to the middle of the part.
    pub(super) fn begun(&mut self, part: Part, mut tape: Tape) {
        tape.drain(tape.events().len(), tape.text().len());
        *self.tape_of(part) = tape;
        self.unfinished = Some(part);
    }

    /// The content was written, and with it all of the part.
    pub(super) fn finished(&mut self, part: Part, mut tape: Tape) {
        tape.clear();
        *self.tape_of(part) = tape;
        self.unfinished = None;
    }

    /// The table is to be blocks: what was recorded of its rows.
    pub(super) fn take_recorded(&mut self) -> Tape {
        if let Some(mode) = self.modes.last_mut() {
            *mode = Mode::Blocks;
        }
        self.in_caption = false;
        self.in_misplaced = false;
        self.tape.take()
    }

    /// The table has ended and was written.
    pub(super) fn pop(&mut self) {
        self.modes.pop();
        self.tape.clear();
        self.in_misplaced = false;
        self.in_caption = false;
    }

    /// Writes the whole table, or the rest of one that is streaming.
    pub(super) fn write_all(&mut self, to: &mut Output<'_>) {
        self.written.read(&self.tape, self.grid.is_in_row());
        if !self.is_streaming() {
            self.written.move_foot();
        }
        let recorded = Recorded {
            rows: &self.written,
            tape: &self.tape,
        };
        self.grid.write(recorded.rows.all(), recorded, to);
        self.grid.reset();
        self.tape.clear();
    }

    /// The rows of a table that is being written, if nothing else is recorded of it.
    pub(super) fn streamed_rows(&mut self) -> Option<&mut Tape> {
        let others = [&self.misplaced, &self.caption];
        let alone = self.is_streaming() && others.iter().all(|tape| tape.events().is_empty());
        alone.then_some(&mut self.tape)
    }

    /// Writes the rows that are complete, and of the last one what exceeds the limit.
    pub(super) fn write_so_far(&mut self, to: &mut Output<'_>) {
        if let Some(mode) = self.modes.iter_mut().rev().find(|m| **m == Mode::Recording) {
            *mode = Mode::Streaming;
        }
        self.written.read(&self.tape, self.grid.is_in_row());
        let Some((ended, (event, text))) = self.written.ended() else {
            return;
        };
        let recorded = Recorded {
            rows: &self.written,
            tape: &self.tape,
        };
        self.grid.write(ended, recorded, to);
        self.tape.drain(event, text);
        if self.tape.size() > self.limit {
            self.write_open_row(to);
        }
    }

    fn write_open_row(&mut self, to: &mut Output<'_>) {
        self.written.read(&self.tape, self.grid.is_in_row());
        let cut = cut::of_last(&self.tape, to.styles);
        self.written.cut(cut);
        let recorded = Recorded {
            rows: &self.written,
            tape: &self.tape,
        };
        if let Some(row) = recorded.rows.all().first() {
            self.grid.write_open(row, recorded, to);
            let events = self.tape.events().len();
            match cut {
                Some(cut) => self.tape.drain(events - 1, cut),
                None => self.tape.drain(events, self.tape.text().len()),
            }
        }
    }
}
