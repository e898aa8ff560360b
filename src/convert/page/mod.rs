//! What the elements of a page mean in Markdown.

mod anchors;
mod cell;
mod ends;
mod link;
mod media;
mod text;

use self::anchors::Anchors;
use self::cell::cell;
use self::media::Media;
use super::address::Addresses;
use super::charref::{CharacterReferences, decode_attribute};
use super::code;
use super::element::Element;
use super::math::Math;
use super::metadata::{Metadata, StructuredData};
use super::navigation::Navigation;
use super::options::Options;
use super::tag::{AttributeName, StartTag, is_space};
use super::tokens::References;
use super::tree::{Kept, Sink};
use crate::markdown::{Block, Mark, RowGroup, Settings, Writer};

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    Body,
    Title,
    StructuredData,
    /// Text that is no text of the page: scripts, styles and the like.
    Nowhere,
}

/// A `dl` that is open.
#[derive(Debug, Clone, Copy, Default)]
struct DefinitionList {
    /// The descriptions of a term are being listed.
    in_list: bool,
}

/// A `pre` that is open.
#[derive(Debug, Default)]
struct Preformatted {
    depth: u32,
    language: Option<String>,
    begun: bool,
    after_cr: bool,
}

/// The value of a `div` that was taken for a `pre`.
const LISTING: u32 = 1;

/// The value of an element that names the language of the code within.
const NAMES_LANGUAGE: u32 = 2;

/// The value of an `a` that was taken for the number of a line of code.
const LINE_NUMBER: u32 = 1;

/// Turns elements and text into blocks and inline content.
#[derive(Debug)]
pub(super) struct Page {
    writer: Writer,
    main_content: MainContent,
    /// As it was written, for when what follows it goes.
    front_matter: String,
    options: Options,
    addresses: Addresses,
    metadata: Metadata,
    structured_data: StructuredData,
    references: CharacterReferences,
    /// Memory for decoded text.
    decoded_text: String,
    target: TextTarget,
    /// Elements that are left out and open.
    skipped: u32,
    navigation: Navigation,
    /// What is left out is navigation whose links are kept.
    in_navigation: bool,
    /// A line end right behind the start tag does not count.
    drop_line_end: bool,
    pre: Preformatted,
    /// The language that an element around code names.
    code_language: Option<String>,
    definition_lists: Vec<DefinitionList>,
    items: u32,
    /// The group that table rows stand in, and whether it has none yet.
    row_group: (RowGroup, bool),
    /// Counts the elements opened, to tell an empty one.
    opened: u32,
    anchors: Anchors,
    math: Option<Math>,
    media: Media,
    /// A `rp` brings the parentheses around ruby text itself.
    ruby_parentheses: bool,
}

impl Page {
    pub(super) fn new(options: Options) -> Self {
        let main_content = if options.wants_main_content_only() {
            MainContent::Awaited
        } else {
            MainContent::All
        };
        // As a list it takes about as much again.
        let navigation = Navigation::new(options.table_limit() / 2);
        Self {
            writer: writer(&options),
            main_content,
            front_matter: String::new(),
            addresses: Addresses::new(&options),
            options,
            metadata: Metadata::default(),
            structured_data: StructuredData::default(),
            references: CharacterReferences::default(),
            decoded_text: String::new(),
            target: TextTarget::Body,
            skipped: 0,
            navigation,
            in_navigation: false,
            drop_line_end: false,
            pre: Preformatted::default(),
            code_language: None,
            definition_lists: Vec::new(),
            items: 0,
            row_group: (RowGroup::Body, true),
            opened: 0,
            anchors: Anchors::default(),
            math: None,
            media: Media::None,
            ruby_parentheses: false,
        }
    }

    pub(super) fn set_url(&mut self, url: &str) {
        self.addresses.set_page(url);
    }

    pub(super) fn writer(&mut self) -> &mut Writer {
        &mut self.writer
    }

    fn in_pre(&self) -> bool {
        self.pre.depth > 0
    }

