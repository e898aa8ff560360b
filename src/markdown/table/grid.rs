//! The rows and columns of a table, and how they are written.

use super::cell::{CellWriter, Content};
use crate::markdown::block::{Alignment, Block, Cell, RowGroup};
use crate::markdown::output::Output;
use crate::markdown::tape::{Event, Tape};

/// Columns at most: the cells beyond share the last one.
const MAX_COLUMNS: usize = 128;

/// A row on the tape.
#[derive(Debug, Default)]
pub(super) struct Row {
    group: RowGroup,
    /// Its group begins with it: no span of an earlier one reaches into it.
    first_of_group: bool,
    /// The row began on an earlier tape, and so did its first cell.
    continued: bool,
    cells: Vec<(Cell, Content)>,
    first_event: usize,
    first_text: usize,
}

impl Row {
    /// All rows on the tape.
    pub(super) fn all(tape: &Tape) -> Vec<Self> {
        let mut rows: Vec<Self> = Vec::new();
        let mut text = 0;
        let mut open = None;
        for (index, event) in tape.events().iter().enumerate() {
            let in_no_cell = matches!(
                event,
                Event::Block(Block::Row { .. } | Block::Cell(_) | Block::EndCell)
            );
            if rows.is_empty() && !in_no_cell {
                rows.push(Self {
                    continued: true,
                    ..Self::default()
                });
                open = Some((CONTINUED, index, text));
            }
            match *event {
                Event::Block(Block::Row { group, first }) => {
                    close(&mut rows, &mut open, index);
                    rows.push(Self {
                        group,
                        first_of_group: first,
                        first_event: index,
                        first_text: text,
                        ..Self::default()
                    });
                }
                Event::Block(Block::Cell(cell)) => {
                    close(&mut rows, &mut open, index);
                    if rows.is_empty() {
                        rows.push(Self::default());
                    }
                    open = Some((cell, index + 1, text));
                }
                Event::Block(Block::EndCell) => close(&mut rows, &mut open, index),
                Event::Text { end, .. } | Event::CodeText { end } => text = end as usize,
                Event::Block(_)
                | Event::Break { .. }
                | Event::Nothing { .. }
                | Event::Image { .. } => {}
            }
        }
        close(&mut rows, &mut open, tape.events().len());
        rows
    }

    /// The place of its first event and of its text.
    pub(super) fn start(&self) -> (usize, usize) {
        (self.first_event, self.first_text)
    }

    /// Whether the row is one of header cells, but for a corner with nothing in it.
    fn is_header(&self, tape: &Tape) -> bool {
        let Some(((corner, content), others)) = self.cells.split_first() else {
            return false;
        };
        self.group == RowGroup::Head
            || (others.iter().all(|(c, _)| c.head)
                && (corner.head || (!others.is_empty() && content.is_blank(tape))))
    }
}

const CONTINUED: Cell = Cell {
    head: false,
    columns: 1,
    rows: 1,
    alignment: Alignment::None,
};

fn close(rows: &mut [Row], open: &mut Option<(Cell, usize, usize)>, index: usize) {
    if let (Some((cell, first_event, first_text)), Some(row)) = (open.take(), rows.last_mut()) {
        row.cells.push((
            cell,
            Content {
                first_event,
                end_event: index,
                first_text,
                cut: None,
            },
        ));
    }
}

/// Whether the recorded table only arranges blocks: it has no header cells, and headings, lists or
/// code of several lines in a single row or a single column, or a single cell.
pub(super) fn is_layout(tape: &Tape) -> bool {
    let (mut cells, mut heads, mut rows, mut blocks) = (0, 0, 0, 0);
    let mut text = 0;
    for event in tape.events() {
        match *event {
            Event::Block(Block::Heading(_) | Block::List(_)) => blocks += 1,
            Event::Block(Block::Cell(cell)) => {
                cells += 1;
                heads += usize::from(cell.head);
            }
            Event::Block(Block::Row { .. }) => rows += 1,
            Event::CodeText { end } => {
                let code = &tape.text()[text..end as usize];
                blocks += usize::from(code.trim_matches('\n').contains('\n'));
                text = end as usize;
            }
            Event::Text { end, .. } => text = end as usize,
            _ => {}
        }
    }
    // Rows without cells are none.
    let column = cells <= rows;
    cells == 0 || (heads == 0 && (rows == 1 || column) && (cells == 1 || blocks > 0))
}

