//! What can be wrong with a file that is read, and with one that is built.

use super::mcp::{Auth, Transport};
use super::verify::{Finding, FindingKind};
use std::error::Error;
use std::fmt;

/// Why a text is no agents.md. Its `Display` names the line and the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    kind: ParseErrorKind,
    /// None if the input as a whole is refused.
    line: Option<usize>,
    detail: Detail,
}

/// The rule that a text breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The input is longer than [`Reader::max_size`](super::Reader::max_size).
    TooLarge,
    /// The input is not UTF-8.
    NotUtf8,
    /// The transport is none of `streamable-http`, `sse`, `stdio`.
    UnknownTransport,
    /// The way of authentication is none of `none`, `api_key`, `oauth2`.
    UnknownAuth,
    /// A key of the MCP section has no value.
    MissingValue,
    /// A key of the MCP section occurs a second time: which one holds would be a guess.
    DuplicateKey,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Detail {
    None,
    MaxSize(usize),
    Mcp { key: &'static str, value: String },
}

/// More of a value than this is not repeated in a message.
const QUOTED_CHARS: usize = 64;

impl ParseError {
    pub(super) const fn too_large(max_size: usize) -> Self {
        Self {
            kind: ParseErrorKind::TooLarge,
            line: None,
            detail: Detail::MaxSize(max_size),
        }
    }

    pub(super) const fn not_utf8(line: usize) -> Self {
        Self {
            kind: ParseErrorKind::NotUtf8,
            line: Some(line),
            detail: Detail::None,
        }
    }

    pub(super) fn in_mcp(
        kind: ParseErrorKind,
        line: usize,
        key: &'static str,
        value: &str,
    ) -> Self {
        let value = value.chars().take(QUOTED_CHARS).collect();
        Self {
            kind,
            line: Some(line),
            detail: Detail::Mcp { key, value },
        }
    }

    /// The rule that is broken.
    #[must_use]
    pub const fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// The line that breaks it, from 1; `None` if the input as a whole does.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        match (self.kind, &self.detail) {
            (ParseErrorKind::UnknownTransport, Detail::Mcp { value, .. }) => {
                write!(
                    f,
                    "unknown transport {value:?}: expected {}",
                    Transport::NAMES
                )
            }
            (ParseErrorKind::UnknownAuth, Detail::Mcp { value, .. }) => {
                write!(f, "unknown auth {value:?}: expected {}", Auth::NAMES)
            }
            (ParseErrorKind::DuplicateKey, Detail::Mcp { key, .. }) => {
                write!(f, "second {key:?} in the MCP section: a key may occur once")
            }
            (_, Detail::Mcp { key, .. }) => {
                write!(
                    f,
                    "{key:?} in the MCP section has no value: write \"{key}: ...\""
                )
            }
            (_, Detail::MaxSize(max)) => write!(f, "input is longer than {max} bytes"),
            (_, Detail::None) => f.write_str("not UTF-8: the file must be UTF-8 text"),
        }
    }
}

impl Error for ParseError {}

/// Why a document cannot be built. Its `Display` names the text, its line and the rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Reason {
    Text { kind: BuildErrorKind, place: Place },
    Endpoint(Finding),
}

/// The rule that a document breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildErrorKind {
    /// A text is empty or blank.
    Empty,
    /// Blanks or blank lines around a text: a reader takes them off.
    SurroundingBlanks,
    /// Backticks or angle brackets around an endpoint: a reader takes them off.
    SurroundingMarks,
    /// A line break in a text of one line, or another control character than a tab.
    ControlCharacter,
    /// A heading of level 1 or 2 in a description or the body of a section: it would begin the next part.
    Heading,
    /// A code fence or comment that is not ended: it would swallow the rest of the file.
    OpenBlock,
    /// The name of the site or the title of a section is that of a section which the format knows.
    ReservedTitle,
    /// A note of the MCP section reads as one of its keys.
    ReservedKey,
    /// The address of the llms.txt is not on the site.
    LlmsTxt,
    /// Agents must not trust the MCP endpoint.
    Endpoint(FindingKind),
    /// The file would be longer than [`Reader::DEFAULT_MAX_SIZE`](super::Reader::DEFAULT_MAX_SIZE).
    TooLarge,
}

/// The text that an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    part: &'static str,
    /// From 1.
    item: Option<usize>,
    /// From 1.
    line: Option<usize>,
}

impl Place {
    pub(super) const fn new(part: &'static str) -> Self {
        Self {
            part,
            item: None,
            line: None,
        }
    }

    pub(super) const fn item(self, index: usize) -> Self {
        Self {
            item: Some(index + 1),
            ..self
        }
    }

    pub(super) const fn line(self, number: usize) -> Self {
        Self {
            line: Some(number),
            ..self
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.part)?;
        if let Some(item) = self.item {
            write!(f, " {item}")?;
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        Ok(())
    }
}

impl BuildError {
    pub(super) const fn new(kind: BuildErrorKind, place: Place) -> Self {
        Self {
            reason: Reason::Text { kind, place },
        }
    }

    pub(super) const fn endpoint(finding: Finding) -> Self {
        Self {
            reason: Reason::Endpoint(finding),
        }
    }

    /// The rule that is broken.
    #[must_use]
    pub const fn kind(&self) -> BuildErrorKind {
        match &self.reason {
            Reason::Text { kind, .. } => *kind,
            Reason::Endpoint(finding) => BuildErrorKind::Endpoint(finding.kind()),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, place) = match &self.reason {
            Reason::Text { kind, place } => (kind, place),
            Reason::Endpoint(finding) => {
                let opt_out = match finding.kind() {
                    FindingKind::OtherOrigin => "allow_other_origin",
                    FindingKind::PlainHttp => "allow_plain_http",
                    FindingKind::LocalCommand => "allow_stdio",
                    _ => return write!(f, "{finding}"),
                };
                return write!(
                    f,
                    "{finding}, or call {opt_out} if agents that refuse it are no loss"
                );
            }
        };
        let rule = match kind {
            BuildErrorKind::Empty => "is empty: leave it out",
            BuildErrorKind::SurroundingBlanks => "has blanks around it: trim it",
            BuildErrorKind::SurroundingMarks => "is in backticks or angle brackets: take them off",
            BuildErrorKind::ControlCharacter => {
                "has a line break or control character in it: take it out"
            }
            BuildErrorKind::Heading => {
                "is a heading of level 1 or 2, which begins another part: use level 3"
            }
            BuildErrorKind::OpenBlock => "has an open code fence or comment: end it",
            BuildErrorKind::ReservedTitle => {
                "is the heading of a section that the format knows: choose another"
            }
            BuildErrorKind::ReservedKey => "reads as a key of the MCP section: word it differently",
            BuildErrorKind::LlmsTxt => {
                "is not on the site: give a path like /llms.txt or a URL of the same origin"
            }
            BuildErrorKind::Endpoint(_) => "is not to be trusted",
            BuildErrorKind::TooLarge => "is longer than readers take: make it shorter",
        };
        write!(f, "{place} {rule}")
    }
}

impl Error for BuildError {}
