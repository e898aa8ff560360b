//! The table modes (WHATWG HTML §13.2.6.4.9 to 15).

use super::stack::Scope;
use super::{Sink, Tree};
use crate::convert::element::Element;
use crate::convert::tag::StartTag;

impl Tree {
    /// The start tag of a piece of table structure. Outside of a table it is ignored.
    pub(super) fn start_table_part(&mut self, tag: &StartTag<'_>, sink: &mut impl Sink) {
        use Element::{Tbody, Td, Tfoot, Th, Thead, Tr};
        if self
            .elements
            .in_scope(Element::Table, Scope::Table)
            .is_none()
        {
            return;
        }
        match tag.element {
            Tr => {
                self.pop_to_context(&[Tbody, Tfoot, Thead], sink);
                self.imply_row_group(sink);
            }
            Td | Th => {
                self.pop_to_context(&[Tr, Tbody, Tfoot, Thead], sink);
                self.imply_row_group(sink);
                if self.elements.table_context().is_some_and(|(_, e)| e != Tr) {
                    self.push_implied(Tr, sink);
                }
            }
            _ => self.pop_to_context(&[], sink),
        }
        self.insert(tag, sink);
    }

    /// A table that begins where only parts of one may stand closes that one.
    pub(super) fn close_table_around(&mut self, sink: &mut impl Sink) {
        if self.elements.in_table_mode()
            && let Some(table) = self.elements.in_scope(Element::Table, Scope::Table)
        {
            self.pop_to(table, sink);
        }
    }

    fn imply_row_group(&mut self, sink: &mut impl Sink) {
        if self
            .elements
            .table_context()
            .is_some_and(|(_, e)| e == Element::Table)
        {
            self.push_implied(Element::Tbody, sink);
        }
    }

    /// Pops to the innermost of these elements, or else to the table.
    fn pop_to_context(&mut self, context: &[Element], sink: &mut impl Sink) {
        while let Some((index, element)) = self.elements.table_context() {
            if matches!(element, Element::Table | Element::Template) || context.contains(&element) {
                return self.pop_to(index + 1, sink);
            }
            self.pop_to(index, sink);
            if element.sets_marker() {
                self.formatting.clear_to_marker();
            }
        }
    }

    /// The end tag of a table or of a part of it.
    pub(super) fn end_table_part(&mut self, element: Element, sink: &mut impl Sink) {
        let Some(index) = self.elements.in_scope(element, Scope::Table) else {
            return;
        };
        let cell = self.elements.table_context();
        self.pop_to(index, sink);
        if cell.is_some_and(|(_, e)| e.sets_marker()) {
            self.formatting.clear_to_marker();
        }
    }
}