/// The rows behind its own that a cell takes up.
fn span(cell: &Cell) -> u32 {
    match cell.rows {
        0 => u32::MAX,
        rows => u32::from(rows) - 1,
    }
}

/// Puts rows of the foot that come first last, where they are shown.
pub(super) fn move_foot(rows: &mut [Row]) {
    let foot = rows.iter().take_while(|r| r.group == RowGroup::Foot);
    let foot = foot.count();
    rows.rotate_left(foot);
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
}

impl Grid {
    pub(super) fn write(&mut self, rows: &[Row], tape: &Tape, to: &mut Output<'_>) {
        let mut rows = rows;
        if self.columns == 0 {
            self.columns = Self::columns(rows);
            if self.columns == 0 {
                return;
            }
            self.spans = vec![0; self.columns];
            let header = rows.first().filter(|r| r.is_header(tape));
            self.begin_line(to);
            match header {
                Some(row) => {
                    self.cells(row, tape, to);
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
            self.delimiter_row(header, rows, to);
        }
        for row in rows {
            self.row(row, tape, to);
        }
    }

    /// Columns that the rows need: what a last cell spans beyond all others is nobody's.
    fn columns(rows: &[Row]) -> usize {
        let mut widest = 0;
        let mut spans: Vec<u32> = Vec::new();
        for row in rows {
            if row.first_of_group {
                spans.fill(0);
            }
            let mut column = 0;
            for (cell, _) in &row.cells {
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
            for span in &mut spans {
                *span = span.saturating_sub(1);
            }
        }
        widest
    }

    fn delimiter_row(&self, header: Option<&Row>, rows: &[Row], to: &mut Output<'_>) {
        let alignments = header.or(rows.first()).map(|row| {
            row.cells
                .iter()
                .flat_map(|(c, _)| std::iter::repeat_n(c.alignment, usize::from(c.columns.max(1))))
        });
        let mut alignments = alignments.into_iter().flatten();
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

    fn row(&mut self, row: &Row, tape: &Tape, to: &mut Output<'_>) {
        if row.cells.is_empty() {
            return;
        }
        if !row.continued {
            if row.first_of_group {
                self.spans.fill(0);
            }
            self.begin_line(to);
        }
        self.cells(row, tape, to);
        self.pad(to);
        self.open = None;
    }

    /// Writes the cells of the row from the open column on.
    fn cells(&mut self, row: &Row, tape: &Tape, to: &mut Output<'_>) {
        let mut column = self.open.unwrap_or(0);
        self.cells_written = 0;
        for (index, (cell, content)) in row.cells.iter().enumerate() {
            if index == 0 && row.continued {
                CellWriter::continued(to).write(tape, *content);
                continue;
            }
            while self.spans.get(column).is_some_and(|&s| s > 0) {
                to.push(b"| ");
                self.spans[column] -= 1;
                column += 1;
            }
            if column >= self.columns && column > 0 {
                // A cell too many: nothing is lost in the last column.
                to.out.push(b' ');
                CellWriter::continued(to).write(tape, *content);
                continue;
            }
            to.push(b"| ");
            if CellWriter::new(to).write(tape, *content) {
                to.out.push(b' ');
            }
            let last = index + 1 == row.cells.len();
            for n in 0..usize::from(cell.columns.max(1)) {
                if column >= self.columns {
                    break;
                }
                if n > 0 && !last {
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

    /// Writes what has come of a row that has not ended. Returns how many events and bytes of text
    /// of the tape that takes.
    pub(super) fn write_open(
        &mut self,
        row: &mut Row,
        tape: &Tape,
        to: &mut Output<'_>,
    ) -> (usize, usize) {
        if !row.continued {
            self.begin_line(to);
        }
        let cut = tape.last_blank(to.styles);
        if let Some((_, content)) = row.cells.last_mut() {
            content.cut = cut;
        }
        self.cells(row, tape, to);
        if to.out.last() == Some(&b' ') {
            to.out.pop();
        }
        match cut {
            Some(cut) => (tape.events().len() - 1, cut),
            None => (tape.events().len(), tape.text().len()),
        }
    }

    pub(super) fn finish(&mut self, to: &mut Output<'_>) {
        if self.any {
            to.out.push(b'\n');
        }
        *self = Self::default();
    }
}
