//! Where a cell that is too long to wait for its end can be cut.

use crate::markdown::style::{Mark, Styles};
use crate::markdown::tape::{Event, Tape, end_of_text};

/// Where in the text of the last event to cut it. Something of it is left, so that what stands behind
/// the cut is known: all of it, if it is no text. `None` if it must be written: it is a block, or a line of
/// code that has no end.
pub(super) fn of_last(tape: &Tape, styles: &Styles) -> Option<usize> {
    let (last, before) = tape.events().split_last()?;
    let start = end_of_text(before);
    let text = &tape.text()[start..];
    let cut = match *last {
        Event::Text { chain, .. } => {
            let is_whole = |mark: &Mark| matches!(mark, Mark::Link(_) | Mark::Code);
            let blank = || text.rfind(' ').filter(|&blank| blank > 0);
            if !before.is_empty() && styles.marks(chain).iter().any(is_whole) {
                0
            } else {
                blank().unwrap_or_else(|| text.floor_char_boundary(text.len().saturating_sub(1)))
            }
        }
        Event::CodeText { .. } => {
            let end = text.rfind('\n').unwrap_or(0);
            let lines = text[..end].trim_end_matches('\n');
            if lines.is_empty() && before.is_empty() {
                return None;
            }
            lines.len()
        }
        // Its marks may go on behind it.
        Event::Image { .. } | Event::Break { .. } | Event::Nothing { .. } if !before.is_empty() => {
            text.len()
        }
        _ => return None,
    };
    Some(start + cut)
}
