//! Mathematics: one copy of it, as TeX where the page has that.

use super::tag::{AttributeName, StartTag};
use std::borrow::Cow;

/// A `math` element that is open.
#[derive(Debug, Default)]
pub(super) struct Math {
    /// What the element shows.
    text: String,
    /// The text was too long to wait for its TeX, and goes to the page.
    text_is_written: bool,
    /// The attribute `alttext`, which is TeX more often than not.
    alttext: String,
    /// The TeX source from an annotation.
    tex: String,
    tex_is_too_long: bool,
    annotation: bool,
    /// An annotation is open that is no TeX.
    other_annotation: bool,
}

/// Bytes of each at most.
const MAX_SOURCE: usize = 8 << 10;

impl Math {
    pub(super) fn open(tag: &StartTag<'_>) -> Self {
        let alttext = tag.decoded(AttributeName::AltText).unwrap_or_default();
        Self {
            alttext: alttext.trim().to_owned(),
            ..Self::default()
        }
    }

    pub(super) fn open_annotation(&mut self, tag: &StartTag<'_>) {
        self.annotation = tag.get(AttributeName::Encoding).is_some_and(|e| {
            e.eq_ignore_ascii_case(b"application/x-tex") || e.eq_ignore_ascii_case(b"latex")
        });
        self.other_annotation = !self.annotation;
    }

    pub(super) fn close_annotation(&mut self) {
        self.annotation = false;
        self.other_annotation = false;
    }

    /// The next text of the element. Returns what of it can't be kept and is to be written now.
    pub(super) fn push<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        if self.other_annotation {
            return Cow::Borrowed("");
        }
        if self.annotation {
            self.tex_is_too_long |= self.tex.len() + text.len() > MAX_SOURCE;
            if self.tex_is_too_long {
                self.tex.clear();
            } else {
                self.tex.push_str(text);
            }
            return Cow::Borrowed("");
        }
        if self.text_is_written {
            return Cow::Borrowed(text);
        }
        if !self.alttext.is_empty() {
            // It or an annotation stands for the text.
            return Cow::Borrowed("");
        }
        self.text.push_str(text);
        if self.text.len() <= MAX_SOURCE {
            return Cow::Borrowed("");
        }
        self.text_is_written = true;
        Cow::Owned(std::mem::take(&mut self.text))
    }

    /// What is still to be written, and whether it is TeX.
    pub(super) fn finish(self) -> (String, bool) {
        if self.text_is_written {
            return (String::new(), false);
        }
        let tex = [&self.tex, &self.alttext]
            .into_iter()
            .find(|t| !t.trim().is_empty());
        let source = tex.unwrap_or(&self.text);
        (
            source.split_whitespace().collect::<Vec<_>>().join(" "),
            tex.is_some(),
        )
    }
}
