//! An answer of a MarkWay site, read as an agent reads it.

use super::outline::Outline;
use super::{BaseUrl, Language, Mode};
use std::fmt;
use url::Url;

/// An answer of a MarkWay site, taken apart.
///
/// Reading is lenient: a byte order mark, CRLF, missing empty lines and a declaration in words that
/// this crate does not know are all accepted, because an agent can still go on. What is wrong with
/// an answer is told by [`check`](super::check).
///
/// ```
/// use markdown_for_agents::markway::{Document, Mode};
///
/// let answer = "https://example.com\n\n\
///               > This site follows the MarkWay Protocol: https://example.com/protocol.md\n\n\
///               ## Docs\n\n\
///               | Address | Description |\n|---|---|\n| ./guide.md | The guide |\n";
/// let document = Document::parse(answer)?;
/// assert_eq!(document.base_url().as_str(), "https://example.com");
/// assert_eq!(document.protocol_url().as_str(), "https://example.com/protocol.md");
/// assert_eq!(document.mode(), Some(Mode::Static));
/// assert_eq!(document.title().as_deref(), Some("Docs"));
/// assert_eq!(document.entries()[0].address(), "./guide.md");
/// assert_eq!(document.entries()[0].description(), "The guide");
/// # Ok::<(), markdown_for_agents::markway::DocumentError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Document<'a> {
    base_url: BaseUrl,
    protocol_url: Url,
    language: Option<Language>,
    body: &'a str,
    body_line: usize,
}

impl<'a> Document<'a> {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// The first line is no base URL, or no declaration with the URL of the protocol document
    /// follows it.
    pub fn parse(answer: &'a str) -> Result<Self, DocumentError> {
        let mut lines = NumberedLines::new(answer.strip_prefix('\u{feff}').unwrap_or(answer));
        let fail = |kind, line| DocumentError { kind, line };

        let (line, text) = lines
            .next_filled()
            .ok_or(fail(DocumentErrorKind::Empty, 1))?;
        let base_url = text
            .parse()
            .map_err(|_| fail(DocumentErrorKind::BaseUrl, line))?;

        let (line, text) = lines
            .next_filled()
            .ok_or(fail(DocumentErrorKind::Declaration, line))?;
        let declaration = text
            .strip_prefix('>')
            .map(str::trim)
            .ok_or(fail(DocumentErrorKind::Declaration, line))?;
        let protocol_url = url_in(declaration).ok_or(fail(DocumentErrorKind::ProtocolUrl, line))?;
        let language = Language::ALL
            .into_iter()
            .find(|language| declaration.starts_with(language.declaration().trim_end()));

        let (body_line, body) = lines.rest();
        Ok(Self {
            base_url,
            protocol_url,
            language,
            body,
            body_line,
        })
    }

    /// What absolute addresses stand on.
    #[must_use]
    pub fn base_url(&self) -> &BaseUrl {
        &self.base_url
    }

    /// Where the protocol is explained.
    #[must_use]
    pub fn protocol_url(&self) -> &Url {
        &self.protocol_url
    }

    /// The mode that the address of the protocol document tells, if it tells one.
    #[must_use]
    pub fn mode(&self) -> Option<Mode> {
        let path = self.base_url.path_of(&self.protocol_url)?;
        [Mode::Static, Mode::Dynamic]
            .into_iter()
            .find(|mode| mode.protocol_path() == path)
    }

    /// The language of the declaration, if it is one that this crate knows.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// The page itself.
    #[must_use]
    pub fn body(&self) -> &'a str {
        self.body
    }

    /// The line of the answer in which the page begins, counted from 1.
    #[must_use]
    pub fn body_line(&self) -> usize {
        self.body_line
    }

    /// The text of the page's first heading of level 1.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        Outline::read(self.body, self.body_line)
            .title
            .map(|title| title.text)
    }

    /// The rows of all tables that have a column of addresses, in any of the protocol's languages.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for table in Outline::read(self.body, self.body_line).tables {
            let Some(address) = table.column(Language::address) else {
                continue;
            };
            let (name, description) = (
                table.column(Language::name),
                table.column(Language::description),
            );
            for row in &table.rows {
                let text = |column: Option<usize>| {
                    column
                        .and_then(|at| row.cells.get(at))
                        .map(|cell| cell.text.trim().to_owned())
                };
                let Some(cell) = row.cells.get(address) else {
                    continue;
                };
                entries.push(Entry {
                    address: cell.address().to_owned(),
                    name: text(name),
                    description: text(description).unwrap_or_default(),
                    line: row.line,
                });
            }
        }
        entries
    }

    /// The destinations of all links in the page, in order, those of the tables included.
    #[must_use]
    pub fn links(&self) -> Vec<String> {
        Outline::read(self.body, self.body_line)
            .links
            .into_iter()
            .map(|link| link.destination)
            .collect()
    }
}

/// A row of a table of addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    address: String,
    name: Option<String>,
    description: String,
    line: usize,
}

