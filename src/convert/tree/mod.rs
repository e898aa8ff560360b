//! The stack of open elements: which element a character of the page belongs to.
//!
//! This is the tree builder of the WHATWG HTML standard (§13.2.6) without the tree: implied and
//! missing end tags, scopes, the list of active formatting elements, the adoption agency, table
//! contexts, foreign content. What a tree alone can do (moving nodes that were already seen) is
//! reduced to telling the [`Sink`] that content is misplaced in a table.
//!
//! Limits: elements deeper than 512 are one with their parent, 48 formatting elements are active
//! at most, a `frameset` is ignored, and what an end tag moves is where it was written.

mod doctype;
mod end;
mod formatting;
mod stack;
mod start;
mod table;

#[cfg(test)]
mod tests;

use self::formatting::ActiveFormatting;
use self::stack::{Node, OpenElements};
use super::element::Element;
use super::tag::{StartTag, is_space};
use crate::fnv::fnv1a;

/// What the owner of the page keeps with an open element, given back when it closes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// The element and all in it are left out.
    pub(super) skipped: bool,
    /// The owner did something for it that its end undoes.
    pub(super) shown: bool,
    /// A number of the owner's.
    pub(super) value: u32,
}

/// Receives the elements as they open and close. Inline elements may close in another order than
/// they opened, just as the adoption agency takes them out of the middle of the stack.
pub(super) trait Sink {
    /// An element opens. Void elements come here too and never close.
    fn open(&mut self, tag: &StartTag<'_>, foreign: bool) -> Kept;
    /// An element that the standard implies opens.
    fn open_implied(&mut self, element: Element) -> Kept;
    /// A formatting element opens once more.
    fn reopen(&mut self, element: Element, kept: Kept) -> Kept;
    /// It may open once more, if it `reopens`.
    fn close(&mut self, element: Element, kept: Kept, reopens: bool);
    /// What follows, until the same with `false`, stands in a table but outside of its cells.
    fn misplaced_in_table(&mut self, misplaced: bool);
    /// White space that was held turned out to be text like what follows it.
    fn white_space(&mut self, text: &str);
    /// The head of the document has ended.
    fn end_head(&mut self);
}

/// The insertion modes before and after the body's start, as far as they differ here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// A document type declaration may still come.
    Initial,
    Head,
    AfterHead,
    Body,
}

