//! Block structure, line by line: as much of CommonMark 0.31 as the document needs.
//!
//! A heading in a code fence, in an HTML comment or behind four spaces is none, a text underlined with `=` or `-` is
//! one. Every line is looked at once, nothing recurses, and apart from an open fence or comment no state outlives a
//! blank line, so that a block of lines means the same wherever it is written.

use std::borrow::Cow;

/// One line without its line ending.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The number of the line, from 1.
    pub(super) number: usize,
    pub(super) raw: &'a str,
    pub(super) kind: Kind<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Blank,
    Heading {
        level: usize,
        text: Cow<'a, str>,
    },
    /// What follows the list markers, if `item`, else a line of prose; trimmed.
    Text {
        item: bool,
        text: &'a str,
    },
    /// A line between two code fences or in a `pre` element.
    Code,
    /// A fence, a thematic break, a line that is not shown: nothing to read.
    Mark,
}

/// The lines of a document.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    pub(super) lines: Vec<Line<'a>>,
    /// The line that would end the block that is still open when the document ends.
    pub(super) missing_end: Option<String>,
}

/// A block whose lines are not looked at until it ends.
#[derive(Debug)]
struct Verbatim {
    end: End,
    /// The column of the list item that it stands in, 0 outside of a list: a line that starts left of it ends both.
    column: usize,
    shown: bool,
}

#[derive(Debug)]
enum End {
    /// At least as many of the same character (CommonMark §4.5).
    Fence { mark: char, length: usize },
    /// A line with `-->` in it (CommonMark §4.6, condition 2).
    Comment,
    /// A line with one of [`RAW_ELEMENTS`]' end tags in it (CommonMark §4.6, condition 1).
    Element,
}

/// Elements whose content is no Markdown, and whether it is shown.
const RAW_ELEMENTS: [(&str, bool); 4] = [
    ("pre", true),
    ("script", false),
    ("style", false),
    ("textarea", true),
];

/// The paragraph that the next line may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paragraph {
    None,
    /// Outside of any list or quote; it starts at this index and becomes a heading if it is underlined.
    Plain(usize),
    /// In a list item, a quote or an HTML block.
    Nested,
}

/// What a line would be after a blank line.
#[derive(Debug, PartialEq, Eq)]
enum Start<'a> {
    Heading(usize, &'a str),
    Break,
    Item { ordered_after_first: bool },
    Text,
}

/// Looks at every line of `text` once.
pub(super) fn scan(text: &str) -> Scan<'_> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut open: Option<Verbatim> = None;
    let mut paragraph = Paragraph::None;
    for (index, raw) in split(text).enumerate() {
        let number = index + 1;
        if let Some(block) = open.take() {
            let (column, rest) = indent(raw, 0);
            if rest.is_empty() || column >= block.column {
                let ends = block.ends_at(column, rest);
                let shown = block.shown && !(ends && matches!(block.end, End::Fence { .. }));
                let kind = if shown { Kind::Code } else { Kind::Mark };
                lines.push(Line { number, raw, kind });
                open = (!ends).then_some(block);
                continue;
            }
        }
        let kind = if raw.trim().is_empty() {
            paragraph = Paragraph::None;
            Kind::Blank
        } else if let (Paragraph::Plain(first), Some(level)) = (paragraph, underline(raw)) {
            let number = lines[first].number;
            let text = joined(&lines[first..]);
            lines.truncate(first);
            lines.push(Line {
                number,
                raw,
                kind: Kind::Heading { level, text },
            });
            paragraph = Paragraph::None;
            continue;
        } else {
            classify(raw, lines.len(), &mut paragraph, &mut open)
        };
        lines.push(Line { number, raw, kind });
    }
    Scan {
        lines,
        missing_end: open.map(|block| block.missing_end()),
    }
}

/// The kind of a line that is neither blank nor in a verbatim block nor an underline.
fn classify<'a>(
    raw: &'a str,
    index: usize,
    paragraph: &mut Paragraph,
    open: &mut Option<Verbatim>,
) -> Kind<'a> {
    let (mut column, mut text) = indent(raw, 0);
    let rule = rule_length(text);
    let mut item = false;
    loop {
        match start(column, text, rule, item) {
            Start::Heading(level, text) => {
                *paragraph = Paragraph::None;
                return Kind::Heading {
                    level,
                    text: Cow::Borrowed(text),
                };
            }
            Start::Break => {
                *paragraph = Paragraph::None;
                return Kind::Mark;
            }
            // CommonMark §5.2: only a list that starts with 1 can interrupt a paragraph.
            Start::Item {
                ordered_after_first: true,
            } if !item && matches!(paragraph, Paragraph::Plain(_)) => {
                break;
            }
            Start::Item { .. } => {
                item = true;
                let marker = marker_length(text).unwrap_or_default();
                (column, text) = content(&text[marker..], column + marker);
                *paragraph = Paragraph::Nested;
            }
            Start::Text => break,
        }
    }
    // Behind four spaces nothing is a fence or a tag (CommonMark §4.4); in a list the text is where the item starts.
    if let Some((block, single_line)) = verbatim(if item { 0 } else { column }, text) {
        let kind = match (&block.end, block.shown) {
            (End::Element, true) => Kind::Code,
            _ => Kind::Mark,
        };
        *paragraph = Paragraph::None;
        if !single_line {
            *open = Some(Verbatim {
                column: if item { column } else { 0 },
                ..block
            });
        }
        return kind;
    }
    if !item && column < 4 {
        *paragraph = match *paragraph {
            Paragraph::None if text.starts_with('<') => Paragraph::Nested,
            _ if text.starts_with('>') => Paragraph::Nested,
            Paragraph::None => Paragraph::Plain(index),
            open => open,
        };
    }
    Kind::Text {
        item,
        text: text.trim(),
    }
}

