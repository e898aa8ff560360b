//! Mathematics: one copy of it, as TeX where the page has that.

use super::tag::{AttributeName, StartTag};

/// A `math` element that is open.
#[derive(Debug, Default)]
pub(super) struct Math {
    /// What the element shows, its white space collapsed.
    text: String,
    /// The TeX source, from `alttext` or an annotation.
    tex: String,
    annotation: bool,
    /// An annotation is open that is no TeX.
    other_annotation: bool,
}

/// Bytes of each at most.
const MAX_SOURCE: usize = 8 << 10;

impl Math {
    pub(super) fn open(tag: &StartTag<'_>) -> Self {
        let tex = tag.decoded(AttributeName::AltText).unwrap_or_default();
        Self {
            tex: tex.trim().to_owned(),
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

    pub(super) fn push(&mut self, text: &str) {
        if self.other_annotation {
            return;
        }
        let to = if self.annotation {
            &mut self.tex
        } else {
            &mut self.text
        };
        if to.len() + text.len() <= MAX_SOURCE {
            to.push_str(text);
        }
    }

    /// What is to be written, and whether it is TeX.
    pub(super) fn finish(self) -> (String, bool) {
        let is_tex = !self.tex.trim().is_empty();
        let source = if is_tex { self.tex } else { self.text };
        (
            source.split_whitespace().collect::<Vec<_>>().join(" "),
            is_tex,
        )
    }
}
