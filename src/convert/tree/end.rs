//! End tags (WHATWG HTML §13.2.6.4.7), the adoption agency among them.

use super::stack::{Node, Scope};
use super::{Sink, Stage, Tree, hash};
use crate::convert::element::Element;

impl Tree {
    pub(in crate::convert) fn end(&mut self, element: Element, name: &[u8], sink: &mut impl Sink) {
        #[allow(clippy::enum_glob_use, reason = "most of the elements stand here")]
        use Element::*;
        self.end_text_in_table(sink);
        if self.elements.top().is_some_and(|n| !n.is_html()) {
            if matches!(element, P | Br) {
                self.leave_foreign(sink);
            } else if self.end_foreign(name, sink) {
                return;
            }
        }
        if self.elements.end_beyond(element) {
            return;
        }
        if self.stage != Stage::Body && !self.end_before_body(element, sink) {
            return;
        }
        match element {
            Head | Html | Body | Frame | Frameset => {}
            Br => {
                self.insert_phantom(Br, sink);
            }
            P => {
                if self.elements.in_scope(P, Scope::Button).is_none() {
                    self.insert_phantom(P, sink);
                }
                self.close_p(sink);
            }
            Li => self.end_scoped(Li, Scope::ListItem, sink),
            Dd | Dt => self.end_scoped(element, Scope::Default, sink),
            H1 | H2 | H3 | H4 | H5 | H6 => {
                if let Some(index) = self.elements.heading_in_scope() {
                    self.pop_to(index, sink);
                }
            }
            Form => self.end_form(sink),
            Table | Caption | Tbody | Tfoot | Thead | Tr | Td | Th => {
                self.end_table_part(element, sink);
            }
            Template => {
                if let Some(index) = self.elements.position(Template) {
                    self.pop_to(index, sink);
                    self.formatting.clear_to_marker();
                }
            }
            Applet | Marquee | Object => {
                if let Some(index) = self.elements.in_scope(element, Scope::Default) {
                    self.pop_to(index, sink);
                    self.formatting.clear_to_marker();
                }
            }
            _ if element.is_formatting() => self.adoption_agency(element, sink),
            _ if element.has_scoped_end() => self.end_scoped(element, Scope::Default, sink),
            _ => self.end_any_other(element, name, sink),
        }
    }

    /// The modes before the body. Returns whether the tag counts as one of the body's.
    fn end_before_body(&mut self, element: Element, sink: &mut impl Sink) -> bool {
        use Element::{Body, Br, Head, Html};
        if self.stage == Stage::Initial {
            self.stage = Stage::Head;
        }
        match element {
            // Nothing is open that these could close, but for what a template holds and an
            // element whose text is no markup.
            _ if self.elements.len() > 0 => {}
            Head => self.end_head(sink),
            Body | Html | Br => self.leave_head(sink),
            _ => return false,
        }
        true
    }

    /// An end tag without a start that stands for an element: `</br>` and `</p>`.
    fn insert_phantom(&mut self, element: Element, sink: &mut impl Sink) {
        let misplaced = self.elements.in_table_mode();
        if element == Element::Br {
            self.reconstruct_formatting(sink);
        }
        if misplaced {
            self.start_misplaced(sink);
        }
        let kept = sink.open_implied(element);
        let mut node = Node::html(element, kept);
        node.misplaced = misplaced;
        let open = !element.is_void() && self.push(node, sink);
        if misplaced && !open {
            self.end_misplaced(sink);
        }
    }

    fn end_scoped(&mut self, element: Element, scope: Scope, sink: &mut impl Sink) {
        if let Some(index) = self.elements.in_scope(element, scope) {
            self.pop_to(index, sink);
        }
    }

    /// The form leaves the stack; what is open inside of it stays, except in a template.
    fn end_form(&mut self, sink: &mut impl Sink) {
        let in_template = self.elements.has(Element::Template);
        if !in_template && !std::mem::take(&mut self.form) {
            return;
        }
        let Some(index) = self.elements.in_scope(Element::Form, Scope::Default) else {
            return;
        };
        if in_template {
            return self.pop_to(index, sink);
        }
        self.imply_end_tags(None, sink);
        self.remove(index, sink);
    }

    fn end_any_other(&mut self, element: Element, name: &[u8], sink: &mut impl Sink) {
        let name_hash = match element {
            Element::Other => hash(name),
            _ => 0,
        };
        if let Some(index) = self.elements.ordinary(element, name_hash) {
            self.pop_to(index, sink);
        }
    }