impl Verbatim {
    fn ends_at(&self, column: usize, rest: &str) -> bool {
        match self.end {
            End::Fence { mark, length } => {
                let rest = rest.trim_end_matches([' ', '\t']);
                column < self.column + 4
                    && rest.len() >= length
                    && rest.bytes().all(|b| char::from(b) == mark)
            }
            End::Comment => rest.contains("-->"),
            End::Element => closes_raw_element(rest),
        }
    }

    fn missing_end(&self) -> String {
        let mut line = " ".repeat(self.column);
        match self.end {
            End::Fence { mark, length } => line.extend(std::iter::repeat_n(mark, length)),
            End::Comment => line.push_str("-->"),
            End::Element => line.push_str("</pre>"),
        }
        line
    }
}

/// Lines end with LF, CR LF or CR (CommonMark §2.1). What follows the last line ending is a line only if it is not empty.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (line, ending) = rest.split_at(end);
        rest = ending
            .strip_prefix("\r\n")
            .or_else(|| ending.get(1..))
            .unwrap_or_default();
        Some(line)
    })
}

/// The column where the text starts, a tab going to the next multiple of four, and the text.
fn indent(line: &str, mut column: usize) -> (usize, &str) {
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

/// The content of a list item behind its marker. More than four spaces belong to the content (CommonMark §5.2, rule 2).
fn content(after_marker: &str, marker_end: usize) -> (usize, &str) {
    let (column, text) = indent(after_marker, marker_end);
    if column > marker_end + 4 || text.is_empty() {
        (marker_end + 1, text)
    } else {
        (column, text)
    }
}

/// `rule` is the [`rule_length`] of the line that `text` is the end of.
fn start(column: usize, text: &str, rule: usize, in_item: bool) -> Start<'_> {
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
        Some(length) => Start::Item {
            ordered_after_first: length > 1 && text[..length - 1].parse() != Ok(1),
        },
        None => Start::Text,
    }
}

