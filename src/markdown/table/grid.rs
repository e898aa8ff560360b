//! The columns of a table, and how its rows are written.

use super::cell::{CellState, CellWriter, Content};
use super::row::{Row, Rows};
use crate::markdown::block::{Alignment, Cell};
use crate::markdown::output::Output;
use crate::markdown::tape::Tape;

/// Columns at most: the cells beyond share the last one.
const MAX_COLUMNS: usize = 128;

/// Rows, and the tape that they are on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recorded<'a> {
    pub(super) rows: &'a Rows,
    pub(super) tape: &'a Tape,
}

/// The rows behind its own that a cell takes up.
fn span(cell: &Cell) -> u32 {
    match cell.rows {
        0 => u32::MAX,
        rows => u32::from(rows) - 1,
    }
}

/// Writes rows once the columns are fixed, and remembers what spans into rows to come.
#[derive(Debug, Default)]
pub(super) struct Grid {
    /// Number of columns; 0 until the first rows are written.
    columns: usize,
    /// Rows that a cell above still takes up, for each column.
    spans: Vec<u32>,
    /// A row was begun: its next column.
    open: Option<usize>,
    any: bool,
    /// Cells of the row that were written, which may be less than the columns they take up.
    cells_written: usize,
    /// The cell that was written last.
    cell: CellState,
    /// Columns that it takes up and that were not written, because the row may end with it.
    owed: usize,
}

impl Grid {
    /// Another table begins.
    pub(super) fn reset(&mut self) {
        *self = Self {
            spans: std::mem::take(&mut self.spans),
            cell: std::mem::take(&mut self.cell),
            ..Self::default()
        };
    }

    /// Whether the last row that was written goes on.
    pub(super) fn is_in_row(&self) -> bool {
        self.open.is_some()
    }

    /// Writes these rows of a tape.
    pub(super) fn write(&mut self, mut rows: &[Row], tape: Recorded<'_>, to: &mut Output<'_>) {
        if self.columns == 0 {
            self.columns = self.count_columns(rows, tape.rows);
            if self.columns == 0 {
                return;
            }
            self.spans.clear();
            self.spans.resize(self.columns, 0);
            let header = rows.first().filter(|r| tape.rows.is_header(r, tape.tape));
            self.begin_line(to);
            match header {
                Some(row) => {
                    self.cells(row, false, tape, to);
                    self.fill_header(to);
                    self.pad(to);
                    rows = &rows[1..];
                }
                None => {
                    for _ in 0..self.columns {
                        to.push(b"| ");
                    }
                    to.push(b"|");
                }
            }
            self.open = None;
            self.begin_line(to);
            self.delimiter_row(header.or(rows.first()).map(|r| tape.rows.cells(r)), to);
        }
        for row in rows {
            self.row(row, tape, to);
        }
    }

    /// Columns that the rows need: what a last cell spans beyond all others is nobody's.
    fn count_columns(&mut self, rows: &[Row], all: &Rows) -> usize {
        let mut widest = 0;
        let spans = &mut self.spans;
        spans.clear();
        for row in rows {
            if row.first_of_group {
                spans.fill(0);
            }
            let mut column = 0;
            for (cell, _) in all.cells(row) {
                while spans.get(column).is_some_and(|&s| s > 0) {
                    column += 1;
                }
                for _ in 0..usize::from(cell.columns.max(1)) {
                    if column >= MAX_COLUMNS {
                        break;
                    }
                    if spans.len() <= column {
                        spans.resize(column + 1, 0);
                    }
                    spans[column] = span(cell).saturating_add(1);
                    column += 1;
                }
                // Where there are as many cells as columns may be, there is none for some.
                let last = usize::from(cell.columns.max(1)) - 1;
                widest = widest.max(column.saturating_sub(last).max(1));
            }
            for span in &mut *spans {
                *span = span.saturating_sub(1);
            }
        }
        widest
    }