    /// Returns whether the tag was one of foreign content; if not, the rules of HTML apply.
    fn end_foreign(&mut self, name: &[u8], sink: &mut impl Sink) -> bool {
        let name = hash(name);
        let open = self.elements.nodes();
        let foreign = open.iter().rev().take_while(|n| !n.is_html());
        let Some(above) = foreign.clone().position(|n| n.name_hash == name) else {
            return false;
        };
        let index = open.len() - 1 - above;
        self.pop_to(index, sink);
        true
    }

    pub(super) fn close_p(&mut self, sink: &mut impl Sink) {
        self.end_scoped(Element::P, Scope::Button, sink);
    }

    /// "Generate implied end tags" (§13.2.6.3).
    pub(super) fn imply_end_tags(&mut self, except: Option<Element>, sink: &mut impl Sink) {
        use Element::{Dd, Dt, Li, Optgroup, P, Rb, Rp, Rt, Rtc};
        while let Some(top) = self.elements.current()
            && matches!(
                top,
                Dd | Dt | Li | Optgroup | Element::Option | P | Rb | Rp | Rt | Rtc
            )
            && Some(top) != except
        {
            self.pop(sink);
        }
    }

    /// Takes an element out of the middle of the stack. What is open above is still in it.
    fn remove(&mut self, index: usize, sink: &mut impl Sink) {
        self.elements.remove(index);
        self.pop_removed(sink);
    }

    /// Takes a formatting element off the list, and off the stack if it is still there.
    pub(super) fn drop_formatting(&mut self, id: u32, sink: &mut impl Sink) {
        self.formatting.remove(id);
        if let Some(index) = self.elements.nodes().iter().rposition(|n| n.id == id) {
            self.remove(index, sink);
        }
    }

    /// The adoption agency algorithm (§13.2.6.4.7), with the effect it has on text yet to come:
    /// text that was already seen has been written where it belongs. The copies that it makes of
    /// elements go by the elements themselves.
    pub(super) fn adoption_agency(&mut self, subject: Element, sink: &mut impl Sink) {
        if let Some(top) = self.elements.top_mut()
            && top.is_html()
            && top.element == subject
        {
            // Most often it was the last to be opened, of both.
            if self.formatting.take_last(top.id) {
                top.id = 0;
                return self.pop(sink);
            }
            if !self.formatting.contains(top.id) {
                return self.pop(sink);
            }
        }
        let Some(active) = self.formatting.find(subject) else {
            return self.end_any_other(subject, b"", sink);
        };
        let open = self.elements.nodes();
        let Some(at) = open.iter().rposition(|n| n.id == active.id) else {
            return self.formatting.remove(active.id);
        };
        if !self.elements.is_in_scope(at) {
            return;
        }
        let Self {
            elements,
            formatting,
            ..
        } = self;
        let mut subject_at = at;
        let mut gone = Vec::new();
        let ends = elements.rearrange(at, |nodes| {
            for _ in 0..MAX_ROUNDS {
                let mut above = subject_at + 1..nodes.len();
                let Some(block) = above.find(|&i| nodes[i].is_special()) else {
                    return true;
                };
                // Of what stands between, the formatting elements next to the block stay.
                let (mut kept, mut nearest) = (block, None);
                for (count, i) in (subject_at + 1..block).rev().enumerate() {
                    let node = nodes[i];
                    if count < MAX_KEPT && formatting.contains(node.id) {
                        kept -= 1;
                        nodes[kept] = node;
                        nearest = nearest.or(Some(node.id));
                    } else {
                        formatting.remove(node.id);
                        gone.push(node);
                    }
                }
                nodes.drain(subject_at + 1..kept);
                let block = subject_at + 1 + (block - kept);
                nodes[subject_at..=block].rotate_left(1);
                subject_at = block;
                if let Some(nearest) = nearest {
                    formatting.move_behind(active.id, nearest);
                }
            }
            // What stays open is a copy.
            if let Some(node) = nodes.get_mut(subject_at) {
                node.id = formatting.renew(active.id);
            }
            false
        });
        for node in &gone {
            self.closed(node, sink);
        }
        if ends {
            self.pop_to(subject_at, sink);
            self.formatting.remove(active.id);
        }
    }
}

/// Times that the adoption agency moves its subject over a block.
const MAX_ROUNDS: usize = 8;

/// Formatting elements that it keeps between its subject and a block.
const MAX_KEPT: usize = 3;
