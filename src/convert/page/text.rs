//! Text on its way to the writer: references decoded, line ends and raw text dealt with.

use super::Page;
use crate::convert::code;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use crate::convert::tokens::References;
use crate::markdown::Block;

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextTarget {
    Body,
    Title,
    StructuredData,
    /// Text that is no text of the page: scripts, styles and the like.
    Nowhere,
}

/// A `pre` that is open.
#[derive(Debug, Default)]
pub(super) struct Preformatted {
    pub(super) depth: u32,
    pub(super) language: Option<String>,
    pub(super) begun: bool,
    pub(super) after_cr: bool,
}

impl Page {
    /// The next piece of a text node.
    pub(in crate::convert) fn text(&mut self, text: &str, references: References) {
        match self.target {
            TextTarget::Nowhere => return,
            TextTarget::StructuredData => {
                self.structured_data
                    .push(text, self.options.structured_data_limit());
                return;
            }
            TextTarget::Body if self.skipped > 0 && !self.navigation.is_open() => return,
            TextTarget::Body | TextTarget::Title => {}
        }
        let plain = match references {
            References::Never => true,
            References::None => !self.references.is_holding(),
            References::Some => false,
        };
        if plain {
            self.decoded(text);
            return;
        }
        // Its memory is used again for the next text.
        let mut decoded = std::mem::take(&mut self.decoded_text);
        decoded.clear();
        self.references.decode(text, &mut decoded);
        self.decoded(&decoded);
        self.decoded_text = decoded;
    }

    /// The text node has ended.
    #[inline(always)] // Asked at each tag, and hardly ever true.
    pub(in crate::convert) fn end_text(&mut self) {
        if self.references.is_holding() {
            self.end_reference();
        }
    }

    /// What was held of a reference is all of it.
    #[cold]
    fn end_reference(&mut self) {
        if let Some(rest) = self.references.finish() {
            self.decoded(&rest);
        }
    }

    #[inline(always)] // Called for each text, nearly always from one place.
    pub(super) fn decoded(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.target == TextTarget::Title {
            self.metadata.push_title(text);
            return;
        }
        if self.skipped > 0 {
            self.navigation.push(text);
            return;
        }
        if let Some(math) = &mut self.math {
            let text = math.push(text);
            self.body_text(&text);
            return;
        }
        let text = if std::mem::take(&mut self.drop_line_end) {
            self.without_line_end(text)
        } else {
            text
        };
        self.body_text(text);
    }

    /// Text of the body, in a code block or not.
    #[inline]
    pub(super) fn body_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.in_pre() {
            self.preformatted(text);
        } else {
            self.writer.text(text);
        }
    }

    fn without_line_end<'a>(&mut self, text: &'a str) -> &'a str {
        if let Some(rest) = text
            .strip_prefix("\r\n")
            .or_else(|| text.strip_prefix('\n'))
        {
            return rest;
        }
        if let Some(rest) = text.strip_prefix('\r') {
            self.pre.after_cr = true;
            return rest;
        }
        text
    }

    /// Text of a code block, its line ends normalised (WHATWG HTML §13.2.3.5).
    pub(super) fn preformatted(&mut self, text: &str) {
        self.begin_code();
        if self.pre.after_cr || memchr::memchr(b'\r', text.as_bytes()).is_some() {
            let text = match text.strip_prefix('\n') {
                Some(rest) if self.pre.after_cr => rest,
                _ => text,
            };
            self.pre.after_cr = text.ends_with('\r');
            self.writer
                .preformatted(&text.replace("\r\n", "\n").replace('\r', "\n"));
            return;
        }
        self.writer.preformatted(text);
    }

    fn begin_code(&mut self) {
        if !std::mem::replace(&mut self.pre.begun, true) {
            let language = self
                .writer
                .language(self.pre.language.as_deref().unwrap_or_default());
            self.writer.block(Block::Code { language });
        }
    }

    /// Opens a raw-text element: where does its text go?
    pub(super) fn open_raw_text(&mut self, tag: &StartTag<'_>) {
        self.end_text();
        self.target = match tag.element {
            Element::Title if !self.metadata.has_title() => TextTarget::Title,
            Element::Script if is_structured_data(tag) => TextTarget::StructuredData,
            Element::Textarea | Element::Xmp | Element::Plaintext => TextTarget::Body,
            _ => TextTarget::Nowhere,
        };
        if tag.element == Element::Title {
            self.metadata.push_title("");
        }
    }

    pub(super) fn close_raw_text(&mut self) {
        self.end_text();
        if self.target == TextTarget::StructuredData {
            self.structured_data.end();
        }
        self.target = TextTarget::Body;
    }

    pub(super) fn open_pre(&mut self, tag: &StartTag<'_>) {
        self.drop_line_end = matches!(tag.element, Element::Pre | Element::Listing);
        self.writer.block(Block::Boundary);
        self.pre.depth += 1;
        if self.pre.depth == 1 {
            self.pre.begun = false;
            self.pre.after_cr = false;
            self.pre.language = code::language(tag).or_else(|| self.code_language.clone());
        }
    }

    pub(super) fn close_pre(&mut self) {
        self.drop_line_end = false;
        self.pre.depth = self.pre.depth.saturating_sub(1);
        if self.in_pre() {
            self.writer.block(Block::Boundary);
            return;
        }
        if self.options.is_exact() {
            self.begin_code();
        }
        if self.pre.begun {
            self.writer.block(Block::EndCode);
        }
    }

    pub(super) fn line_break(&mut self) {
        if self.in_pre() {
            self.preformatted("\n");
        } else {
            self.writer.line_break();
        }
    }
}

fn is_structured_data(tag: &StartTag<'_>) -> bool {
    tag.get(AttributeName::Type).is_some_and(|t| {
        let essence = t.split(|&b| b == b';').next().unwrap_or_default();
        essence
            .trim_ascii()
            .eq_ignore_ascii_case(b"application/ld+json")
    })
}
