//! Texts that look like blocks: a backslash makes text of them (CommonMark §2.4).

use super::block::{Start, rule_length, start, underline};
use super::verbatim::Verbatim;
use std::borrow::Cow;

/// `text` as it must stand at the start of a line or of a list item, so that it is read as text and not as a block.
///
/// The writer puts a backslash before the first punctuation (CommonMark §2.4), [`unescape`] takes it away.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let (number, rest) = leading_digits(text);
    let escaped = rest.strip_prefix('\\').is_some_and(starts_with_punctuation);
    if escaped || !is_prose(text) {
        return Cow::Owned(format!("{number}\\{rest}"));
    }
    Cow::Borrowed(text)
}

/// The reverse of [`escape`].
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    let (number, rest) = leading_digits(text);
    match rest.strip_prefix('\\') {
        Some(rest) if starts_with_punctuation(rest) => Cow::Owned(format!("{number}{rest}")),
        _ => Cow::Borrowed(text),
    }
}

fn leading_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn starts_with_punctuation(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_punctuation())
}

/// Whether `text` is prose wherever it starts.
fn is_prose(text: &str) -> bool {
    start(0, text, rule_length(text), false) == Start::Text
        && underline(text).is_none()
        && Verbatim::start(text, false).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_is_undone_and_only_used_where_needed() {
        for (text, expected) in [
            ("plain - text", "plain - text"),
            ("**bold** text", "**bold** text"),
            (": a", ": a"),
            ("# a", "\\# a"),
            ("#a", "#a"),
            ("- a", "\\- a"),
            ("1. a", "1\\. a"),
            ("1.5 a", "1.5 a"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("```", "\\```"),
            ("<!-- a", "\\<!-- a"),
            ("\\# a", "\\\\# a"),
            ("\\a", "\\a"),
            ("7\\) a", "7\\\\) a"),
        ] {
            assert_eq!(escape(text), expected);
            assert_eq!(unescape(&escape(text)), text);
        }
    }
}
