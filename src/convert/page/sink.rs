//! The elements of the tree as they open and close: which of them are shown.

use super::Page;
use super::elements::mark_of;
use super::ends::{MainContent, is_main_content};
use super::link;
use crate::convert::charref::decode_attribute;
use crate::convert::code;
use crate::convert::element::Element;
use crate::convert::math::Math;
use crate::convert::tag::{AttributeName, StartTag};
use crate::convert::tokens::References;
use crate::convert::tree::{Kept, Sink};
use crate::markdown::{Block, RowGroup};

/// The value of an `a` that was taken for the number of a line of code.
const LINE_NUMBER: u32 = 1;

/// In what the end of an element needs to know: it is the main content.
const MAIN_CONTENT: u32 = 1 << 31;

impl Sink for Page {
    fn open(&mut self, tag: &StartTag<'_>, foreign: bool) -> Kept {
        self.opened = self.opened.wrapping_add(1);
        self.drop_line_end = false;
        if !foreign && tag.element.is_metadata() && tag.element.is_void() {
            self.metadata(tag);
            return Kept::default();
        }
        if !foreign && tag.element.is_raw_text() {
            self.open_raw_text(tag);
        }
        if self.skipped > 0 {
            if self.in_navigation && !foreign {
                self.open_in_navigation(tag);
            }
            return Kept::default();
        }
        let line_number = self.is_line_number(tag);
        if line_number || self.is_skipped(tag) {
            if tag.element.is_void() {
                return Kept::default();
            }
            self.skipped += 1;
            self.in_navigation = self.options.navigation_heading().is_some() && is_navigation(tag);
            if tag.element.is_block() && !foreign {
                self.writer.block(Block::Boundary);
            }
            return Kept {
                skipped: true,
                value: if line_number { LINE_NUMBER } else { 0 },
                ..Kept::default()
            };
        }
        if foreign {
            return self.open_foreign(tag);
        }
        if self.math.is_some() {
            return Kept::default();
        }
        if self.main_content == MainContent::Awaited
            && !tag.element.is_void()
            && is_main_content(tag)
            && self.drops_what_is_held()
        {
            self.begin_main_content();
            let value = self.open_shown(tag) | MAIN_CONTENT;
            return Kept {
                shown: true,
                value,
                ..Kept::default()
            };
        }
        let value = self.open_shown(tag);
        Kept {
            shown: true,
            value,
            ..Kept::default()
        }
    }

    fn open_implied(&mut self, element: Element) -> Kept {
        if self.skipped > 0 {
            return Kept::default();
        }
        match element {
            Element::Br => self.line_break(),
            Element::P if self.in_pre() => {}
            Element::P => self.writer.block(Block::Paragraph),
            Element::Tbody => self.row_group = (RowGroup::Body, true),
            Element::Tr => self.open_row(),
            _ => {}
        }
        Kept {
            shown: true,
            ..Kept::default()
        }
    }

    fn reopen(&mut self, element: Element, kept: Kept) -> Kept {
        if kept.skipped {
            if kept.value == LINE_NUMBER {
                // What follows a line number is none.
                return Kept::default();
            }
            // Its copy has the attributes that hide it.
            self.skipped += 1;
            return kept;
        }
        if self.skipped > 0 || self.in_pre() {
            return Kept {
                shown: false,
                ..kept
            };
        }
        let mut value = kept.value;
        if let Some(mark) = mark_of(element) {
            self.writer.open_mark(mark);
            value = 1;
        } else if element == Element::A
            && let Some(number) = self.reopen_link(kept.value)
        {
            value = number;
        }
        Kept {
            shown: true,
            value,
            ..kept
        }
    }

    fn close(&mut self, element: Element, kept: Kept, reopens: bool) {
        if element.is_raw_text() {
            self.close_raw_text();
        }
        if element == Element::A && self.in_navigation {
            self.navigation.close();
        }
        if kept.skipped {
            self.skipped = self.skipped.saturating_sub(1);
            if self.skipped > 0 {
                return;
            }
            self.in_navigation = false;
            self.navigation.close();
            if element.is_block() {
                self.writer.block(Block::Boundary);
            }
        } else if kept.shown {
            let ends_main_content =
                self.main_content == MainContent::Open && kept.value & MAIN_CONTENT != 0;
            let value = kept.value & !MAIN_CONTENT;
            match element {
                Element::A => self.close_link(value, reopens),
                _ => self.close_shown(element, value),
            }
            if ends_main_content {
                // Nothing that follows is closed again: the rest of the page is left out.
                self.skipped += 1;
            }
        }
    }

    fn misplaced_in_table(&mut self, misplaced: bool) {
        self.writer.misplaced_in_table(misplaced);
    }

    fn white_space(&mut self, text: &str) {
        self.text(text, References::None);
    }

    fn end_head(&mut self) {
        if self.options.has_front_matter() {
            let text = self.metadata.front_matter(&self.addresses);
            self.writer.raw(&text);
            self.front_matter = text;
        }
    }
}

impl Page {
    fn is_skipped(&self, tag: &StartTag<'_>) -> bool {
        self.options.skipped().matches(tag)
            || (!self.options.is_exact()
                && (tag.element == Element::Datalist
                    || (tag.has_attributes()
                        && (code::is_gutter(tag)
                            || (self.code_language.is_some()
                                && !self.in_pre()
                                && code::is_language_label(tag))
                            || is_hidden_by_style(tag)))))
    }

    fn is_line_number(&self, tag: &StartTag<'_>) -> bool {
        self.in_pre() && !self.options.is_exact() && link::is_line_number(tag)
    }

    fn open_foreign(&mut self, tag: &StartTag<'_>) -> Kept {
        match (&mut self.math, tag.element) {
            (None, Element::Math) => self.math = Some(Math::open(tag)),
            (Some(math), Element::Annotation) => math.open_annotation(tag),
            _ => return Kept::default(),
        }
        Kept {
            shown: true,
            ..Kept::default()
        }
    }
}

/// Whether an element that is left out leads around the site.
fn is_navigation(tag: &StartTag<'_>) -> bool {
    matches!(tag.element, Element::Nav | Element::Footer)
        || tag
            .get(AttributeName::Role)
            .is_some_and(|role| role.eq_ignore_ascii_case(b"navigation"))
}

/// An inline style that shows nothing of the element.
fn is_hidden_by_style(tag: &StartTag<'_>) -> bool {
    let Some(style) = tag.get(AttributeName::Style) else {
        return false;
    };
    let says = |word: &[u8]| {
        style
            .windows(word.len())
            .any(|w| w.eq_ignore_ascii_case(word))
    };
    if !says(b"none") && !says(b"hidden") {
        return false;
    }
    let style = decode_attribute(style).to_ascii_lowercase();
    style
        .split(';')
        .filter_map(|d| d.split_once(':'))
        .any(|(name, value)| {
            let value = value.trim().trim_end_matches("!important").trim_end();
            matches!(
                (name.trim(), value),
                ("display", "none") | ("visibility", "hidden")
            )
        })
}