#[derive(Debug)]
pub(super) struct Tree {
    elements: OpenElements,
    formatting: ActiveFormatting,
    /// Elements open that stand in a table but in none of its cells.
    misplaced: u32,
    /// So does the text that comes now.
    misplaced_text: bool,
    /// White space that stands in a table, until what follows it tells whether it is misplaced
    /// (the pending table character tokens, §13.2.6.4.10).
    white_space: String,
    stage: Stage,
    quirks: bool,
    /// A form was opened whose end tag has not come (the form element pointer, §13.2.4.4).
    form: bool,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            elements: OpenElements::new(),
            formatting: ActiveFormatting::new(),
            misplaced: 0,
            misplaced_text: false,
            white_space: String::new(),
            stage: Stage::Initial,
            quirks: true,
            form: false,
        }
    }

    /// A document type declaration: it decides on quirks mode, in which a table does not close a
    /// paragraph. Only the first thing of a page is one.
    pub(super) fn doctype(&mut self, text: &[u8]) {
        if self.stage == Stage::Initial {
            self.stage = Stage::Head;
            self.quirks = doctype::is_quirky(text);
        }
    }

    /// The innermost element whose content is text to the tokenizer, if one is open.
    pub(super) fn raw_text_element(&self) -> Option<Element> {
        self.elements.raw_text()
    }

    /// Whether the tokenizer is in foreign content (§13.2.6).
    pub(super) fn in_foreign_content(&self) -> bool {
        self.elements
            .top()
            .is_some_and(|n| !n.is_html() && !n.lets_in_html())
    }

    /// The foreign elements that are open and that the parser tells apart, from the outside in.
    pub(super) fn foreign_names(&self) -> impl Iterator<Item = &'static str> {
        let foreign = self.elements.nodes().iter().filter(|n| !n.is_html());
        foreign.filter_map(|n| match n.element {
            Element::Other if n.lets_in_html() => Some("annotation-xml encoding=text/html"),
            Element::Svg | Element::Math => Some(n.element.name()),
            _ if n.lets_in_html() => Some(n.element.name()),
            _ => None,
        })
    }

    /// Text is about to come: makes the right elements open for it. Returns whether it is shown:
    /// white space in a table is not, until other text follows.
    #[inline]
    pub(super) fn text(&mut self, text: &str, sink: &mut impl Sink) -> bool {
        let in_table = self.elements.in_table_mode();
        let usual = self.stage == Stage::Body && !in_table && !self.formatting.is_pending();
        usual || self.unusual_text(text, in_table, sink)
    }

    #[inline(never)]
    fn unusual_text(&mut self, text: &str, in_table: bool, sink: &mut impl Sink) -> bool {
        if self.raw_text_element().is_some() || self.in_foreign_content() {
            return true;
        }
        let blank = text.bytes().all(is_space);
        if self.stage != Stage::Body && !blank && !self.elements.has(Element::Template) {
            self.leave_head(sink);
        }
        if in_table && !self.misplaced_text {
            if blank {
                let free = MAX_WHITE_SPACE - self.white_space.len();
                self.white_space.push_str(&text[..text.len().min(free)]);
                return false;
            }
            self.misplaced_text = true;
            if self.misplaced == 0 {
                sink.misplaced_in_table(true);
            }
        }
        self.reconstruct_formatting(sink);
        if !self.white_space.is_empty() {
            sink.white_space(&self.white_space);
            self.white_space.clear();
        }
        true
    }

    /// A run of text in a table has ended, if there was one.
    fn end_text_in_table(&mut self, sink: &mut impl Sink) {
        self.white_space.clear();
        if std::mem::take(&mut self.misplaced_text) && self.misplaced == 0 {
            sink.misplaced_in_table(false);
        }
    }

    /// An element opens that belongs before its table.
    fn start_misplaced(&mut self, sink: &mut impl Sink) {
        self.misplaced += 1;
        if self.misplaced == 1 && !self.misplaced_text {
            sink.misplaced_in_table(true);
        }
    }

    fn end_misplaced(&mut self, sink: &mut impl Sink) {
        self.misplaced -= 1;
        if self.misplaced == 0 && !self.misplaced_text {
            sink.misplaced_in_table(false);
        }
    }

    /// The body begins.
    fn leave_head(&mut self, sink: &mut impl Sink) {
        self.end_head(sink);
        self.stage = Stage::Body;
    }

    fn end_head(&mut self, sink: &mut impl Sink) {
        if self.stage < Stage::AfterHead {
            self.stage = Stage::AfterHead;
            while self.elements.top().is_some_and(|n| n.element.is_metadata()) {
                self.pop(sink);
            }
            sink.end_head();
        }
    }

    /// All that is still open closes.
    pub(super) fn finish(&mut self, sink: &mut impl Sink) {
        self.end_text_in_table(sink);
        self.leave_head(sink);
        self.pop_to(0, sink);
    }

    /// Puts an element on the stack, unless that is full.
    fn push(&mut self, node: Node, sink: &mut impl Sink) -> bool {
        // Text that is no markup can't nest: one such element more than the cap does no harm.
        if self.elements.is_full() && !node.element.is_raw_text() {
            sink.close(node.element, node.kept, false);
            self.elements.count_beyond(node.element);
            return false;
        }
        self.elements.push(node);
        true
    }

    fn push_implied(&mut self, element: Element, sink: &mut impl Sink) {
        let kept = sink.open_implied(element);
        self.push(Node::html(element, kept), sink);
    }

    fn pop(&mut self, sink: &mut impl Sink) {
        if let Some(node) = self.elements.pop() {
            self.closed(&node, sink);
        }
        if self.elements.has_removed_top() {
            self.pop_removed(sink);
        }
    }

    #[cold]
    fn pop_removed(&mut self, sink: &mut impl Sink) {
        while self.elements.has_removed_top()
            && let Some(node) = self.elements.pop()
        {
            self.closed(&node, sink);
        }
    }

    /// Pops until so many elements are left.
    fn pop_to(&mut self, length: usize, sink: &mut impl Sink) {
        while self.elements.len() > length {
            self.pop(sink);
        }
    }

    /// An element has left the stack.
    fn closed(&mut self, node: &Node, sink: &mut impl Sink) {
        let reopens = node.id != 0 && self.formatting.closed(node.id);
        sink.close(node.element, node.kept, reopens);
        if node.misplaced {
            self.end_misplaced(sink);
        }
    }

    /// "Reconstruct the active formatting elements" (§13.2.4.3).
    #[inline]
    fn reconstruct_formatting(&mut self, sink: &mut impl Sink) {
        if self.formatting.is_pending() {
            self.reopen_formatting(sink);
        }
    }

    fn reopen_formatting(&mut self, sink: &mut impl Sink) {
        let misplaced = self.elements.in_table_mode();
        let mut index = self.formatting.first_pending();
        while !self.elements.is_full() {
            let fresh = self.formatting.take_id();
            let Some(active) = self.formatting.get_mut(index) else {
                return;
            };
            active.id = fresh;
            active.open = true;
            let element = active.element;
            if misplaced {
                self.start_misplaced(sink);
            }
            let kept = match self.formatting.get_mut(index) {
                Some(active) => {
                    active.kept = sink.reopen(element, active.kept);
                    active.kept
                }
                None => Kept::default(),
            };
            let mut node = Node::html(element, kept);
            node.id = fresh;
            node.misplaced = misplaced;
            self.elements.push(node);
            index += 1;
        }
    }
}

/// White space that is held at most, in bytes: more of it shows the same, except in a `pre`.
const MAX_WHITE_SPACE: usize = 256;

/// Tells unknown elements apart by their names, in any case.
fn hash(name: &[u8]) -> u32 {
    fnv1a(name.iter().map(u8::to_ascii_lowercase)) as u32
}

/// Tells lists of attributes apart, eight bytes at a time: they can be long.
fn attributes_hash(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mix = |hash: u64, word: [u8; 8]| {
        (hash.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let hash = words
        .iter()
        .fold(bytes.len() as u64, |hash, word| mix(hash, *word));
    (mix(hash, last) >> 32) as u32
}
