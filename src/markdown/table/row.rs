//! The rows of a table on its tape.

use super::cell::Content;
use crate::markdown::block::{Alignment, Block, Cell, RowGroup};
use crate::markdown::tape::{Event, Tape};
use std::ops::Range;

/// The rows on a tape. The memory is used again for the rows that follow.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// The cells of all rows.
    cells: Vec<(Cell, Content)>,
}

/// A row among [`Rows`].
#[derive(Debug, Default)]
pub(super) struct Row {
    group: RowGroup,
    /// Its group begins with it: no span of an earlier one reaches into it.
    pub(super) first_of_group: bool,
    /// The row began on an earlier tape, and so did its first cell.
    pub(super) continued: bool,
    cells: Range<usize>,
    first_event: usize,
    first_text: usize,
}

/// A cell whose end was not found yet.
#[derive(Debug, Clone, Copy)]
struct Open {
    cell: Cell,
    first_event: usize,
    first_text: usize,
    /// It stands before the first cell of its row, which it becomes part of.
    before_cell: bool,
}

/// What stands in a row, but in no cell that begins on the tape.
const NO_CELL: Cell = Cell {
    head: false,
    columns: 1,
    rows: 1,
    alignment: Alignment::None,
};

impl Rows {
    /// Finds the rows on the tape, the first of which may have begun on an earlier one. A cell goes
    /// on to the next: what stands outside of cells, in a table that is being written, is not lost.
    pub(super) fn read(&mut self, tape: &Tape, continued: bool) {
        self.rows.clear();
        self.cells.clear();
        let mut text = 0;
        let mut open = None;
        if continued {
            self.rows.push(Row {
                continued: true,
                ..Row::default()
            });
            open = Some(Open {
                cell: NO_CELL,
                first_event: 0,
                first_text: 0,
                before_cell: false,
            });
        }
        let events = tape.events();
        for (index, event) in events.iter().enumerate() {
            match *event {
                Event::Block(Block::Row { group, first }) => {
                    self.end_cell(open.take(), index);
                    self.rows.push(Row {
                        group,
                        first_of_group: first,
                        cells: self.cells.len()..self.cells.len(),
                        first_event: index,
                        first_text: text,
                        ..Row::default()
                    });
                }
                Event::Block(Block::Cell(cell)) => match &mut open {
                    Some(open) if open.before_cell => {
                        open.cell = cell;
                        open.before_cell = false;
                    }
                    _ => {
                        self.end_cell(open.take(), index);
                        open = Some(Open {
                            cell,
                            first_event: index + 1,
                            first_text: text,
                            before_cell: false,
                        });
                    }
                },
                Event::Block(_) | Event::Break { .. } => {}
                Event::Text { .. }
                | Event::CodeText { .. }
                | Event::Nothing { .. }
                | Event::Image { .. } => {
                    open.get_or_insert(Open {
                        cell: NO_CELL,
                        first_event: index,
                        first_text: text,
                        before_cell: true,
                    });
                    if let Event::Text { end, .. } | Event::CodeText { end } = *event {
                        text = end as usize;
                    }
                }
            }
        }
        self.end_cell(open, events.len());
    }

    /// The cell ends before an event.
    fn end_cell(&mut self, open: Option<Open>, index: usize) {
        let Some(open) = open else { return };
        if self.rows.is_empty() {
            self.rows.push(Row::default());
        }
        self.cells.push((
            open.cell,
            Content {
                first_event: open.first_event,
                end_event: index,
                first_text: open.first_text,
                cut: None,
            },
        ));
        if let Some(row) = self.rows.last_mut() {
            row.cells.end = self.cells.len();
        }
    }

    pub(super) fn all(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn cells(&self, row: &Row) -> &[(Cell, Content)] {
        &self.cells[row.cells.clone()]
    }

    /// The rows but for the last, which has not ended, and where on the tape that one begins: its
    /// first event and its text.
    pub(super) fn ended(&self) -> Option<(&[Row], (usize, usize))> {
        let (last, ended) = self.rows.split_last()?;
        Some((ended, (last.first_event, last.first_text)))
    }

    /// The last cell is written up to here.
    pub(super) fn cut(&mut self, cut: Option<usize>) {
        if let Some((_, content)) = self.cells.last_mut() {
            content.cut = cut;
        }
    }

    /// Puts rows of the foot that come first last, where they are shown.
    pub(super) fn move_foot(&mut self) {
        let foot = self.rows.iter().take_while(|r| r.group == RowGroup::Foot);
        let foot = foot.count();
        self.rows.rotate_left(foot);
    }

    /// Whether the row is one of header cells, but for a corner with nothing in it.
    pub(super) fn is_header(&self, row: &Row, tape: &Tape) -> bool {
        let Some(((corner, content), others)) = self.cells(row).split_first() else {
            return false;
        };
        row.group == RowGroup::Head
            || (others.iter().all(|(c, _)| c.head)
                && (corner.head || (!others.is_empty() && content.is_blank(tape))))
    }
}
