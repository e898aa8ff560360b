//! The stack of open elements (WHATWG HTML §13.2.4.2). Every question that a tag asks of it is
//! answered without a walk: each node knows the nearest of the nodes below that may matter.

use super::Kept;
use crate::convert::element::{COUNT, Element};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// What a foreign element lets in (§13.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integration {
    None,
    /// HTML integration point.
    Html,
    /// MathML text integration point.
    MathText,
    /// `annotation-xml` whose content is no HTML: it lets in `svg` only.
    Annotation,
}

/// A place on the stack, counted from 1; 0 is none.
type Place = u16;

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) element: Element,
    pub(super) namespace: Namespace,
    pub(super) integration: Integration,
    /// It belongs before the table that it stands in.
    pub(super) misplaced: bool,
    /// It was taken from the stack of the standard but still holds the elements above.
    removed: bool,
    /// Tells elements of unknown or foreign name apart.
    pub(super) name_hash: u32,
    /// Tells formatting elements on the list from each other; 0 for all others.
    pub(super) id: u32,
    pub(super) kept: Kept,
    links: Links,
}

/// The nearest node of a kind, this one or one below.
#[derive(Debug, Clone, Copy, Default)]
struct Links {
    /// The next below of the same element.
    same: Place,
    /// Bounds the default scope.
    scope: Place,
    /// Of the category "special".
    special: Place,
    /// The same without `address`, `div` and `p`.
    item: Place,
    /// A piece of table structure: the insertion mode.
    table: Place,
}

impl Node {
    pub(super) fn html(element: Element, kept: Kept) -> Self {
        Self {
            element,
            namespace: Namespace::Html,
            integration: Integration::None,
            misplaced: false,
            removed: false,
            name_hash: 0,
            id: 0,
            kept,
            links: Links::default(),
        }
    }

    pub(super) fn is_html(&self) -> bool {
        self.namespace == Namespace::Html
    }

    /// Whether it is an HTML element of the stack.
    fn counts(&self) -> bool {
        self.is_html() && !self.removed
    }

    /// Whether it is of the category "special".
    pub(super) fn is_special(&self) -> bool {
        if self.removed {
            return false;
        }
        match self.namespace {
            Namespace::Html => self.element.is_special(),
            Namespace::Svg | Namespace::MathMl => self.integration != Integration::None,
        }
    }
}

/// The scopes of §13.2.4.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Default,
    Button,
    ListItem,
    Table,
}

/// Open elements at most, as Blink has it: deeper ones are not told apart from their parent.
pub(super) const MAX_DEPTH: usize = 512;

#[derive(Debug)]
pub(super) struct OpenElements {
    nodes: Vec<Node>,
    /// For each HTML element the innermost that is open.
    last: [Place; COUNT],
    /// How many were not put on the full stack: as many end tags are not to close another.
    beyond: [u32; COUNT],
    is_beyond: bool,
    /// The innermost element, if its content is text to the tokenizer. Nothing is opened in it.
    raw_text: Option<Element>,
}

