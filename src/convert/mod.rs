//! HTML bytes in, Markdown bytes out: a synchronous, sans-I/O converter.

mod address;
mod charref;
mod charset;
mod code;
mod declaration;
mod element;
mod engine;
mod math;
mod metadata;
mod names;
mod navigation;
mod options;
mod page;
mod rewrite;
mod search;
mod selector;
mod tag;
mod tag_end;
mod tokens;
mod tree;

pub use self::options::Options;
pub use self::selector::SelectorError;

use self::charset::{Charset, NotText};
use self::engine::{Engine, ParserError};
use self::page::Page;
use bytes::Bytes;
use std::fmt;

/// Changes whenever the same page and the same options give other Markdown than before.
const OUTPUT_VERSION: u32 = 1;

/// Converts one HTML page to Markdown while its bytes arrive.
///
/// The output depends on the bytes, not on how they are cut. What was taken is never revised, and
/// whole characters are taken. Memory is bounded by the limits of the [`Options`], whatever the
/// page; time is linear in its length.
///
/// ```
/// use markdown_for_agents::convert::{Converter, Options};
///
/// let mut converter = Converter::new(Options::new().front_matter(false));
/// converter.write(b"<h1>Stream</h1><p>One <b>tw")?;
/// assert_eq!(converter.take(), "# Stream\n");
/// converter.write(b"o</b>")?;
/// converter.finish()?;
/// assert_eq!(converter.take(), "\nOne **two**\n");
/// # Ok::<_, markdown_for_agents::convert::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct Converter {
    charset: Charset,
    engine: Engine,
}

impl Converter {
    /// A converter for one page.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let token_limit = options.token_limit();
        Self {
            charset: Charset::new(),
            engine: Engine::new(Page::new(options), token_limit),
        }
    }

    /// The address of the page: the base of relative links and the front matter's `url`.
    /// A string that is no absolute URL is ignored.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        if let Some(page) = self.engine.page() {
            page.set_url(url);
        }
        self
    }

    /// The `charset` parameter of the Content-Type. A byte order mark overrules it, and a label
    /// that the Encoding standard does not know is ignored. Without one the encoding is that of a `<meta>`
    /// in the first 1,024 bytes, else UTF-8 (WHATWG HTML §13.2.3.2). To be set before the first
    /// [`write`](Self::write).
    #[must_use]
    pub fn charset(mut self, label: &str) -> Self {
        self.charset.set_label(label);
        self
    }

    /// Converts the next bytes of the page, cut anywhere.
    ///
    /// # Errors
    ///
    /// The bytes are those of another kind of file, or the parser gave up. The converter is then
    /// of no further use, but what it has put out so far can be taken.
    pub fn write(&mut self, input: &[u8]) -> Result<(), ConvertError> {
        let Self { charset, engine } = self;
        let mut result = Ok(());
        charset.decode(input, &mut |text| {
            if result.is_ok() {
                result = engine.write(text);
            }
        })?;
        Ok(result?)
    }

    /// Makes available all output that is final although its block has not ended, for instance the
    /// whole words of an open paragraph. Does not change the output as a whole.
    pub fn flush(&mut self) {
        if let Some(page) = self.engine.page() {
            page.writer().flush();
        }
    }

    /// Number of bytes that [`take`](Self::take) would return now.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.engine.page_ref().map_or(0, |page| page.ready())
    }

    /// Whether anything but front matter was put out so far. Structured data and the list of navigation
    /// links count; they come with [`finish`](Self::finish).
    #[must_use]
    pub fn has_content(&self) -> bool {
        self.engine
            .page_ref()
            .is_some_and(|page| page.has_content())
    }

    /// Takes the output that is ready: whole UTF-8 characters, without copying.
    pub fn take(&mut self) -> Bytes {
        match self.engine.page() {
            Some(page) => Bytes::from(page.take()),
            None => Bytes::new(),
        }
    }

    /// The end of the page: closes what is open and makes the rest of the output ready. To be called once;
    /// nothing may be written after it.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn finish(&mut self) -> Result<(), ConvertError> {
        let Self { charset, engine } = self;
        let mut result = Ok(());
        charset.finish(&mut |text| {
            if result.is_ok() {
                result = engine.write(text);
            }
        })?;
        result?;
        Ok(engine.finish()?)
    }
}

impl From<NotText> for ConvertError {
    fn from(NotText: NotText) -> Self {
        Self {
            kind: ConvertErrorKind::NotHtml,
        }
    }
}

impl From<ParserError> for ConvertError {
    fn from(_: ParserError) -> Self {
        Self {
            kind: ConvertErrorKind::Parser,
        }
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
    /// The bytes are those of another kind of file: an image, an archive, a program.
    NotHtml,
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
            ConvertErrorKind::Parser => "the HTML parser gave up",
        })
    }
}

impl std::error::Error for ConvertError {}
