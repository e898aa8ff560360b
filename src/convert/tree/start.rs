//! Start tags: the rules of the body (WHATWG HTML §13.2.6.4.7) and of foreign content (§13.2.6.5).

use super::stack::{Integration, Namespace, Node, Scope};
use super::{Sink, Stage, Tree, attributes_hash, hash};
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};

impl Node {
    /// Whether what stands in this foreign element is HTML, text above all.
    pub(super) fn lets_in_html(&self) -> bool {
        matches!(self.integration, Integration::Html | Integration::MathText)
    }

    /// Whether the rules of HTML hold for a start tag in this element (§13.2.6).
    fn takes_as_html(&self, tag: &StartTag<'_>) -> bool {
        if self.is_html() {
            return true;
        }
        match self.integration {
            Integration::None => false,
            Integration::Html => true,
            Integration::MathText => {
                !(tag.name.eq_ignore_ascii_case(b"mglyph")
                    || tag.name.eq_ignore_ascii_case(b"malignmark"))
            }
            Integration::Annotation => tag.element == Element::Svg,
        }
    }
}

impl Tree {
    pub(in crate::convert) fn start(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        self.end_text_in_table(sink);
        if let Some(top) = self.elements.top()
            && !top.takes_as_html(tag)
        {
            if !breaks_out(tag) {
                return self.start_foreign(tag, sink);
            }
            self.leave_foreign(sink);
        }
        if self.stage != Stage::Body {
            self.start_before_body(tag, sink);
        }
        self.start_in_body(tag, sink);
    }

    /// The modes before the body.
    fn start_before_body(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        if self.stage == Stage::Initial {
            self.stage = Stage::Head;
        }
        if !self.elements.has(Element::Template)
            && !tag.element.is_metadata()
            && !matches!(tag.element, Element::Html | Element::Head)
        {
            self.leave_head(sink);
        }
    }

    fn start_in_body(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        #[allow(clippy::enum_glob_use, reason = "most of the elements stand here")]
        use Element::*;
        let element = tag.element;
        match element {
            Html | Head | Body | Frame | Frameset => return,
            Caption | Col | Colgroup | Tbody | Tfoot | Thead | Tr | Td | Th => {
                return self.start_table_part(tag, sink);
            }
            Table => self.close_table_around(sink),
            _ => {}
        }
        let in_table = self.elements.in_table_mode();
        if in_table && element == Form {
            // It is a form for the elements to come, but holds none.
            self.form |= !self.elements.has(Template);
            return;
        }
        let misplaced = in_table && !belongs_in_table(tag);
        match element {
            Li => self.start_item(&[Li], sink),
            Dd | Dt => self.start_item(&[Dd, Dt], sink),
            Table => {
                if !self.quirks {
                    self.close_p(sink);
                }
            }
            Form => {
                let in_template = self.elements.has(Template);
                if self.form && !in_template {
                    return;
                }
                self.form |= !in_template;
                self.close_p(sink);
            }
            A => {
                if let Some(active) = self.formatting.find(A) {
                    self.adoption_agency(A, sink);
                    self.drop_formatting(active.id, sink);
                }
                self.reconstruct_formatting(sink);
            }
            Nobr => {
                self.reconstruct_formatting(sink);
                if self.elements.in_scope(Nobr, Scope::Default).is_some() {
                    self.adoption_agency(Nobr, sink);
                    self.reconstruct_formatting(sink);
                }
            }
            Button => {
                if let Some(index) = self.elements.in_scope(Button, Scope::Default) {
                    self.pop_to(index, sink);
                }
                self.reconstruct_formatting(sink);
            }
            Select => {
                if self.close_select(sink) {
                    return;
                }
                self.reconstruct_formatting(sink);
            }
            Option | Optgroup => {
                if self.elements.in_scope(Select, Scope::Default).is_some() {
                    self.imply_end_tags((element == Option).then_some(Optgroup), sink);
                } else if self.elements.current() == Some(Option) {
                    self.pop(sink);
                }
                self.reconstruct_formatting(sink);
            }
            Rb | Rtc | Rp | Rt => {
                if self.elements.in_scope(Ruby, Scope::Default).is_some() {
                    self.imply_end_tags(matches!(element, Rp | Rt).then_some(Rtc), sink);
                }
            }
            Hr => {
                self.close_p(sink);
                if self.elements.in_scope(Select, Scope::Default).is_some() {
                    self.imply_end_tags(None, sink);
                }
            }
            Input => {
                if !misplaced && in_table {
                    // A hidden one: it is left where it is.
                } else {
                    self.close_select(sink);
                    self.reconstruct_formatting(sink);
                }
            }
            Xmp => {
                self.close_p(sink);
                self.reconstruct_formatting(sink);
            }
            _ if element.closes_p() => {
                self.close_p(sink);
                if element.is_heading() && self.elements.current().is_some_and(Element::is_heading)
                {
                    self.pop(sink);
                }
            }
            _ if element.is_metadata() => {}
            Source | Track | Param | Textarea | Iframe | Noembed => {}
            _ => self.reconstruct_formatting(sink),
        }
        // Closing elements may have led out of the table.
        let misplaced = misplaced && self.elements.in_table_mode();
        if misplaced {
            self.start_misplaced(sink);
        }
        let pushed = self.insert(tag, sink);
        if misplaced {
            match self.elements.top_mut() {
                Some(node) if pushed => node.misplaced = true,
                _ => self.end_misplaced(sink),
            }
        }
    }

