//! HTML bytes in, Markdown bytes out: a synchronous, sans-I/O converter.

mod options;

pub use self::options::Options;

use bytes::{Bytes, BytesMut};
use std::fmt;

/// Converts one HTML page to Markdown while its bytes arrive.
#[derive(Debug)]
pub struct Converter {
    options: Options,
    out: BytesMut,
    tag: Option<Vec<u8>>,
    content: bool,
    url: Option<String>,
    charset: Option<String>,
}

impl Converter {
    /// A converter for one page.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            out: BytesMut::new(),
            tag: None,
            content: false,
            url: None,
            charset: None,
        }
    }

    /// The address of the page: the base of relative links and the front matter's `url`.
    /// A string that is no absolute URL is ignored.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.url = Some(url.to_owned());
        self
    }

    /// The `charset` parameter of the Content-Type. An unknown label is ignored.
    #[must_use]
    pub fn charset(mut self, label: &str) -> Self {
        self.charset = Some(label.to_owned());
        self
    }

    /// Converts the next bytes of the page, cut anywhere.
    ///
    /// # Errors
    ///
    /// The input is no HTML, or a limit of the options was reached. The converter is then of no
    /// further use, but what it has put out so far can be taken.
    pub fn write(&mut self, input: &[u8]) -> Result<(), ConvertError> {
        for &b in input {
            match (&mut self.tag, b) {
                (None, b'<') => self.tag = Some(Vec::new()),
                (None, b) => {
                    self.content |= !b.is_ascii_whitespace();
                    self.out.extend_from_slice(&[b]);
                }
                (Some(t), b'>') => {
                    match &t[..] {
                        b"h1" => self.out.extend_from_slice(b"# "),
                        b"/h1" | b"/p" => self.out.extend_from_slice(b"\n\n"),
                        _ => {}
                    }
                    self.tag = None;
                }
                (Some(t), b) => t.push(b),
            }
        }
        Ok(())
    }

    /// Makes available all output that is final although its block has not ended, for instance the
    /// whole words of an open paragraph. Does not change the output as a whole.
    pub fn flush(&mut self) {}

    /// Number of bytes that [`take`](Self::take) would return now.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.out.len()
    }

    /// Whether any text of the page's body was put out so far (the front matter does not count).
    #[must_use]
    pub fn has_content(&self) -> bool {
        self.content
    }

    /// Takes the output that is ready: whole UTF-8 characters, without copying.
    pub fn take(&mut self) -> Bytes {
        self.out.split().freeze()
    }

    /// The end of the page: closes what is open and makes the rest of the output ready.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn finish(&mut self) -> Result<(), ConvertError> {
        let _ = &self.options;
        Ok(())
    }
}

/// Why a page could not be converted.
#[derive(Debug)]
pub struct ConvertError {
    kind: ConvertErrorKind,
}

/// The kinds of [`ConvertError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvertErrorKind {
    /// The bytes are no text in any encoding that HTML knows.
    NotHtml,
    /// A limit of the [`Options`] was reached.
    LimitExceeded,
    /// The HTML parser gave up.
    Parser,
}

impl ConvertError {
    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> ConvertErrorKind {
        self.kind
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            ConvertErrorKind::NotHtml => "the page is not HTML text",
            ConvertErrorKind::LimitExceeded => "the page exceeds a limit of the converter",
            ConvertErrorKind::Parser => "the HTML parser gave up",
        })
    }
}

impl std::error::Error for ConvertError {}
