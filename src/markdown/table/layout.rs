//! Tables that hold no data.

use crate::markdown::block::Block;
use crate::markdown::tape::{Event, Tape};

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