    /// In code there is no mark, but its language may stand on the inner of two elements.
    /// Returns whether there is one to close.
    fn open_mark(&mut self, mark: Mark, tag: &StartTag<'_>) -> bool {
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

    /// Returns what the element's end needs to know.
    fn open_shown(&mut self, tag: &StartTag<'_>) -> u32 {
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

    /// Highlighters name the language on an element around the `pre`. Returns the element's value.
    fn name_code_within(&mut self, tag: &StartTag<'_>) -> u32 {
        if self.code_language.is_some() || !tag.has(AttributeName::Class) {
            return 0;
        }
        self.code_language = code::language(tag);
        match self.code_language {
            Some(_) => NAMES_LANGUAGE,
            None => 0,
        }
    }

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

    fn close_math(&mut self) {
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

    fn open_row(&mut self) {
        let (group, first) = self.row_group;
        self.row_group.1 = false;
        self.writer.block(Block::Row { group, first });
    }

    fn input(&mut self, tag: &StartTag<'_>) {
        let checkbox = tag
            .get(AttributeName::Type)
            .is_some_and(|t| t.eq_ignore_ascii_case(b"checkbox"));
        if checkbox && self.items > 0 && !self.in_pre() {
            self.writer.block(Block::Task {
                done: tag.has(AttributeName::Checked),
            });
        }
    }

    fn open_description(&mut self) {
        match self.definition_lists.last_mut() {
            Some(list) => {
                if !std::mem::replace(&mut list.in_list, true) {
                    self.writer.block(Block::Boundary);
                    self.writer.block(Block::List(None));
                }
                self.writer.block(Block::Item { value: None });
            }
            None => self.writer.block(Block::Boundary),
        }
    }

    fn close_description(&mut self) {
        match self.definition_lists.last() {
            Some(list) if list.in_list => self.writer.block(Block::EndItem { keep_empty: false }),
            _ => self.writer.block(Block::Boundary),
        }
    }

    fn end_descriptions(&mut self) {
        self.writer.block(Block::Boundary);
        if let Some(list) = self.definition_lists.last_mut()
            && std::mem::take(&mut list.in_list)
        {
            self.writer.block(Block::EndList);
        }
    }

    fn close_shown(&mut self, element: Element, value: u32) {
        #[allow(clippy::enum_glob_use, reason = "most of the elements stand here")]
        use Element::*;
        if let Some(mark) = mark_of(element) {
            if value != 0 {
                self.writer.close_mark(mark);
            }
            return;
        }
        match element {
            A => self.close_link(value),
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

    /// What stands in the head besides the title.
    fn metadata(&mut self, tag: &StartTag<'_>) {
        match tag.element {
            Element::Meta => {
                let name = tag
                    .decoded(AttributeName::Name)
                    .or_else(|| tag.decoded(AttributeName::Property));
                if let (Some(name), Some(content)) = (name, tag.decoded(AttributeName::Content)) {
                    self.metadata.meta(&name, &content);
                }
            }
            Element::Link => {
                let canonical = tag.get(AttributeName::Rel).is_some_and(|r| {
                    r.split(|&b| is_space(b))
                        .any(|r| r.eq_ignore_ascii_case(b"canonical"))
                });
                if canonical && let Some(href) = tag.decoded(AttributeName::Href) {
                    self.metadata.canonical(&href);
                }
            }
            Element::Base => {
                if let Some(href) = tag.decoded(AttributeName::Href) {
                    self.addresses.set_base(&href);
                }
            }
            _ => {}
        }
    }
}

/// Where the page stands, if only its main content is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MainContent {
    /// It has not begun: what was written before it waits, and goes when it begins.
    Awaited,
    Open,
    /// All of the page is written: that is wanted, or too much came before any main content.
    All,
}

/// What is held, in bytes, until the main content begins.
const MAX_HELD: usize = 64 << 10;

/// The element that holds what the page is about.
fn is_main_content(tag: &StartTag<'_>) -> bool {
    matches!(tag.element, Element::Main | Element::Article)
        || tag
            .get(AttributeName::Role)
            .is_some_and(|r| r.trim_ascii().eq_ignore_ascii_case(b"main"))
}

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
            && let Some(anchor) = self.anchors.take(kept.value)
        {
            value = self.reopen_link(&anchor);
        }
        Kept {
            shown: true,
            value,
            ..kept
        }
    }

    fn close(&mut self, element: Element, kept: Kept) {
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
            self.close_shown(element, kept.value & !MAIN_CONTENT);
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

/// Whether an element that is left out leads around the site.
fn is_navigation(tag: &StartTag<'_>) -> bool {
    matches!(tag.element, Element::Nav | Element::Footer)
        || tag
            .get(AttributeName::Role)
            .is_some_and(|role| role.eq_ignore_ascii_case(b"navigation"))
}

fn writer(options: &Options) -> Writer {
    let settings = Settings {
        exact: options.is_exact(),
        code: options.code_limit(),
        table: options.table_limit(),
    };
    Writer::new(settings).link_lists_as_tables(options.link_list_columns(), options.table_limit())
}

/// In what the end of an element needs to know: it is the main content.
const MAIN_CONTENT: u32 = 1 << 31;

/// The mark that an element puts around its text.
fn mark_of(element: Element) -> Option<Mark> {
    use Element::{B, Cite, Code, Del, Dfn, Em, I, Kbd, S, Samp, Strike, Strong, Tt, Var};
    Some(match element {
        Em | I | Cite | Dfn | Var => Mark::Emphasis,
        Strong | B => Mark::Strong,
        S | Strike | Del => Mark::Strikethrough,
        Code | Kbd | Samp | Tt => Mark::Code,
        _ => return None,
    })
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

fn is_structured_data(tag: &StartTag<'_>) -> bool {
    tag.get(AttributeName::Type).is_some_and(|t| {
        let essence = t.split(|&b| b == b';').next().unwrap_or_default();
        essence
            .trim_ascii()
            .eq_ignore_ascii_case(b"application/ld+json")
    })
}

/// "The rules for parsing integers" (WHATWG HTML §2.3.4.1), for what Markdown can number.
fn number(tag: &StartTag<'_>, name: AttributeName) -> Option<u32> {
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
