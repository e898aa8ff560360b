//! Where the Markdown of a page begins and ends: main content, navigation, structured data.

use super::{Page, writer};
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use crate::markdown::Block;

/// Where the page stands, if only its main content is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MainContent {
    /// It has not begun: what was written before it waits, and goes when it begins.
    Awaited,
    Open,
    /// All of the page is written: that is wanted, or too much came before any main content.
    All,
}

/// What is held, in bytes, until the main content begins.
const MAX_HELD: usize = 64 << 10;

/// The element that holds what the page is about.
pub(super) fn is_main_content(tag: &StartTag<'_>) -> bool {
    matches!(tag.element, Element::Main | Element::Article)
        || tag
            .get(AttributeName::Role)
            .is_some_and(|r| r.trim_ascii().eq_ignore_ascii_case(b"main"))
}

impl Page {
    /// The page has ended: what follows the body.
    pub(in crate::convert) fn finish(&mut self) {
        if self.main_content == MainContent::Awaited {
            self.main_content = MainContent::All;
        }
        self.writer.finish();
        self.finish_structured_data();
        self.finish_navigation();
        self.writer.finish();
    }

    fn finish_navigation(&mut self) {
        let links = self.navigation.take();
        let Some(heading) = self
            .options
            .navigation_heading()
            .filter(|_| !links.is_empty())
        else {
            return;
        };
        self.writer.block(Block::Heading(2));
        self.writer.text(heading);
        self.writer.block(Block::EndHeading);
        self.writer.block(Block::List(None));
        for link in links {
            self.writer.block(Block::Item { value: None });
            let mark = self.writer.open_link(&link.destination, "", false);
            let names = [&link.text, &link.label, &link.destination];
            let shown = names.into_iter().find(|name| !name.trim().is_empty());
            self.writer.text(shown.map_or("", |name| name.trim()));
            self.writer.close_link(mark, Some(""));
            self.writer.block(Block::EndItem { keep_empty: false });
        }
        self.writer.block(Block::EndList);
    }

    fn finish_structured_data(&mut self) {
        if !self.options.has_structured_data() || self.structured_data.blocks().is_empty() {
            return;
        }
        self.writer.block(Block::Heading(2));
        self.writer.text("Structured data");
        self.writer.block(Block::EndHeading);
        for json in self.structured_data.blocks() {
            let language = self.writer.language("json");
            self.writer.block(Block::Code { language });
            self.writer.preformatted(json);
            self.writer.block(Block::EndCode);
        }
    }

    /// Whether all that came before the main content is still held.
    pub(super) fn drops_what_is_held(&mut self) -> bool {
        self.writer.block(Block::Boundary);
        if self.writer.ready() > MAX_HELD {
            self.main_content = MainContent::All;
        }
        self.main_content == MainContent::Awaited
    }

    /// What was written before the main content goes, but for the front matter.
    pub(super) fn begin_main_content(&mut self) {
        self.main_content = MainContent::Open;
        self.writer = writer(&self.options);
        let front_matter = std::mem::take(&mut self.front_matter);
        self.writer.raw(&front_matter);
        self.definition_lists.clear();
        self.links.clear();
        self.closed_links.clear();
        self.items = 0;
    }

    /// Bytes of Markdown that are ready: none while main content may follow that makes them go.
    pub(in crate::convert) fn ready(&self) -> usize {
        match self.writer.ready() {
            held if self.main_content == MainContent::Awaited && held <= MAX_HELD => 0,
            ready => ready,
        }
    }

    pub(in crate::convert) fn has_content(&self) -> bool {
        let holds = self.main_content == MainContent::Awaited && self.ready() == 0;
        !holds && self.writer.has_content()
    }

    /// Takes what is ready.
    pub(in crate::convert) fn take(&mut self) -> Vec<u8> {
        if self.ready() == 0 {
            return Vec::new();
        }
        if self.main_content == MainContent::Awaited {
            self.main_content = MainContent::All;
        }
        self.writer.take()
    }
}
