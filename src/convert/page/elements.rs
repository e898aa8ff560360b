//! What each element is in Markdown.

use super::Page;
use super::cell::cell;
use super::definition_list::DefinitionList;
use crate::convert::code;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use crate::markdown::{Block, Mark, RowGroup};

/// The value of a `div` that was taken for a `pre`.
const LISTING: u32 = 1;

/// The value of an element that names the language of the code within.
const NAMES_LANGUAGE: u32 = 2;

impl Page {
    /// Returns what the element's end needs to know.
    pub(super) fn open_shown(&mut self, tag: &StartTag<'_>) -> u32 {
        #[allow(clippy::enum_glob_use, reason = "most of the elements stand here")]
        use Element::*;
        let element = tag.element;
        if let Some(mark) = mark_of(element) {
            return u32::from(self.open_mark(mark, tag));
        }
        match element {
            A => return self.open_link(tag),
            Iframe | Video | Audio | Embed | Object => self.media(tag),
            Source => self.media_source(tag),
            Img => self.image(tag),
            Br => self.line_break(),
            Q => self.writer.text("“"),
            Sup => self.writer.superscript(),
            Ruby => self.ruby_parentheses = false,
            Rp => self.ruby_parentheses = true,
            Rt if !self.ruby_parentheses => self.writer.text("("),
            Input => self.input(tag),
            Pre | Listing | Xmp => self.open_pre(tag),
            Div | Table if code::is_listing(tag) => {
                self.open_pre(tag);
                return LISTING;
            }
            Textarea => self.drop_line_end = true,
            Td if self.in_pre() => self.writer.begin_code_line(),
            _ if self.in_pre() && element.is_block() => self.writer.block(Block::Boundary),
            _ if self.in_pre() => {}
            P => self.writer.block(Block::Paragraph),
            _ if element.is_heading() => self.writer.block(Block::Heading(element.heading_level())),
            Blockquote => self.writer.block(Block::Quote),
            Ul | Menu | Dir => self.writer.block(Block::List(None)),
            Ol => {
                let start = number(tag, AttributeName::Start).unwrap_or(1);
                self.writer.block(Block::List(Some(start)));
            }
            Li => {
                self.items += 1;
                self.writer.block(Block::Item {
                    value: number(tag, AttributeName::Value),
                });
                return self.opened;
            }
            Dl => {
                self.writer.block(Block::Boundary);
                self.definition_lists.push(DefinitionList::default());
            }
            Dt => self.end_descriptions(),
            Dd => self.open_description(),
            Hr => self.writer.block(Block::Rule),
            Table => {
                let layout = tag.get(AttributeName::Role).is_some_and(|r| {
                    r.eq_ignore_ascii_case(b"presentation") || r.eq_ignore_ascii_case(b"none")
                });
                self.row_group = (RowGroup::Body, true);
                self.writer.block(Block::Table { layout });
            }
            Caption => self.writer.block(Block::Caption),
            Thead => self.row_group = (RowGroup::Head, true),
            Tbody => self.row_group = (RowGroup::Body, true),
            Tfoot => self.row_group = (RowGroup::Foot, true),
            Tr => self.open_row(),
            Td | Th => self.writer.block(Block::Cell(cell(tag))),
            Div | Figure => {
                self.writer.block(Block::Boundary);
                return self.name_code_within(tag);
            }
            _ if element.is_block() => self.writer.block(Block::Boundary),
            _ => {}
        }
        0
    }

