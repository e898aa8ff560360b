//! How blocks start: one line, looked at by itself.

/// What a line would be after a blank line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Start<'a> {
    Heading(usize, &'a str),
    Break,
    Item { marker: usize, interrupts: bool },
    Text,
}

/// The column where the text starts, a tab going to the next multiple of four, and the text.
pub(super) fn indent(line: &str, mut column: usize) -> (usize, &str) {
    let text = line.trim_start_matches([' ', '\t']);
    for byte in line[..line.len() - text.len()].bytes() {
        column = if byte == b'\t' {
            column / 4 * 4 + 4
        } else {
            column + 1
        };
    }
    (column, text)
}

/// The content of a list item behind its marker. More than four spaces belong to the content (CommonMark §5.2, rule
/// 2).
pub(super) fn content(after_marker: &str, marker_end: usize) -> (usize, &str) {
    let (column, text) = indent(after_marker, marker_end);
    if column > marker_end + 4 || text.is_empty() {
        (marker_end + 1, text)
    } else {
        (column, text)
    }
}

/// `rule` is the [`rule_length`] of the line that `text` is the end of.
pub(super) fn start(column: usize, text: &str, rule: usize, in_item: bool) -> Start<'_> {
    if column < 4
        && !in_item
        && let Some((level, text)) = atx_heading(text)
    {
        return Start::Heading(level, text);
    }
    if (column < 4 || in_item) && text.len() <= rule && has_three_marks(text) {
        return Start::Break;
    }
    match marker_length(text) {
        Some(marker) => {
            // CommonMark §5.2: an empty item, or a number that is not 1, does not interrupt a paragraph.
            let is_first = marker == 1 || text[..marker - 1].parse() == Ok(1);
            let is_empty = text[marker..].trim_start_matches([' ', '\t']).is_empty();
            Start::Item {
                marker,
                interrupts: is_first && !is_empty,
            }
        }
        None => Start::Text,
    }
}

/// CommonMark §4.2: one to six `#`, then a blank or the end; a closing run of `#` behind a blank is no text.
pub(super) fn atx_heading(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim();
    let open = rest.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some((level, if closed { open.trim_end() } else { rest }))
}

/// CommonMark §4.3: the level of the heading that a line makes of the paragraph above it.
pub(super) fn underline(line: &str) -> Option<usize> {
    let (column, text) = indent(line, 0);
    let text = text.trim_end_matches([' ', '\t']);
    match text.bytes().next() {
        _ if column >= 4 => None,
        Some(b'=') if text.bytes().all(|b| b == b'=') => Some(1),
        Some(b'-') if text.bytes().all(|b| b == b'-') => Some(2),
        _ => None,
    }
}

/// CommonMark §4.1: the length of the end of a line that is made of one of `-`, `*`, `_` and blanks.
///
/// Measured once for a line: measured again behind every list marker, `- - - - x` would take quadratic time.
pub(super) fn rule_length(line: &str) -> usize {
    let mark = line.trim_end_matches([' ', '\t']).chars().next_back();
    match mark {
        Some(mark @ ('-' | '*' | '_')) => {
            line.len() - line.trim_end_matches([mark, ' ', '\t']).len()
        }
        _ => 0,
    }
}

fn has_three_marks(rule: &str) -> bool {
    rule.bytes()
        .filter(|b| !matches!(b, b' ' | b'\t'))
        .take(3)
        .count()
        == 3
}

/// CommonMark §5.2: the length of a list marker: a bullet, or up to nine digits with `.` or `)`, before a blank or
/// the end.
fn marker_length(text: &str) -> Option<usize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marker = match (digits, text.as_bytes().get(digits)?) {
        (0, b'-' | b'*' | b'+') => 1,
        (1..=9, b'.' | b')') => digits + 1,
        _ => return None,
    };
    matches!(text.as_bytes().get(marker), None | Some(b' ' | b'\t')).then_some(marker)
}
