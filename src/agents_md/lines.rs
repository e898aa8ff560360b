//! Block structure, line by line: as much of CommonMark 0.31 as the document needs.
//!
//! A heading in a code fence, in an HTML comment or behind four spaces is none, a text underlined with `=` or `-` is
//! one. Every line is looked at once, nothing recurses, and apart from an open fence or comment no state outlives a
//! blank line, so that a block of lines means the same wherever it is written.

use super::block::{Start, atx_heading, content, indent, rule_length, start, underline};
use super::verbatim::Verbatim;
use std::borrow::Cow;

/// One line without its line ending.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The number of the line, from 1.
    pub(super) number: usize,
    pub(super) raw: &'a str,
    pub(super) kind: Kind<'a>,
}

impl Line<'_> {
    /// The text without the marks that make it an item, a heading or code; `None` if there is nothing to read.
    pub(super) fn text(&self) -> Option<&str> {
        let text = match &self.kind {
            Kind::Text { text, .. } | Kind::Code(text) => text,
            Kind::Heading { text, .. } => text.as_ref(),
            Kind::Blank | Kind::Mark => return None,
        };
        Some(text).filter(|text| !text.is_empty())
    }
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
    /// A line of code or HTML, trimmed.
    Code(&'a str),
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

/// The paragraph that the next line may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paragraph {
    None,
    /// Outside of any list or quote; it starts at this index and becomes a heading if it is underlined.
    Plain(usize),
    /// In a list item or a quote.
    Nested,
}

/// Looks at every line of `text` once.
pub(super) fn scan(text: &str) -> Scan<'_> {
    let mut scanner = Scanner {
        lines: Vec::new(),
        open: None,
        paragraph: Paragraph::None,
    };
    for (index, raw) in split(text).enumerate() {
        scanner.add(index + 1, raw);
    }
    Scan {
        lines: scanner.lines,
        missing_end: scanner.open.and_then(|block| block.missing_end()),
    }
}

struct Scanner<'a> {
    lines: Vec<Line<'a>>,
    open: Option<Verbatim>,
    paragraph: Paragraph,
}

impl<'a> Scanner<'a> {
    fn add(&mut self, number: usize, raw: &'a str) {
        let (column, text) = indent(raw, 0);
        self.open = self
            .open
            .take()
            .filter(|block| block.contains(column, text));
        let kind = if let Some(block) = &self.open {
            let (ends, shown) = block.end(column, text);
            if ends {
                self.open = None;
            }
            if shown {
                Kind::Code(text.trim())
            } else {
                Kind::Mark
            }
        } else if raw.trim().is_empty() {
            self.paragraph = Paragraph::None;
            Kind::Blank
        } else if let (Paragraph::Plain(first), Some(level)) = (self.paragraph, underline(raw)) {
            let number = self.lines[first].number;
            let kind = Kind::Heading {
                level,
                text: joined(&self.lines[first..]),
            };
            self.lines.truncate(first);
            self.lines.push(Line { number, raw, kind });
            self.paragraph = Paragraph::None;
            return;
        } else {
            self.start_block(column, text)
        };
        self.lines.push(Line { number, raw, kind });
    }

    /// The kind of a line that is neither blank nor in a verbatim block nor an underline.
    fn start_block(&mut self, mut column: usize, mut text: &'a str) -> Kind<'a> {
        let rule = rule_length(text);
        let in_plain = matches!(self.paragraph, Paragraph::Plain(_));
        let mut item = false;
        loop {
            match start(column, text, rule, item) {
                Start::Heading(level, text) => {
                    self.paragraph = Paragraph::None;
                    return Kind::Heading {
                        level,
                        text: Cow::Borrowed(text),
                    };
                }
                Start::Break => {
                    self.paragraph = Paragraph::None;
                    return Kind::Mark;
                }
                Start::Item { marker, interrupts } => {
                    // Nor does an item behind four spaces interrupt a paragraph (CommonMark §4.4).
                    if in_plain && !item && (!interrupts || column >= 4) {
                        break;
                    }
                    item = true;
                    (column, text) = content(&text[marker..], column + marker);
                    // Text left of an empty item, or of a heading in an item, continues nothing.
                    let is_open = !text.is_empty() && atx_heading(text).is_none();
                    self.paragraph = if is_open {
                        Paragraph::Nested
                    } else {
                        Paragraph::None
                    };
                }
                Start::Text => break,
            }
        }
        // Behind four spaces nothing else starts (CommonMark §4.4); the text of an item stands behind its marker.
        if column >= 4 && !item {
            return Kind::Text {
                item,
                text: text.trim(),
            };
        }
        let in_paragraph = !item && self.paragraph != Paragraph::None;
        if let Some(block) = Verbatim::start(text, in_paragraph) {
            let shown = block.shows_start();
            self.paragraph = Paragraph::None;
            if !block.is_single_line(text) {
                self.open = Some(if item { block.in_item(column) } else { block });
            }
            return if shown {
                Kind::Code(text.trim())
            } else {
                Kind::Mark
            };
        }
        self.paragraph = match self.paragraph {
            paragraph if item => paragraph,
            _ if text.starts_with('>') => Paragraph::Nested,
            Paragraph::None => Paragraph::Plain(self.lines.len()),
            open => open,
        };
        Kind::Text {
            item,
            text: text.trim(),
        }
    }
}

/// Lines end with LF, CR LF or CR (CommonMark §2.1). What follows the last line ending is a line only if it is not
/// empty.
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

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: cases(), failure_persistence: None, ..Default::default() })]

        #[test]
        fn headings_are_those_that_a_markdown_parser_finds(pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..24)) {
            use pulldown_cmark::{Event, Parser, Tag};
            let text = pieces.concat();
            let mut depth = 0;
            let mut expected = Vec::new();
            for (event, range) in Parser::new(&text).into_offset_iter() {
                match event {
                    Event::Start(Tag::Heading { level, .. }) => {
                        if depth == 0 {
                            let line = 1 + text[..range.start].matches('\n').count();
                            expected.push((line, level as usize));
                        }
                        depth += 1;
                    }
                    Event::Start(_) => depth += 1,
                    Event::End(_) => depth -= 1,
                    _ => {}
                }
            }
            let found: Vec<_> = headings(&text).into_iter().map(|(line, level, _)| (line, level)).collect();
            proptest::prop_assert_eq!(found, expected, "{}", text);
        }
    }

    /// More in a long run: `PROPTEST_CASES=100000`.
    fn cases() -> u32 {
        std::env::var("PROPTEST_CASES")
            .ok()
            .and_then(|cases| cases.parse().ok())
            .unwrap_or(512)
    }

    const PIECES: [&str; 28] = [
        "\n",
        "\n",
        "\n",
        "\n\n",
        "# ",
        "## ",
        "### x",
        "- ",
        "* ",
        "1. ",
        "2) ",
        "> q",
        "```",
        "~~~",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<div>",
        "<x>",
        "<a@b.c>",
        "\n---\n",
        "\n===\n",
        "***",
        "\n\n    # c\n\n",
        "a",
        "b c",
        "\\",
    ];
}