impl Entry {
    /// The address as it is written. [`Address`](super::Address) reads it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The name, if the table has a column of names.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What is found at the address.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The line of the answer, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

/// The first http(s) URL in `text`.
fn url_in(text: &str) -> Option<Url> {
    let start = ["https://", "http://"]
        .iter()
        .filter_map(|scheme| text.find(scheme))
        .min()?;
    // Some agents' servers write the URL as an autolink.
    let end = text[start..]
        .find(|c: char| c.is_whitespace() || matches!(c, '>' | ')'))
        .map_or(text.len(), |end| start + end);
    Url::parse(&text[start..end]).ok()
}

/// The lines of a text with their numbers, from 1.
#[derive(Debug)]
pub(super) struct NumberedLines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> NumberedLines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            number: 1,
        }
    }

    /// The next line without its line break, if there is one.
    pub(super) fn next(&mut self) -> Option<(usize, &'a str)> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let number = self.number;
        self.rest = rest;
        self.number += 1;
        Some((number, line.strip_suffix('\r').unwrap_or(line)))
    }

    /// The next line without taking it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        Self {
            rest: self.rest,
            number: self.number,
        }
        .next()
        .map(|(_, line)| line)
    }

    /// The number of the next line.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// What is left, as it is, with the number of its first line.
    pub(super) fn left(&self) -> (usize, &'a str) {
        (self.number, self.rest)
    }

    /// The next line with anything in it, without blanks at its edges.
    fn next_filled(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let (number, line) = self.next()?;
            if !line.trim().is_empty() {
                return Some((number, line.trim()));
            }
        }
    }

    /// What is left, without the empty lines before it.
    fn rest(mut self) -> (usize, &'a str) {
        let (mut number, mut rest) = (self.number, self.rest);
        while let Some((_, line)) = self.next() {
            if !line.trim().is_empty() {
                break;
            }
            (number, rest) = (self.number, self.rest);
        }
        (number, rest)
    }
}

/// Why a text is no answer of a MarkWay site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError {
    kind: DocumentErrorKind,
    line: usize,
}

/// The kinds of [`DocumentError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// There is no text.
    Empty,
    /// The first line is no base URL.
    BaseUrl,
    /// No quote follows the base URL.
    Declaration,
    /// The quote names no URL.
    ProtocolUrl,
}

impl DocumentError {
    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> DocumentErrorKind {
        self.kind
    }

    /// The line in which it was found, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DocumentErrorKind::Empty => "the answer is empty",
            DocumentErrorKind::BaseUrl => "no base URL begins the answer",
            DocumentErrorKind::Declaration => "no declaration of the protocol follows the base URL",
            DocumentErrorKind::ProtocolUrl => "the declaration names no protocol document",
        };
        write!(f, "line {}: {what}", self.line)
    }
}

impl std::error::Error for DocumentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lenient_reader_goes_on_where_an_agent_could() {
        for answer in [
            "https://example.com\n\n> 本站遵循MarkWay协议：https://example.com/protocol\n\n# T\n",
            "\u{feff}https://example.com/\r\n\r\n> 本站遵循MarkWay协议：https://example.com/protocol\r\n\r\n\r\n# T\r\n",
            "https://example.com\n>本站遵循MarkWay协议: https://example.com/protocol\n# T",
            "https://example.com\n> Dieses Angebot folgt MarkWay: <https://example.com/protocol>\n# T",
        ] {
            let document = Document::parse(answer).unwrap();
            assert_eq!(
                document.base_url().as_str(),
                "https://example.com",
                "{answer}"
            );
            assert_eq!(
                document.protocol_url().as_str(),
                "https://example.com/protocol",
                "{answer}"
            );
            assert_eq!(document.mode(), Some(Mode::Dynamic), "{answer}");
            assert_eq!(document.title().as_deref(), Some("T"), "{answer}");
        }
    }

    #[test]
    fn the_language_is_known_by_its_words() {
        let parse = |declaration| {
            Document::parse(&format!(
                "https://a.b\n\n> {declaration}https://a.b/protocol\n"
            ))
            .unwrap()
            .language()
        };
        assert_eq!(parse("本站遵循MarkWay协议："), Some(Language::Chinese));
        assert_eq!(
            parse("This site follows the MarkWay Protocol: "),
            Some(Language::English)
        );
        assert_eq!(parse("MarkWay: "), None);
    }

    #[test]
    fn what_is_no_answer_says_where() {
        use DocumentErrorKind as Kind;
        for (answer, kind, line) in [
            ("", Kind::Empty, 1),
            ("\n\n", Kind::Empty, 1),
            ("# T\n", Kind::BaseUrl, 1),
            ("\nexample.com\n", Kind::BaseUrl, 2),
            ("https://example.com\n", Kind::Declaration, 1),
            ("https://example.com\n\n# T\n", Kind::Declaration, 3),
            (
                "https://example.com\n\n> 本站遵循MarkWay协议：/protocol\n",
                Kind::ProtocolUrl,
                3,
            ),
        ] {
            let error = Document::parse(answer).unwrap_err();
            assert_eq!((error.kind(), error.line()), (kind, line), "{answer:?}");
        }
    }

    #[test]
    fn entries_come_from_tables_and_not_from_code() {
        let answer = "https://a.b\n\n> 本站遵循MarkWay协议：https://a.b/protocol.md\n\n# T\n\n\
            ```\n| 地址 | 说明 |\n|---|---|\n| ./no.md | no |\n```\n\n\
            | 名称 | Description | ADDRESS |\n|:--|---|--:|\n| one | 1\\|2 | [x](./a.md) |\n| two | `b` | /b%20c.md |\n\n\
            | x | y |\n|---|---|\n| ./no.md | no |\n";
        let entries: Vec<_> = Document::parse(answer).unwrap().entries();
        let read: Vec<_> = entries
            .iter()
            .map(|e| (e.line(), e.address(), e.name(), e.description()))
            .collect();
        assert_eq!(
            read,
            [
                (15, "./a.md", Some("one"), "1|2"),
                (16, "/b%20c.md", Some("two"), "b")
            ]
        );
    }
}
