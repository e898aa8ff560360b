//! The stack of open elements: which element a character of the page belongs to.
//!
//! This is the tree builder of the WHATWG HTML standard (§13.2.6) without the tree: implied and
//! missing end tags, scopes, the list of active formatting elements, the adoption agency, table
//! contexts, foreign content. What a tree alone can do (moving nodes that were already seen) is
//! reduced to telling the [`Sink`] that content is misplaced in a table.

use super::element::{COUNT, Element};
use super::tag::{AttributeName, StartTag, is_space};

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
    fn close(&mut self, element: Element, kept: Kept);
    /// What follows, until the same with `false`, stands in a table but outside of its cells.
    fn misplaced_in_table(&mut self, misplaced: bool);
    /// The head of the document has ended.
    fn end_head(&mut self);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Html,
    Foreign,
    /// A foreign element whose content is HTML (§13.2.6.5).
    IntegrationPoint,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    element: Element,
    namespace: Namespace,
    /// Tells elements of unknown name apart.
    name_hash: u32,
    /// Tells formatting elements on the list from each other; 0 for all others.
    id: u32,
    misplaced: bool,
    kept: Kept,
}

#[derive(Debug, Clone, Copy)]
enum Formatting {
    Marker,
    Element {
        element: Element,
        kept: Kept,
        id: u32,
        attributes: u32,
        open: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    InHead,
    InBody,
}

/// Open elements at most, as Blink has it: deeper ones are not told apart from their parent.
const MAX_DEPTH: usize = 512;

/// Active formatting elements behind the last marker at most.
const MAX_FORMATTING: usize = 48;

#[derive(Debug)]
pub(super) struct Tree {
    stack: Vec<Node>,
    /// How many HTML elements of each kind are open, so that a stray end tag costs no walk.
    open: [u16; COUNT],
    /// How many were not put on the full stack: as many end tags are not to close another.
    beyond: [u32; COUNT],
    /// The open elements of table structure, innermost last: the insertion mode.
    tables: Vec<Element>,
    formatting: Vec<Formatting>,
    next_id: u32,
    /// Elements open that stand in a table but in none of its cells.
    misplaced: u32,
    /// So does the text that comes now.
    misplaced_text: bool,
    stage: Stage,
    quirks: bool,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            stack: Vec::with_capacity(32),
            open: [0; COUNT],
            beyond: [0; COUNT],
            tables: Vec::new(),
            formatting: Vec::new(),
            next_id: 1,
            misplaced: 0,
            misplaced_text: false,
            stage: Stage::InHead,
            quirks: true,
        }
    }

    /// A document type declaration: it decides on quirks mode (§13.2.6.4.1), in which a table does
    /// not close a paragraph.
    pub(super) fn doctype(&mut self, text: &[u8]) {
        let text = text.to_ascii_lowercase();
        let contains = |needle: &[u8]| memchr::memmem::find(&text, needle).is_some();
        self.quirks = !text.starts_with(b"doctype")
            || !contains(b"html")
            || contains(b"-//w3c//dtd html 3")
            || contains(b"-//ietf//dtd html")
            || contains(b"-//w3c//dtd html 4.0 transitional")
            || (contains(b"-//w3c//dtd html 4.01 ")
                && !contains(b"http://")
                && !contains(b"//en\""))
            || (contains(b"-//w3c//dtd html 4.01 transitional") && !contains(b"http://"))
            || (contains(b"-//w3c//dtd html 4.01 frameset") && !contains(b"http://"));
    }

    /// The innermost element whose content is text to the tokenizer, if one is open.
    pub(super) fn raw_text_element(&self) -> Option<Element> {
        self.stack
            .last()
            .filter(|n| n.namespace == Namespace::Html && n.element.is_raw_text())
            .map(|n| n.element)
    }

    /// Whether the tokenizer is in foreign content (§13.2.6.5).
    pub(super) fn in_foreign_content(&self) -> bool {
        self.stack
            .last()
            .is_some_and(|n| n.namespace == Namespace::Foreign)
    }

    /// Text is about to come: makes the right elements open for it.
    pub(super) fn text(&mut self, text: &str, sink: &mut impl Sink) {
        if self.stage == Stage::InHead || !self.tables.is_empty() {
            self.text_outside_body(text, sink);
        } else if !matches!(
            self.formatting.last(),
            Some(Formatting::Element { open: false, .. })
        ) {
            return;
        }
        if self.raw_text_element().is_none() && !self.in_foreign_content() {
            self.reconstruct_formatting(sink);
        }
    }

    fn text_outside_body(&mut self, text: &str, sink: &mut impl Sink) {
        if self.raw_text_element().is_some() {
            return;
        }
        let blank = text.bytes().all(is_space);
        if self.stage == Stage::InHead && !blank && self.open[Element::Template as usize] == 0 {
            self.leave_head(sink);
        }
        if self.in_table_mode() && self.misplaced == 0 && !self.misplaced_text && !blank {
            self.misplaced_text = true;
            sink.misplaced_in_table(true);
        }
    }

    /// A run of misplaced text has ended, if there was one.
    fn end_misplaced_text(&mut self, sink: &mut impl Sink) {
        if std::mem::take(&mut self.misplaced_text) {
            sink.misplaced_in_table(false);
        }
    }

    pub(super) fn start(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        self.end_misplaced_text(sink);
        if self.in_foreign_content() {
            if !self.breaks_out(tag) {
                self.start_foreign(tag, sink);
                return;
            }
            while self.in_foreign_content() {
                self.pop(sink);
            }
        }
        match tag.element {
            Element::Head | Element::Html | Element::Frame | Element::Frameset => return,
            Element::Body => return self.leave_head(sink),
            _ => {}
        }
        if self.stage == Stage::InHead
            && !tag.element.is_metadata()
            && self.open[Element::Template as usize] == 0
        {
            self.leave_head(sink);
        }
        if !self.start_in_table(tag, sink) {
            self.start_in_body(tag, sink);
        }
    }

    /// The rules of the table modes (§13.2.6.4.9 to 15). Returns whether they dealt with the tag.
    fn start_in_table(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) -> bool {
        use Element::{Caption, Col, Colgroup, Table, Tbody, Td, Tfoot, Th, Thead, Tr};
        match tag.element {
            Caption | Col | Colgroup | Tbody | Tfoot | Thead | Tr | Td | Th => {}
            Table if self.in_table_mode() => {
                self.pop_through(Table, sink);
                return false;
            }
            _ => return false,
        }
        if !self.in_scope(Table, Scope::Table) {
            return true;
        }
        match tag.element {
            Tr => {
                self.pop_to_context(&[Tbody, Tfoot, Thead], sink);
                self.imply_row_group(sink);
            }
            Td | Th => {
                self.pop_to_context(&[Tr, Tbody, Tfoot, Thead], sink);
                self.imply_row_group(sink);
                if self.tables.last() != Some(&Tr) {
                    self.push_implied(Tr, sink);
                }
            }
            _ => self.pop_to_context(&[], sink),
        }
        self.insert(tag, sink);
        true
    }

    fn imply_row_group(&mut self, sink: &mut impl Sink) {
        if self.tables.last() == Some(&Element::Table) {
            self.push_implied(Element::Tbody, sink);
        }
    }

    /// The rules of the mode "in body" (§13.2.6.4.7).
    fn start_in_body(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        use Element::*;
        let element = tag.element;
        let misplaced = self.in_table_mode()
            && !matches!(element, Script | Style | Template)
            && !(element == Input
                && tag
                    .get(AttributeName::Type)
                    .is_some_and(|t| t.eq_ignore_ascii_case(b"hidden")));
        if misplaced && element == Form {
            return;
        }
        match element {
            Li => {
                self.close_sibling(&[Li], sink);
                self.close_p(sink);
            }
            Dd | Dt => {
                self.close_sibling(&[Dd, Dt], sink);
                self.close_p(sink);
            }
            Table => {
                if !self.quirks {
                    self.close_p(sink);
                }
            }
            Form if self.open[Form as usize] > 0 => return,
            A => {
                if self.is_active(A) {
                    self.adoption_agency(A, sink);
                }
                self.reconstruct_formatting(sink);
            }
            Nobr => {
                self.reconstruct_formatting(sink);
                if self.in_scope(Nobr, Scope::Default) {
                    self.adoption_agency(Nobr, sink);
                    self.reconstruct_formatting(sink);
                }
            }
            Button => {
                if self.in_scope(Button, Scope::Default) {
                    self.pop_through(Button, sink);
                }
                self.reconstruct_formatting(sink);
            }
            Select if self.open[Select as usize] > 0 => return self.pop_through(Select, sink),
            Option | Optgroup => {
                if self.top() == Some(Option) {
                    self.pop(sink);
                }
                if element == Optgroup && self.top() == Some(Optgroup) {
                    self.pop(sink);
                }
                self.reconstruct_formatting(sink);
            }
            Rb | Rtc | Rp | Rt => {
                if self.in_scope(Ruby, Scope::Default) {
                    self.imply_end_tags(
                        if matches!(element, Rp | Rt) {
                            Some(Rtc)
                        } else {
                            None
                        },
                        sink,
                    );
                }
            }
            _ if element.closes_p() => {
                self.close_p(sink);
                if element.is_heading() && self.top().is_some_and(Element::is_heading) {
                    self.pop(sink);
                }
            }
            _ if element.is_metadata() => {}
            Col | Source | Track | Param => {}
            _ => self.reconstruct_formatting(sink),
        }
        if misplaced {
            self.misplaced += 1;
            if self.misplaced == 1 {
                sink.misplaced_in_table(true);
            }
        }
        let pushed = self.insert(tag, sink);
        if misplaced {
            if pushed {
                if let Some(node) = self.stack.last_mut() {
                    node.misplaced = true;
                }
            } else {
                self.end_misplaced_element(sink);
            }
        }
    }

    fn end_misplaced_element(&mut self, sink: &mut impl Sink) {
        self.misplaced -= 1;
        if self.misplaced == 0 {
            sink.misplaced_in_table(false);
        }
    }

    fn start_foreign(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        let kept = sink.open(tag, true);
        if tag.self_closing {
            sink.close(tag.element, kept);
            return;
        }
        let integration = match tag.element {
            Element::ForeignObject | Element::Desc | Element::Title => true,
            Element::Mi | Element::Mo | Element::Mn | Element::Ms | Element::Mtext => true,
            _ => {
                tag.name.eq_ignore_ascii_case(b"annotation-xml")
                    && tag.get(AttributeName::Encoding).is_some_and(|e| {
                        e.eq_ignore_ascii_case(b"text/html")
                            || e.eq_ignore_ascii_case(b"application/xhtml+xml")
                    })
            }
        };
        let namespace = if integration {
            Namespace::IntegrationPoint
        } else {
            Namespace::Foreign
        };
        self.push(tag.element, hash(tag.name), namespace, kept, sink);
    }

    fn breaks_out(&self, tag: &StartTag<'_>) -> bool {
        tag.element.breaks_out_of_foreign()
            || (tag.element == Element::Font
                && ["color", "face", "size"]
                    .iter()
                    .any(|n| tag.get_by_name(n).is_some()))
    }

    /// Tells the sink of the element and, unless it is void, puts it on the stack.
    fn insert(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) -> bool {
        let element = tag.element;
        if element.is_void() {
            sink.open(tag, false);
            return false;
        }
        if matches!(element, Element::Svg | Element::Math) {
            let kept = sink.open(tag, true);
            if tag.self_closing {
                sink.close(element, kept);
                return false;
            }
            return self.push(element, hash(tag.name), Namespace::Foreign, kept, sink);
        }
        let kept = sink.open(tag, false);
        let name_hash = if element == Element::Other {
            hash(tag.name)
        } else {
            0
        };
        if !self.push(element, name_hash, Namespace::Html, kept, sink) {
            return false;
        }
        if element.is_formatting() {
            self.activate(tag, kept);
        } else if element.sets_marker() {
            self.formatting.push(Formatting::Marker);
        }
        true
    }

    fn push(
        &mut self,
        element: Element,
        name_hash: u32,
        namespace: Namespace,
        kept: Kept,
        sink: &mut impl Sink,
    ) -> bool {
        // Text that is no markup can't nest: one such element more than the cap does no harm.
        if self.stack.len() >= MAX_DEPTH && !element.is_raw_text() {
            sink.close(element, kept);
            let beyond = &mut self.beyond[element as usize];
            *beyond = beyond.saturating_add(1);
            return false;
        }
        self.stack.push(Node {
            element,
            namespace,
            name_hash,
            id: 0,
            misplaced: false,
            kept,
        });
        if namespace == Namespace::Html {
            self.open[element as usize] += 1;
            if is_table_structure(element) {
                self.tables.push(element);
            }
        }
        true
    }

    fn push_implied(&mut self, element: Element, sink: &mut impl Sink) {
        let kept = sink.open_implied(element);
        self.push(element, 0, Namespace::Html, kept, sink);
    }

    fn pop(&mut self, sink: &mut impl Sink) {
        if let Some(index) = self.stack.len().checked_sub(1) {
            self.remove(index, sink);
        }
    }

    /// Takes the element out of the stack, from its middle too.
    fn remove(&mut self, index: usize, sink: &mut impl Sink) {
        let node = self.stack.remove(index);
        if node.namespace == Namespace::Html {
            self.open[node.element as usize] -= 1;
            if is_table_structure(node.element) {
                self.tables.pop();
            }
        }
        if node.id != 0 {
            for entry in self.formatting.iter_mut().rev() {
                if let Formatting::Element { id, open, .. } = entry
                    && *id == node.id
                {
                    *open = false;
                    break;
                }
            }
        }
        sink.close(node.element, node.kept);
        if node.namespace == Namespace::Html && node.element.sets_marker() {
            while !matches!(self.formatting.pop(), None | Some(Formatting::Marker)) {}
        }
        if node.misplaced {
            self.end_misplaced_element(sink);
        }
    }

    /// Pops up to and including the innermost element of this kind, if there is one.
    fn pop_through(&mut self, element: Element, sink: &mut impl Sink) {
        if let Some(index) = self
            .stack
            .iter()
            .rposition(|n| n.element == element && n.namespace == Namespace::Html)
        {
            while self.stack.len() > index {
                self.pop(sink);
            }
        }
    }

    /// "Clear the stack back to a table context" (§13.2.6.4.9) and its row variants.
    fn pop_to_context(&mut self, stop: &[Element], sink: &mut impl Sink) {
        while let Some(node) = self.stack.last() {
            let html = node.namespace == Namespace::Html;
            let element = node.element;
            if html
                && (stop.contains(&element)
                    || matches!(element, Element::Table | Element::Template))
            {
                return;
            }
            self.pop(sink);
        }
    }

    fn top(&self) -> Option<Element> {
        self.stack
            .last()
            .filter(|n| n.namespace == Namespace::Html)
            .map(|n| n.element)
    }

    /// Whether the innermost piece of table structure is no cell and no caption.
    fn in_table_mode(&self) -> bool {
        self.tables.last().is_some_and(|&e| {
            !matches!(
                e,
                Element::Td | Element::Th | Element::Caption | Element::Template
            )
        })
    }

    fn leave_head(&mut self, sink: &mut impl Sink) {
        if self.stage == Stage::InHead {
            self.stage = Stage::InBody;
            while self.stack.last().is_some_and(|n| n.element.is_metadata()) {
                self.pop(sink);
            }
            sink.end_head();
        }
    }

    pub(super) fn end(&mut self, element: Element, name: &[u8], sink: &mut impl Sink) {
        use Element::*;
        self.end_misplaced_text(sink);
        let foreign = self
            .stack
            .last()
            .is_some_and(|n| n.namespace != Namespace::Html);
        if foreign && !matches!(element, P | Br) && self.end_foreign(name, sink) {
            return;
        }
        if self.beyond[element as usize] > 0 && self.stack.len() >= MAX_DEPTH {
            self.beyond[element as usize] -= 1;
            return;
        }
        match element {
            Head => self.leave_head(sink),
            Html | Body | Frame | Frameset => {}
            Br => {
                // "Act as described for a br start tag": the sink gets a tag of its own making.
                self.leave_head(sink);
                self.reconstruct_formatting(sink);
                sink.open_implied(Br);
            }
            P => {
                if self.in_scope(P, Scope::Button) {
                    self.close_p(sink);
                } else if self.stage == Stage::InBody {
                    while self.in_foreign_content() {
                        self.pop(sink);
                    }
                    let kept = sink.open_implied(P);
                    sink.close(P, kept);
                }
            }
            Li => self.end_scoped(Li, Scope::ListItem, sink),
            Dd | Dt => self.end_scoped(element, Scope::Default, sink),
            H1 | H2 | H3 | H4 | H5 | H6 => self.end_heading(sink),
            Form => self.end_form(sink),
            Table => {
                if self.in_scope(Table, Scope::Table) {
                    self.pop_through(Table, sink);
                }
            }
            Caption | Tbody | Tfoot | Thead | Tr | Td | Th => {
                if self.in_scope(element, Scope::Table) {
                    self.pop_through(element, sink);
                }
            }
            Select => {
                if self.in_scope(Select, Scope::Default) {
                    self.pop_through(Select, sink);
                }
            }
            Template => {
                if self.open[Template as usize] > 0 {
                    self.pop_through(Template, sink);
                }
            }
            _ if element.is_formatting() => self.adoption_agency(element, sink),
            _ if element.has_scoped_end() => self.end_scoped(element, Scope::Default, sink),
            _ => self.end_any_other(element, name, sink),
        }
    }

    /// All that is still open closes.
    pub(super) fn finish(&mut self, sink: &mut impl Sink) {
        self.end_misplaced_text(sink);
        self.leave_head(sink);
        while !self.stack.is_empty() {
            self.pop(sink);
        }
    }

    fn end_scoped(&mut self, element: Element, scope: Scope, sink: &mut impl Sink) {
        if self.in_scope(element, scope) {
            self.pop_through(element, sink);
        }
    }

    /// Any end tag of a heading closes the innermost heading in scope, whatever its level.
    fn end_heading(&mut self, sink: &mut impl Sink) {
        for index in (0..self.stack.len()).rev() {
            let node = &self.stack[index];
            if node.namespace == Namespace::Html && node.element.is_heading() {
                while self.stack.len() > index {
                    self.pop(sink);
                }
                return;
            }
            if node.namespace != Namespace::Foreign && bounds_scope(node) {
                return;
            }
        }
    }

    /// The form leaves the stack; what is open inside of it stays.
    fn end_form(&mut self, sink: &mut impl Sink) {
        if self.in_scope(Element::Form, Scope::Default) {
            self.imply_end_tags(None, sink);
            if let Some(index) = self.stack.iter().rposition(|n| n.element == Element::Form) {
                self.remove(index, sink);
            }
        }
    }

    fn end_any_other(&mut self, element: Element, name: &[u8], sink: &mut impl Sink) {
        if self.open[element as usize] == 0 {
            return;
        }
        let name_hash = if element == Element::Other {
            hash(name)
        } else {
            0
        };
        for index in (0..self.stack.len()).rev() {
            let node = &self.stack[index];
            if node.namespace == Namespace::Html
                && node.element == element
                && node.name_hash == name_hash
            {
                while self.stack.len() > index {
                    self.pop(sink);
                }
                return;
            }
            if is_special(node) {
                return;
            }
        }
    }

    /// Returns whether a foreign element was closed; if not, the rules of HTML apply.
    fn end_foreign(&mut self, name: &[u8], sink: &mut impl Sink) -> bool {
        let name = hash(name);
        for index in (0..self.stack.len()).rev() {
            let node = &self.stack[index];
            if node.namespace == Namespace::Html {
                return false;
            }
            if node.name_hash == name {
                while self.stack.len() > index {
                    self.pop(sink);
                }
                return true;
            }
        }
        false
    }

    fn close_p(&mut self, sink: &mut impl Sink) {
        if self.in_scope(Element::P, Scope::Button) {
            self.pop_through(Element::P, sink);
        }
    }

    /// The start tag of an item closes the item before it, unless a special element other than
    /// `address`, `div` and `p` stands between.
    fn close_sibling(&mut self, siblings: &[Element], sink: &mut impl Sink) {
        if siblings.iter().all(|&s| self.open[s as usize] == 0) {
            return;
        }
        for index in (0..self.stack.len()).rev() {
            let node = &self.stack[index];
            if node.namespace == Namespace::Html && siblings.contains(&node.element) {
                while self.stack.len() > index {
                    self.pop(sink);
                }
                return;
            }
            if is_special(node)
                && !matches!(node.element, Element::Address | Element::Div | Element::P)
            {
                return;
            }
        }
    }

    fn imply_end_tags(&mut self, except: Option<Element>, sink: &mut impl Sink) {
        use Element::{Dd, Dt, Li, Optgroup, Option, P, Rb, Rp, Rt, Rtc};
        while let Some(top) = self.top()
            && matches!(
                top,
                Dd | Dt | Li | Optgroup | Option | P | Rb | Rp | Rt | Rtc
            )
            && Some(top) != except
        {
            self.pop(sink);
        }
    }

    /// "Has an element in the specific scope" (§13.2.4.2).
    fn in_scope(&self, element: Element, scope: Scope) -> bool {
        if self.open[element as usize] == 0 {
            return false;
        }
        for node in self.stack.iter().rev() {
            if node.namespace == Namespace::Html && node.element == element {
                return true;
            }
            let bound = match scope {
                Scope::Table => matches!(node.element, Element::Table | Element::Template),
                Scope::Default => bounds_scope(node),
                Scope::Button => bounds_scope(node) || node.element == Element::Button,
                Scope::ListItem => {
                    bounds_scope(node) || matches!(node.element, Element::Ol | Element::Ul)
                }
            };
            if bound {
                return false;
            }
        }
        false
    }

    /// Whether the list of active formatting elements has this one behind its last marker.
    fn is_active(&self, element: Element) -> bool {
        self.active_index(element).is_some()
    }

    fn active_index(&self, wanted: Element) -> Option<usize> {
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            match entry {
                Formatting::Marker => return None,
                Formatting::Element { element, .. } if *element == wanted => return Some(index),
                Formatting::Element { .. } => {}
            }
        }
        None
    }

    /// Puts the element just pushed on the list of active formatting elements, of which the Noah's
    /// Ark clause keeps three of a kind (§13.2.4.3).
    fn activate(&mut self, tag: &StartTag<'_>, kept: Kept) {
        let attributes = hash(tag.raw_attributes());
        let (mut same, mut behind_marker, mut earliest, mut earliest_same) = (0, 0, None, None);
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            match entry {
                Formatting::Marker => break,
                Formatting::Element {
                    element,
                    attributes: other,
                    ..
                } => {
                    behind_marker += 1;
                    earliest = Some(index);
                    if *element == tag.element && *other == attributes {
                        same += 1;
                        earliest_same = Some(index);
                    }
                }
            }
        }
        let surplus = if same >= 3 {
            earliest_same
        } else if behind_marker >= MAX_FORMATTING {
            earliest
        } else {
            None
        };
        if let Some(index) = surplus {
            self.formatting.remove(index);
        }
        let id = self.take_id();
        if let Some(node) = self.stack.last_mut() {
            node.id = id;
        }
        self.formatting.push(Formatting::Element {
            element: tag.element,
            kept,
            id,
            attributes,
            open: true,
        });
    }

    fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        // 0 stands for "not on the list".
        self.next_id = self.next_id.checked_add(1).unwrap_or(1);
        id
    }

    /// "Reconstruct the active formatting elements" (§13.2.4.3).
    fn reconstruct_formatting(&mut self, sink: &mut impl Sink) {
        if !matches!(
            self.formatting.last(),
            Some(Formatting::Element { open: false, .. })
        ) {
            return;
        }
        let first = self
            .formatting
            .iter()
            .rposition(|f| !matches!(f, Formatting::Element { open: false, .. }))
            .map_or(0, |i| i + 1);
        for index in first..self.formatting.len() {
            if self.stack.len() >= MAX_DEPTH {
                return;
            }
            let fresh = self.take_id();
            if let Formatting::Element {
                element,
                kept,
                id,
                open,
                ..
            } = &mut self.formatting[index]
            {
                *id = fresh;
                *open = true;
                *kept = sink.reopen(*element, *kept);
                let (element, kept) = (*element, *kept);
                self.push(element, 0, Namespace::Html, kept, sink);
                if let Some(node) = self.stack.last_mut() {
                    node.id = fresh;
                }
            }
        }
    }

    /// The adoption agency algorithm (§13.2.6.4.7), with the effect it has on text yet to come:
    /// text that was already seen has been written where it belongs.
    fn adoption_agency(&mut self, subject: Element, sink: &mut impl Sink) {
        let Some(entry) = self.active_index(subject) else {
            return self.end_any_other(subject, b"", sink);
        };
        let Formatting::Element { id, open, .. } = self.formatting[entry] else {
            return;
        };
        if !open {
            self.formatting.remove(entry);
            return;
        }
        let Some(at) = self.stack.iter().rposition(|n| n.id == id) else {
            return;
        };
        if self.stack[at + 1..].iter().any(bounds_scope) {
            return;
        }
        let furthest_block = self.stack[at + 1..]
            .iter()
            .position(is_special)
            .map(|i| at + 1 + i);
        match furthest_block {
            None => {
                while self.stack.len() > at {
                    self.pop(sink);
                }
            }
            Some(block) => {
                // From the block outwards, so that the indices stay right.
                for index in (at..block).rev() {
                    if index == at || self.stack[index].id == 0 {
                        self.remove(index, sink);
                    }
                }
            }
        }
        self.formatting
            .retain(|f| !matches!(f, Formatting::Element { id: other, .. } if *other == id));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Default,
    Button,
    ListItem,
    Table,
}

fn bounds_scope(node: &Node) -> bool {
    match node.namespace {
        Namespace::Html => node.element.bounds_scope(),
        Namespace::IntegrationPoint => true,
        Namespace::Foreign => false,
    }
}

fn is_special(node: &Node) -> bool {
    match node.namespace {
        Namespace::Html => node.element.is_special(),
        Namespace::IntegrationPoint => true,
        Namespace::Foreign => false,
    }
}

fn is_table_structure(element: Element) -> bool {
    use Element::{Caption, Colgroup, Table, Tbody, Td, Template, Tfoot, Th, Thead, Tr};
    matches!(
        element,
        Caption | Colgroup | Table | Tbody | Td | Template | Tfoot | Th | Thead | Tr
    )
}

/// FNV-1a over the lower-case name: tells unknown elements and equal attribute lists apart.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, b| {
        (hash ^ u32::from(b.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}
