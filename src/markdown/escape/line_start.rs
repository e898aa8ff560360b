//! What the start of a line, or the end of a heading, would be taken for.

use super::Place;

/// What the line that the text begins, if it begins one, can be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::markdown) enum Line {
    /// The text does not begin a line.
    Inside,
    /// The first line of a block.
    First,
    /// The first line of a list item: what looks like a task box could be one.
    FirstOfItem,
    /// A line after a line break: it could underline the one before.
    Continued,
    /// The text of a heading: no block can begin, but a closing sequence could end it.
    Heading,
}

/// Bytes at the start of a line that are taken for the start of a block, where nothing in them tells.
pub(in crate::markdown) const UNDECIDED: usize = 4 << 10;

/// A run of `#` at the end of a heading would be dropped (CommonMark §4.2).
pub(super) fn closing_sequence(bytes: &[u8]) -> Option<usize> {
    let start = bytes.len() - bytes.iter().rev().take_while(|&&b| b == b'#').count();
    let alone = start == 0 || bytes[start - 1] == b' ';
    (start < bytes.len() && alone).then_some(start)
}

/// The index of a character without which the line would begin a block of its own.
pub(super) fn start_of_block(bytes: &[u8], place: &Place) -> Option<usize> {
    let first = *bytes.first()?;
    let ends_at = |n: usize| match bytes.get(n) {
        Some(b) => *b == b' ',
        None => place.after.is_whitespace(),
    };
    // Only these characters, to the end of the line.
    let only = |set: &[u8]| {
        let undecided = bytes.len() > UNDECIDED;
        (undecided || place.after == '\n') && bytes.iter().take(UNDECIDED).all(|b| set.contains(b))
    };
    // A line that goes on may be written up to any blank: its first word decides.
    let word = bytes.split(|&b| b == b' ').next().unwrap_or_default();
    let under = |set: &[u8]| {
        place.line == Line::Continued
            && (place.after.is_whitespace() || word.len() < bytes.len())
            && word.iter().all(|b| set.contains(b))
    };
    let begins = match first {
        b'#' => {
            let level = bytes.iter().take_while(|&&b| b == b'#').count();
            level <= 6 && ends_at(level)
        }
        b'>' => true,
        b'+' => ends_at(1),
        b'-' => ends_at(1) || only(b"- ") || under(b"-:|"),
        b'*' => ends_at(1) || only(b"* ") || under(b"*"),
        b'_' => (only(b"_ ") && bytes.iter().filter(|&&b| b == b'_').count() >= 3) || under(b"_"),
        b'=' => under(b"="),
        b':' | b'|' => under(b"-:|"),
        b'~' => bytes.starts_with(b"~~~"),
        // A definition can't interrupt a paragraph.
        b'[' if place.line == Line::Continued => false,
        b'[' => {
            is_definition(bytes, place.after)
                || (place.line == Line::FirstOfItem && is_task(bytes, place.after))
        }
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
            let marker = matches!(bytes.get(digits), Some(b'.' | b')'));
            return (digits <= 9 && marker && ends_at(digits + 1)).then_some(digits);
        }
        _ => false,
    };
    begins.then_some(0)
}

/// Whether a code span would end the label of a definition that the link around it seems to begin:
/// a label knows backslashes and brackets, and no code.
pub(in crate::markdown) fn ends_label(code: &str) -> bool {
    let bytes = code.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b']') => return bytes.get(at + 1) == Some(&b':'),
            Some(b'[') | None => return false,
            Some(_) => at += 1,
        }
    }
}

/// `[label]:` would define a link (CommonMark §4.7). Where the text ends before the label does, it
/// still may.
fn is_definition(bytes: &[u8], after: char) -> bool {
    match label_end(bytes) {
        // By then the beginning may have been written.
        Some(end) if end > UNDECIDED => true,
        None if bytes.len() > UNDECIDED => true,
        Some(end) if bytes[end] == b'[' => false,
        Some(end) => match bytes.get(end + 1) {
            Some(next) => *next == b':',
            None => !after.is_whitespace(),
        },
        None => !matches!(after, '\n' | '['),
    }
}

/// The bracket that decides whether text that begins with one begins with a label: the one that ends
/// it, or one that can't stand in it.
fn label_end(bytes: &[u8]) -> Option<usize> {
    let mut from = 1;
    loop {
        let end = from + memchr::memchr2(b'[', b']', &bytes[from..])?;
        // Before a parenthesis it is escaped.
        if bytes[end] == b'[' || bytes.get(end + 1) != Some(&b'(') {
            return Some(end);
        }
        from = end + 1;
    }
}

/// Whether text that ends before a blank begins with a bracket of which no more is known.
pub(in crate::markdown) fn is_open_label(text: &str) -> bool {
    text.starts_with('[') && label_end(text.as_bytes()).is_none()
}

fn is_task(bytes: &[u8], after: char) -> bool {
    let ended = match bytes.get(3) {
        Some(b) => *b == b' ',
        None => after.is_whitespace(),
    };
    ended && matches!(&bytes[..3.min(bytes.len())], b"[ ]" | b"[x]" | b"[X]")
}