/// CommonMark §4.2: one to six `#`, then a blank or the end; a closing run of `#` behind a blank is no text.
fn atx_heading(text: &str) -> Option<(usize, &str)> {
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
fn underline(line: &str) -> Option<usize> {
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
fn rule_length(line: &str) -> usize {
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

/// CommonMark §5.2: the length of a list marker: a bullet, or up to nine digits with `.` or `)`, before a blank or the end.
fn marker_length(text: &str) -> Option<usize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marker = match (digits, text.as_bytes().get(digits)?) {
        (0, b'-' | b'*' | b'+') => 1,
        (1..=9, b'.' | b')') => digits + 1,
        _ => return None,
    };
    matches!(text.as_bytes().get(marker), None | Some(b' ' | b'\t')).then_some(marker)
}

/// The verbatim block that starts with `text`, and whether it ends on the same line.
fn verbatim(column: usize, text: &str) -> Option<(Verbatim, bool)> {
    if column >= 4 {
        return None;
    }
    let block = |end, shown| Verbatim {
        end,
        column: 0,
        shown,
    };
    if let Some(mark) = text.chars().next().filter(|c| matches!(c, '`' | '~')) {
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        let fence = length >= 3 && !(mark == '`' && info.contains('`'));
        return fence.then(|| (block(End::Fence { mark, length }, true), false));
    }
    if text.starts_with("<!--") {
        return Some((block(End::Comment, false), text.contains("-->")));
    }
    let tag = text.strip_prefix('<')?;
    let name = &tag[..tag.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let (_, shown) = RAW_ELEMENTS
        .iter()
        .find(|(raw, _)| raw.eq_ignore_ascii_case(name))?;
    let after = tag[name.len()..].chars().next();
    matches!(after, None | Some(' ' | '\t' | '>'))
        .then(|| (block(End::Element, *shown), closes_raw_element(text)))
}

fn closes_raw_element(text: &str) -> bool {
    text.match_indices("</").any(|(at, _)| {
        let tag = &text.as_bytes()[at + 2..];
        RAW_ELEMENTS.iter().any(|(name, _)| {
            let length = name.len();
            tag.get(..length)
                .is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
                && tag.get(length) == Some(&b'>')
        })
    })
}

/// The text of a paragraph on one line.
fn joined<'a>(lines: &[Line<'a>]) -> Cow<'a, str> {
    match lines {
        [line] => Cow::Borrowed(line.raw.trim()),
        lines => {
            let texts: Vec<_> = lines.iter().map(|line| line.raw.trim()).collect();
            Cow::Owned(texts.join(" "))
        }
    }
}

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
        && verbatim(0, text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn headings(text: &str) -> Vec<(usize, usize, String)> {
        let lines = scan(text).lines;
        let heading = |line: Line<'_>| match line.kind {
            Kind::Heading { level, text } => Some((line.number, level, text.into_owned())),
            _ => None,
        };
        lines.into_iter().filter_map(heading).collect()
    }

    #[test]
    fn headings_are_those_of_commonmark() {
        for (text, expected) in [
            ("# A", vec![(1, 1, "A")]),
            ("## A ##", vec![(1, 2, "A")]),
            ("# C#", vec![(1, 1, "C#")]),
            ("# A # #", vec![(1, 1, "A #")]),
            ("   ### A", vec![(1, 3, "A")]),
            ("    # A", vec![]),
            ("\t# A", vec![]),
            ("#A\n####### A", vec![]),
            ("#", vec![(1, 1, "")]),
            ("A\n=", vec![(1, 1, "A")]),
            ("x\n\nA\nB\n---\n", vec![(3, 2, "A B")]),
            ("\n---\nA\n", vec![]),
            ("- A\n---", vec![]),
            ("> A\n---", vec![]),
            ("A\n    ---", vec![]),
            (
                "# A\r\n## B\r### C\n",
                vec![(1, 1, "A"), (2, 2, "B"), (3, 3, "C")],
            ),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(n, l, t)| (n, l, t.to_owned()))
                .collect();
            assert_eq!(headings(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_heading_in_a_verbatim_block_is_none() {
        for text in [
            "```\n# A\n```",
            "~~~~ md\n# A\n~~~\n# A\n~~~~",
            "```\n# A\n    ```\n# A",
            "- ```\n  # A\n  ```",
            "1. - ~~~\n     # A",
            "<!-- \n# A\n-->",
            "<!--\n\n# A",
            "<pre>\n# A\n</PRE>",
            "<script src=x>\n# A\n",
            "- <!--\n  # A",
        ] {
            assert_eq!(headings(text), [], "{text:?}");
        }
    }

    #[test]
    fn a_verbatim_block_ends_where_commonmark_ends_it() {
        for text in [
            "```\n```\n# A",
            "```\n`````\t\n# A",
            "~~~ `\n~~~\n# A",
            "``` a`b\n\n# A",
            "- ```\n# A",
            "* <!--\n# A",
            "<!-- x -->\n# A",
            "<!--\n--> x\n# A",
            "<style>\n</script>\n# A",
            "<pre>x</pre>\n# A",
            "<prefix>\n\n# A",
            "x <!-- y\n# A",
        ] {
            assert_eq!(headings(text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn an_open_block_is_ended_by_its_own_mark() {
        for (text, end) in [
            ("```", Some("```")),
            ("~~~~~x\n~~~", Some("~~~~~")),
            ("-  ```\n   x", Some("   ```")),
            ("<!--", Some("-->")),
            ("<style>", Some("</pre>")),
            ("```\n```", None),
            ("", None),
        ] {
            assert_eq!(scan(text).missing_end.as_deref(), end, "{text:?}");
            let closed = format!("{text}\n{}", end.unwrap_or_default());
            assert_eq!(scan(&closed).missing_end, None, "{closed:?}");
        }
    }

    #[test]
    fn list_markers_are_taken_off() {
        for (line, expected) in [
            ("- a", "a"),
            ("*\ta", "a"),
            ("   + a ", "a"),
            ("12) a", "a"),
            ("- - 1. a", "a"),
            ("-", ""),
            ("- # a", "# a"),
        ] {
            let kind = scan(line).lines.remove(0).kind;
            assert_eq!(
                kind,
                Kind::Text {
                    item: true,
                    text: expected
                },
                "{line:?}"
            );
        }
        for line in ["-a", "1a. b", "1234567890. a", "**a** b", "2010"] {
            let kind = scan(line).lines.remove(0).kind;
            assert_eq!(
                kind,
                Kind::Text {
                    item: false,
                    text: line
                },
                "{line:?}"
            );
        }
        let kind = scan("since\n2010. Books").lines.remove(1).kind;
        assert_eq!(
            kind,
            Kind::Text {
                item: false,
                text: "2010. Books"
            }
        );
    }

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