    /// An item closes the item before it.
    fn start_item(&mut self, siblings: &[Element], sink: &mut impl Sink) {
        if let Some((index, item)) = self.elements.open_item()
            && siblings.contains(&item)
        {
            self.pop_to(index, sink);
        }
        self.close_p(sink);
    }

    /// A `select` in scope ends. Returns whether there was one.
    fn close_select(&mut self, sink: &mut impl Sink) -> bool {
        let select = self.elements.in_scope(Element::Select, Scope::Default);
        if let Some(index) = select {
            self.pop_to(index, sink);
        }
        select.is_some()
    }

    fn start_foreign(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        let kept = sink.open(tag, true);
        if tag.self_closing {
            sink.close(tag.element, kept, false);
            return;
        }
        let namespace = self
            .elements
            .top()
            .map_or(Namespace::Svg, |node| node.namespace);
        let mut node = Node::html(tag.element, kept);
        node.namespace = namespace;
        node.name_hash = hash(tag.name);
        node.integration = integration(namespace, tag);
        self.push(node, sink);
    }

    /// Pops to where HTML may stand.
    pub(super) fn leave_foreign(&mut self, sink: &mut impl Sink) {
        while self.in_foreign_content() {
            self.pop(sink);
        }
    }

    /// Tells the sink of the element and, unless it is void, puts it on the stack.
    pub(super) fn insert(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) -> bool {
        let element = tag.element;
        if element == Element::Image {
            // A name for `img` that the standard knows as a mistake.
            sink.open(&tag.standing_for(Element::Img), false);
            return false;
        }
        if element.is_void() {
            sink.open(tag, false);
            return false;
        }
        let namespace = match element {
            Element::Svg => Namespace::Svg,
            Element::Math => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let foreign = namespace != Namespace::Html;
        let kept = sink.open(tag, foreign);
        if foreign && tag.self_closing {
            sink.close(element, kept, false);
            return false;
        }
        let mut node = Node::html(element, kept);
        node.namespace = namespace;
        if foreign || element == Element::Other {
            node.name_hash = hash(tag.name);
        }
        if !self.push(node, sink) {
            return false;
        }
        if element.is_formatting() {
            let attributes = match element {
                // One of these is open at a time, so that none needs to be told from another.
                Element::A | Element::Nobr => 0,
                _ => attributes_hash(tag.raw_attributes()),
            };
            let id = self.formatting.push(element, attributes, kept);
            if let Some(node) = self.elements.top_mut() {
                node.id = id;
            }
        } else if element.sets_marker() {
            self.formatting.push_marker();
        }
        true
    }
}

/// Whether the tag may stand between the parts of a table.
fn belongs_in_table(tag: &StartTag<'_>) -> bool {
    match tag.element {
        Element::Script | Element::Style | Element::Template => true,
        Element::Input => tag
            .get(AttributeName::Type)
            .is_some_and(|t| t.eq_ignore_ascii_case(b"hidden")),
        _ => false,
    }
}

/// Whether a start tag ends foreign content.
fn breaks_out(tag: &StartTag<'_>) -> bool {
    tag.element.breaks_out_of_foreign()
        || (tag.element == Element::Font
            && ["color", "face", "size"]
                .iter()
                .any(|n| tag.get_by_name(n).is_some()))
}

fn integration(namespace: Namespace, tag: &StartTag<'_>) -> Integration {
    use Element::{Desc, ForeignObject, Mi, Mn, Mo, Ms, Mtext, Title};
    match (namespace, tag.element) {
        (Namespace::Svg, ForeignObject | Desc | Title) => Integration::Html,
        (Namespace::MathMl, Mi | Mo | Mn | Ms | Mtext) => Integration::MathText,
        (Namespace::MathMl, _) if tag.name.eq_ignore_ascii_case(b"annotation-xml") => {
            let is_html = tag.get(AttributeName::Encoding).is_some_and(|e| {
                e.eq_ignore_ascii_case(b"text/html")
                    || e.eq_ignore_ascii_case(b"application/xhtml+xml")
            });
            if is_html {
                Integration::Html
            } else {
                Integration::Annotation
            }
        }
        _ => Integration::None,
    }
}