    /// The first row says how columns are aligned.
    fn delimiter_row(&self, first: Option<&[(Cell, Content)]>, to: &mut Output<'_>) {
        let mut alignments = first
            .unwrap_or_default()
            .iter()
            .flat_map(|(c, _)| std::iter::repeat_n(c.alignment, usize::from(c.columns.max(1))));
        for _ in 0..self.columns {
            to.push(match alignments.next().unwrap_or_default() {
                Alignment::None => b"| --- ",
                Alignment::Left => b"| :-- ",
                Alignment::Center => b"| :-: ",
                Alignment::Right => b"| --: ",
            });
        }
        to.out.push(b'|');
    }

    fn begin_line(&mut self, to: &mut Output<'_>) {
        if std::mem::replace(&mut self.any, true) {
            to.next_line();
        }
    }

    fn begin_row(&mut self, row: &Row, to: &mut Output<'_>) {
        if !row.continued {
            if row.first_of_group {
                self.spans.fill(0);
            }
            self.owed = 0;
            self.begin_line(to);
        }
    }

    fn row(&mut self, row: &Row, tape: Recorded<'_>, to: &mut Output<'_>) {
        if tape.rows.cells(row).is_empty() {
            return;
        }
        self.begin_row(row, to);
        self.cells(row, false, tape, to);
        self.pad(to);
        self.open = None;
    }

    /// Writes the cells of the row from the open column on. The last of them may go on.
    fn cells(&mut self, row: &Row, goes_on: bool, tape: Recorded<'_>, to: &mut Output<'_>) {
        let Recorded { rows, tape } = tape;
        let cells = rows.cells(row);
        let mut column = self.open.unwrap_or(0);
        self.cells_written = 0;
        for (index, (cell, content)) in cells.iter().enumerate() {
            let last = index + 1 == cells.len();
            let goes_on = goes_on && last;
            if index == 0 && row.continued {
                self.cell(*content, goes_on, tape, to);
                if !last {
                    for _ in 0..std::mem::take(&mut self.owed) {
                        to.push(b"| ");
                    }
                }
                continue;
            }
            while self.spans.get(column).is_some_and(|&s| s > 0) {
                to.push(b"| ");
                self.spans[column] -= 1;
                column += 1;
            }
            if column >= self.columns && column > 0 {
                // A cell too many: nothing is lost in the last column.
                self.cell.begin(true);
                self.cell(*content, goes_on, tape, to);
                continue;
            }
            to.push(b"| ");
            self.cell.begin(false);
            self.cell(*content, goes_on, tape, to);
            self.owed = 0;
            for n in 0..usize::from(cell.columns.max(1)) {
                if column >= self.columns {
                    break;
                }
                if n > 0 && last {
                    self.owed += 1;
                } else if n > 0 {
                    to.push(b"| ");
                }
                if n == 0 || !last {
                    self.cells_written += 1;
                }
                self.spans[column] = span(cell);
                column += 1;
            }
        }
        self.open = Some(column);
    }

    fn cell(&mut self, content: Content, goes_on: bool, tape: &Tape, to: &mut Output<'_>) {
        CellWriter::new(to, &mut self.cell).write(tape, content);
        if self.cell.any() && !goes_on {
            to.push(b" ");
        }
    }

    /// The header row has as many cells as the delimiter row (GFM §4.10): what its last cell spans
    /// is filled up.
    fn fill_header(&mut self, to: &mut Output<'_>) {
        let written = self.cells_written;
        for _ in written..self.columns {
            to.push(b"| ");
        }
    }

    /// Ends the line; columns behind the last cell need no text (GFM §4.10), but spans go on there.
    fn pad(&mut self, to: &mut Output<'_>) {
        let column = self.open.unwrap_or(0).min(self.spans.len());
        for span in &mut self.spans[column..] {
            *span = span.saturating_sub(1);
        }
        to.out.push(b'|');
    }

    /// Writes what has come of a row that has not ended.
    pub(super) fn write_open(&mut self, row: &Row, tape: Recorded<'_>, to: &mut Output<'_>) {
        self.begin_row(row, to);
        self.cells(row, true, tape, to);
    }
}
