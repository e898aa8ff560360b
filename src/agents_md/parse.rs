//! Text to value: `FromStr` for [`AgentsMd`] and the [`Reader`] with its limit.

use super::document::{AgentsMd, Known, Section};
use super::error::{ParseError, ParseErrorKind};
use super::escape::unescape;
use super::lines::{Kind, Line, scan};
use super::mcp::Mcp;
use std::borrow::Cow;
use std::str::FromStr;

/// Reads an agents.md, up to a size.
///
/// The reader is lenient where a person is: all sections are optional and come in any order, letter case of headings
/// does not matter, a section that occurs twice is one, lists may be prose, line endings may be CR LF, a byte order
/// mark is no text. What Markdown does not show as a heading is none: `## Can` in a code fence or in an HTML comment
/// gives no agent a right. It is strict where a guess is a risk: an unknown transport or way of authentication, or a
/// key of the MCP section with no value or with two, is an error.
///
/// Time and memory are linear in the size of the input.
///
/// ```
/// use markdown_for_agents::agents_md::{ParseErrorKind, Reader};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let document = Reader::new().read(b"# Weather\r\n\r\n## CAN\r\n* Get forecasts\r\n")?;
/// assert_eq!(document.name(), Some("Weather"));
/// assert_eq!(document.can(), ["Get forecasts"]);
///
/// let error = Reader::new().read(b"## MCP\nauth: password\n").unwrap_err();
/// assert_eq!((error.kind(), error.line()), (ParseErrorKind::UnknownAuth, Some(2)));
/// assert_eq!(error.to_string(), "line 2: unknown auth \"password\": expected none, api_key or oauth2");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Reader {
    max_size: usize,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// The limit of a new reader: 256 KiB. An agents.md has a few hundred bytes.
    pub const DEFAULT_MAX_SIZE: usize = 256 * 1024;

    /// A reader with the default limit.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_size: Self::DEFAULT_MAX_SIZE,
        }
    }

    /// The most that is read, in bytes. A longer input is an error, not cut.
    ///
    /// ### Default
    ///
    /// [`DEFAULT_MAX_SIZE`](Self::DEFAULT_MAX_SIZE)
    #[must_use]
    pub const fn max_size(mut self, bytes: usize) -> Self {
        self.max_size = bytes;
        self
    }

    /// Reads a document.
    ///
    /// # Errors
    ///
    /// The input is too long or not UTF-8, or breaks a rule of the MCP section; see [`ParseErrorKind`].
    pub fn read(&self, input: &[u8]) -> Result<AgentsMd, ParseError> {
        if input.len() > self.max_size {
            return Err(ParseError::too_large(self.max_size));
        }
        let text = std::str::from_utf8(input).map_err(|error| {
            let valid = &input[..error.valid_up_to()];
            ParseError::not_utf8(1 + memchr::memchr_iter(b'\n', valid).count())
        })?;
        // CommonMark §2.3: U+0000 is read as the replacement character.
        let text = match text.contains('\0') {
            true => Cow::Owned(text.replace('\0', "\u{fffd}")),
            false => Cow::Borrowed(text),
        };
        read(&scan(text.trim_start_matches('\u{feff}')).lines)
    }
}

/// Reads with the limits of [`Reader::new`].
impl FromStr for AgentsMd {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Reader::new().read(text.as_bytes())
    }
}

/// What a heading begins.
enum Part {
    Description,
    Known(Known),
    Other(String),
}