    pub(super) fn close_shown(&mut self, element: Element, value: u32) {
        #[allow(clippy::enum_glob_use, reason = "most of the elements stand here")]
        use Element::*;
        if let Some(mark) = mark_of(element) {
            if value != 0 {
                self.writer.close_mark(mark);
            }
            return;
        }
        match element {
            Q => self.writer.text("”"),
            Math => self.close_math(),
            Annotation => {
                if let Some(math) = &mut self.math {
                    math.close_annotation();
                }
            }
            Video | Audio => self.close_media(),
            Sup => self.writer.end_superscript(),
            Rt if !self.ruby_parentheses => self.writer.text(")"),
            Pre | Listing | Xmp => self.close_pre(),
            Div | Table if value == LISTING => self.close_pre(),
            _ if self.in_pre() && element.is_block() => self.writer.block(Block::Boundary),
            _ if self.in_pre() => {}
            _ if element.is_heading() => self.writer.block(Block::EndHeading),
            Blockquote => self.writer.block(Block::EndQuote),
            Ul | Menu | Dir | Ol => self.writer.block(Block::EndList),
            Li => {
                self.items = self.items.saturating_sub(1);
                let keep_empty = self.opened == value;
                self.writer.block(Block::EndItem { keep_empty });
            }
            Dl => {
                self.end_descriptions();
                self.definition_lists.pop();
            }
            Dd => self.close_description(),
            Table => self.writer.block(Block::EndTable),
            Div | Figure => {
                self.writer.block(Block::Boundary);
                if value == NAMES_LANGUAGE {
                    self.code_language = None;
                }
            }
            Caption => self.writer.block(Block::EndCaption),
            Thead | Tbody | Tfoot => self.row_group = (RowGroup::Body, true),
            Td | Th => self.writer.block(Block::EndCell),
            _ if element.is_block() => self.writer.block(Block::Boundary),
            _ => {}
        }
    }

    /// In code there is no mark, but its language may stand on the inner of two elements.
    /// Returns whether there is one to close.
    pub(super) fn open_mark(&mut self, mark: Mark, tag: &StartTag<'_>) -> bool {
        if !self.in_pre() {
            self.writer.open_mark(mark);
            return true;
        }
        if mark == Mark::Code
            && !self.pre.begun
            && let Some(language) = code::language(tag)
        {
            self.pre.language = Some(language);
        }
        false
    }

    /// Highlighters name the language on an element around the `pre`. Returns the element's value.
    pub(super) fn name_code_within(&mut self, tag: &StartTag<'_>) -> u32 {
        if self.code_language.is_some() || !tag.has(AttributeName::Class) {
            return 0;
        }
        self.code_language = code::language(tag);
        match self.code_language {
            Some(_) => NAMES_LANGUAGE,
            None => 0,
        }
    }

    pub(super) fn close_math(&mut self) {
        let Some(math) = self.math.take() else { return };
        let (source, is_tex) = math.finish();
        if is_tex && !self.in_pre() {
            self.writer.open_mark(Mark::Code);
            self.writer.text(&source);
            self.writer.close_mark(Mark::Code);
        } else {
            self.body_text(&source);
        }
    }

    pub(super) fn open_row(&mut self) {
        let (group, first) = self.row_group;
        self.row_group.1 = false;
        self.writer.block(Block::Row { group, first });
    }

    pub(super) fn input(&mut self, tag: &StartTag<'_>) {
        let checkbox = tag
            .get(AttributeName::Type)
            .is_some_and(|t| t.eq_ignore_ascii_case(b"checkbox"));
        if checkbox && self.items > 0 && !self.in_pre() {
            self.writer.block(Block::Task {
                done: tag.has(AttributeName::Checked),
            });
        }
    }
}

/// The mark that an element puts around its text.
pub(super) fn mark_of(element: Element) -> Option<Mark> {
    use Element::{B, Cite, Code, Del, Dfn, Em, I, Kbd, S, Samp, Strike, Strong, Tt, Var};
    Some(match element {
        Em | I | Cite | Dfn | Var => Mark::Emphasis,
        Strong | B => Mark::Strong,
        S | Strike | Del => Mark::Strikethrough,
        Code | Kbd | Samp | Tt => Mark::Code,
        _ => return None,
    })
}

/// "The rules for parsing integers" (WHATWG HTML §2.3.4.1), for what Markdown can number.
pub(super) fn number(tag: &StartTag<'_>, name: AttributeName) -> Option<u32> {
    let value = tag.get(name)?.trim_ascii_start();
    let digits = value.strip_prefix(b"+").unwrap_or(value);
    let end = digits
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(digits.len());
    std::str::from_utf8(&digits[..end])
        .ok()?
        .parse()
        .ok()
        .filter(|&n: &u32| n <= 999_999_999)
}