impl OpenElements {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::with_capacity(32),
            last: [0; COUNT],
            beyond: [0; COUNT],
            is_beyond: false,
            raw_text: None,
        }
    }

    pub(super) fn raw_text(&self) -> Option<Element> {
        self.raw_text
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn top(&self) -> Option<&Node> {
        self.nodes.last()
    }

    pub(super) fn top_mut(&mut self) -> Option<&mut Node> {
        self.nodes.last_mut()
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The innermost element, if it is one of HTML.
    pub(super) fn current(&self) -> Option<Element> {
        self.top().filter(|n| n.is_html()).map(|n| n.element)
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= MAX_DEPTH
    }

    pub(super) fn push(&mut self, node: Node) {
        self.raw_text = (node.is_html() && node.element.is_raw_text()).then_some(node.element);
        self.nodes.push(node);
        self.link(self.nodes.len() - 1);
    }

    pub(super) fn pop(&mut self) -> Option<Node> {
        let node = self.nodes.pop()?;
        self.raw_text = None;
        self.unlink(&node);
        if self.is_beyond {
            self.beyond = [0; COUNT];
            self.is_beyond = false;
        }
        Some(node)
    }

    /// Takes a node out of the middle of the stack, but keeps it below those that it holds.
    pub(super) fn remove(&mut self, index: usize) {
        self.rearrange(index, |nodes| {
            if let Some(node) = nodes.get_mut(index) {
                node.removed = true;
                node.id = 0;
            }
        });
    }

    /// Whether the innermost node was removed, so that nothing is in it any more.
    pub(super) fn has_removed_top(&self) -> bool {
        self.top().is_some_and(|n| n.removed)
    }

    /// Changes the nodes from `index` on in any way.
    pub(super) fn rearrange<R>(
        &mut self,
        index: usize,
        change: impl FnOnce(&mut Vec<Node>) -> R,
    ) -> R {
        for i in (index..self.nodes.len()).rev() {
            let node = self.nodes[i];
            self.unlink(&node);
        }
        let result = change(&mut self.nodes);
        for i in index..self.nodes.len() {
            self.link(i);
        }
        result
    }

    /// Another element that is too deep for the stack.
    pub(super) fn count_beyond(&mut self, element: Element) {
        let count = &mut self.beyond[element as usize];
        *count = count.saturating_add(1);
        self.is_beyond = true;
    }

    /// Whether an end tag belongs to an element that was too deep.
    pub(super) fn end_beyond(&mut self, element: Element) -> bool {
        let count = &mut self.beyond[element as usize];
        let any = self.is_beyond && *count > 0;
        if any {
            *count -= 1;
        }
        any
    }

    fn link(&mut self, index: usize) {
        let below = index.checked_sub(1).map(|i| self.nodes[i].links);
        let mut links = below.unwrap_or_default();
        let place = index as Place + 1;
        let node = &mut self.nodes[index];
        let element = node.element;
        if node.counts() {
            links.same = std::mem::replace(&mut self.last[element as usize], place);
            if element.bounds_scope() {
                links.scope = place;
            }
            if node.is_special() {
                links.special = place;
                // These three do not keep an item from closing the one before it.
                if !matches!(element, Element::Address | Element::Div | Element::P) {
                    links.item = place;
                }
            }
            if element.is_table_structure() {
                links.table = place;
            }
        } else if node.integration != Integration::None {
            links.scope = place;
            links.special = place;
            links.item = place;
        }
        node.links = links;
    }

    fn unlink(&mut self, node: &Node) {
        if node.counts() {
            self.last[node.element as usize] = node.links.same;
        }
    }

    fn links(&self) -> Links {
        self.top().map(|n| n.links).unwrap_or_default()
    }

    pub(super) fn has(&self, element: Element) -> bool {
        self.last[element as usize] != 0
    }

    /// Where the innermost HTML element of this kind is.
    pub(super) fn position(&self, element: Element) -> Option<usize> {
        usize::from(self.last[element as usize]).checked_sub(1)
    }

    /// "Has an element in the specific scope" (§13.2.4.2): where it is.
    pub(super) fn in_scope(&self, element: Element, scope: Scope) -> Option<usize> {
        let last = |element: Element| self.last[element as usize];
        let place = last(element);
        if place == 0 {
            return None;
        }
        let bound = match scope {
            Scope::Default => self.links().scope,
            Scope::Button => self.links().scope.max(last(Element::Button)),
            Scope::ListItem => {
                let list = last(Element::Ol).max(last(Element::Ul));
                self.links().scope.max(list)
            }
            Scope::Table => last(Element::Table).max(last(Element::Template)),
        };
        (place >= bound).then(|| usize::from(place) - 1)
    }

    /// The innermost heading in scope, whatever its level.
    pub(super) fn heading_in_scope(&self) -> Option<usize> {
        use Element::{H1, H2, H3, H4, H5, H6};
        [H1, H2, H3, H4, H5, H6]
            .into_iter()
            .filter_map(|h| self.in_scope(h, Scope::Default))
            .max()
    }

    /// Whether nothing above `index` bounds the default scope.
    pub(super) fn is_in_scope(&self, index: usize) -> bool {
        usize::from(self.links().scope) <= index + 1
    }

    /// Where an item (`li`, `dd`, `dt`) is that the start tag of another one closes: no special
    /// element other than `address`, `div` and `p` stands above it.
    pub(super) fn open_item(&self) -> Option<(usize, Element)> {
        let index = usize::from(self.links().item).checked_sub(1)?;
        Some((index, self.nodes[index].element))
    }

    /// Where an element is that "any other end tag" closes: no special one stands above it.
    pub(super) fn ordinary(&self, element: Element, name_hash: u32) -> Option<usize> {
        let bound = usize::from(self.links().special).saturating_sub(1);
        let from = self.position(element)?;
        if from < bound {
            return None;
        }
        if element != Element::Other {
            return Some(from);
        }
        (bound..=from).rev().find(|&i| {
            let node = &self.nodes[i];
            node.counts() && node.element == element && node.name_hash == name_hash
        })
    }

    /// The innermost piece of table structure: where it is and what.
    pub(super) fn table_context(&self) -> Option<(usize, Element)> {
        let index = usize::from(self.links().table).checked_sub(1)?;
        Some((index, self.nodes[index].element))
    }

    /// Whether the innermost piece of table structure is no cell, no caption and no template.
    pub(super) fn in_table_mode(&self) -> bool {
        use Element::{Caption, Td, Template, Th};
        self.table_context()
            .is_some_and(|(_, e)| !matches!(e, Td | Th | Caption | Template))
    }
}
