//! Definition lists: terms as paragraphs, their descriptions as the items of a list.

use super::Page;
use crate::markdown::Block;

/// A `dl` that is open.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DefinitionList {
    /// The descriptions of a term are being listed.
    in_list: bool,
}

impl Page {
    pub(super) fn open_description(&mut self) {
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

    pub(super) fn close_description(&mut self) {
        match self.definition_lists.last() {
            Some(list) if list.in_list => self.writer.block(Block::EndItem { keep_empty: false }),
            _ => self.writer.block(Block::Boundary),
        }
    }

    pub(super) fn end_descriptions(&mut self) {
        self.writer.block(Block::Boundary);
        if let Some(list) = self.definition_lists.last_mut()
            && std::mem::take(&mut list.in_list)
        {
            self.writer.block(Block::EndList);
        }
    }
}