fn read(lines: &[Line<'_>]) -> Result<AgentsMd, ParseError> {
    let mut document = AgentsMd::default();
    let mut part = Part::Description;
    let mut rest = lines;
    loop {
        let end = rest.iter().position(begins_part).unwrap_or(rest.len());
        let (lines, following) = rest.split_at(end);
        document.add(part, lines)?;
        let Some((heading, below)) = following.split_first() else {
            return Ok(document);
        };
        part = document.part(heading);
        rest = below;
    }
}

fn begins_part(line: &Line<'_>) -> bool {
    matches!(line.kind, Kind::Heading { level: 1 | 2, .. })
}

impl AgentsMd {
    /// The part that a heading begins. The first of level 1 is the name of the site, unless it is that of a section.
    fn part(&mut self, heading: &Line<'_>) -> Part {
        let Kind::Heading { level, text } = &heading.kind else {
            return Part::Description;
        };
        if let Some(known) = Known::of(text) {
            return Part::Known(known);
        }
        if *level == 1 && self.name.is_none() {
            self.name = Some(text.to_string()).filter(|name| !name.is_empty());
            return Part::Description;
        }
        Part::Other(text.to_string())
    }

    fn add(&mut self, part: Part, lines: &[Line<'_>]) -> Result<(), ParseError> {
        match part {
            Part::Description => {
                let body = body(lines);
                self.description = match self.description.take() {
                    Some(before) if !body.is_empty() => Some(before + "\n\n" + &body),
                    None if !body.is_empty() => Some(body),
                    before => before,
                };
            }
            Part::Known(Known::Can) => add_items(&mut self.can, lines),
            Part::Known(Known::Cannot) => add_items(&mut self.cannot, lines),
            Part::Known(Known::Behavior) => add_items(&mut self.behavior, lines),
            Part::Known(Known::Contact) => self.contact.extend(lines.iter().filter_map(text)),
            Part::Known(Known::Mcp) => {
                let mcp = self.mcp.get_or_insert_default();
                for line in lines {
                    mcp.add(line)?;
                }
            }
            Part::Other(title) => {
                self.sections.push(Section {
                    title,
                    body: body(lines),
                });
            }
        }
        Ok(())
    }
}

/// The lines as they are, without blank ones around them. A block that only the end of the part ends gets its own
/// end, so that it ends wherever the body is written.
fn body(lines: &[Line<'_>]) -> String {
    let filled = |line: &Line<'_>| !line.raw.trim().is_empty();
    let Some(first) = lines.iter().position(filled) else {
        return String::new();
    };
    let last = lines.iter().rposition(filled).unwrap_or(first);
    let raw: Vec<_> = lines[first..=last].iter().map(|line| line.raw).collect();
    let mut body = raw.join("\n");
    if let Some(end) = scan(&body).missing_end {
        body.push('\n');
        body.push_str(&end);
    }
    body
}

/// The items of a list; a paragraph of prose is an item too. A line that continues an item or paragraph is joined to
/// it.
fn add_items(items: &mut Vec<String>, lines: &[Line<'_>]) {
    let mut continues = false;
    for line in lines {
        match (&line.kind, items.last_mut()) {
            (Kind::Text { item: false, text }, Some(last)) if continues => {
                last.push(' ');
                last.push_str(text);
            }
            _ => items.extend(text(line)),
        }
        continues = matches!(line.kind, Kind::Text { text, .. } if !text.is_empty());
    }
}

/// What a line says.
fn text(line: &Line<'_>) -> Option<String> {
    let text = line.text()?;
    Some(match line.kind {
        Kind::Text { .. } => unescape(text).into_owned(),
        _ => text.to_owned(),
    })
}

impl Mcp {
    /// A key with its value, else a note.
    fn add(&mut self, line: &Line<'_>) -> Result<(), ParseError> {
        let Some(raw) = line.text() else {
            return Ok(());
        };
        let Some((key, value)) = key_value(raw) else {
            self.notes.extend(text(line));
            return Ok(());
        };
        let error = |kind| ParseError::in_mcp(kind, line.number, key.name(), value);
        if value.is_empty() {
            return Err(error(ParseErrorKind::MissingValue));
        }
        let is_known = match key {
            Key::Endpoint => self.endpoint.is_some(),
            Key::Transport => self.transport.is_some(),
            Key::Auth => self.auth.is_some(),
        };
        if is_known {
            return Err(error(ParseErrorKind::DuplicateKey));
        }
        // "api_key (see our page for partners)": what stands in parentheses is a note.
        let (name, note) = match value.split_once(char::is_whitespace) {
            Some((name, note)) if note.trim_start().starts_with('(') => (name, Some(note.trim())),
            _ => (value, None),
        };
        let name = bare(name);
        match key {
            Key::Endpoint => {
                self.endpoint = Some(value.to_owned());
                return Ok(());
            }
            Key::Transport => {
                let unknown = |_| error(ParseErrorKind::UnknownTransport);
                self.transport = Some(name.parse().map_err(unknown)?);
            }
            Key::Auth => {
                let unknown = |_| error(ParseErrorKind::UnknownAuth);
                self.auth = Some(name.parse().map_err(unknown)?);
            }
        }
        self.notes.extend(note.map(str::to_owned));
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Endpoint,
    Transport,
    Auth,
}

impl Key {
    const fn name(self) -> &'static str {
        match self {
            Self::Endpoint => "endpoint",
            Self::Transport => "transport",
            Self::Auth => "auth",
        }
    }
}

/// `key: value`; the key may be emphasized, the value a code span or an autolink.
fn key_value(line: &str) -> Option<(Key, &str)> {
    let (written, value) = line.split_once(':')?;
    let marks = ['*', '_', '`'];
    let name = written.trim_matches(marks).trim();
    let key = [Key::Endpoint, Key::Transport, Key::Auth]
        .into_iter()
        .find(|key| key.name().eq_ignore_ascii_case(name))?;
    // In "**auth:** none" the emphasis ends behind the colon.
    let value = if written.starts_with(marks) {
        value.trim_start_matches(marks)
    } else {
        value
    };
    Some((key, bare(value)))
}

pub(super) fn is_key_value(line: &str) -> bool {
    key_value(line).is_some()
}

/// A value without the marks of a code span or an autolink.
pub(super) fn bare(value: &str) -> &str {
    let mut value = value.trim();
    while let Some(inner) = value
        .strip_prefix('`')
        .and_then(|value| value.strip_suffix('`'))
        .or_else(|| value.strip_prefix('<')?.strip_suffix('>'))
    {
        value = inner.trim();
    }
    value
}
