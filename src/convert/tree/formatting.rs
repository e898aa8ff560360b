//! The list of active formatting elements (WHATWG HTML §13.2.4.3).

use super::Kept;
use crate::convert::element::Element;

/// Active formatting elements behind the last marker at most.
const MAX_ACTIVE: usize = 48;

/// Entries in all: markers may be left over, and of too many the oldest are forgotten.
const MAX_ENTRIES: usize = 1024;

#[derive(Debug, Clone, Copy)]
pub(super) struct Active {
    pub(super) element: Element,
    pub(super) kept: Kept,
    /// That of the node on the stack.
    pub(super) id: u32,
    /// A hash of them, to tell equal elements from different ones.
    attributes: u32,
    /// It is on the stack.
    pub(super) open: bool,
}

#[derive(Debug, Clone, Copy)]
enum Entry {
    Marker,
    Element(Active),
}

#[derive(Debug)]
pub(super) struct ActiveFormatting {
    entries: Vec<Entry>,
    next_id: u32,
}

impl ActiveFormatting {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            next_id: 1,
        }
    }

    pub(super) fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        // 0 stands for "not on the list".
        self.next_id = self.next_id.checked_add(1).unwrap_or(1);
        id
    }

    /// Puts an element on the list, of which the Noah's Ark clause keeps three of a kind. Returns
    /// its number.
    pub(super) fn push(&mut self, element: Element, attributes: u32, kept: Kept) -> u32 {
        let (mut same, mut active, mut earliest, mut earliest_same) = (0, 0, None, None);
        for (index, entry) in self.entries.iter().enumerate().rev() {
            let Entry::Element(other) = entry else {
                break;
            };
            active += 1;
            earliest = Some(index);
            if other.element == element && other.attributes == attributes {
                same += 1;
                earliest_same = Some(index);
            }
        }
        let surplus = if same >= 3 {
            earliest_same
        } else if active >= MAX_ACTIVE {
            earliest
        } else {
            None
        };
        if let Some(index) = surplus {
            self.entries.remove(index);
        }
        let id = self.take_id();
        self.entries.push(Entry::Element(Active {
            element,
            kept,
            id,
            attributes,
            open: true,
        }));
        id
    }

    pub(super) fn push_marker(&mut self) {
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.drain(..MAX_ENTRIES / 2);
        }
        self.entries.push(Entry::Marker);
    }

    pub(super) fn clear_to_marker(&mut self) {
        while !matches!(self.entries.pop(), None | Some(Entry::Marker)) {}
    }

    /// Whether an element is to be opened again before anything is inserted.
    pub(super) fn is_pending(&self) -> bool {
        matches!(
            self.entries.last(),
            Some(Entry::Element(Active { open: false, .. }))
        )
    }

    /// The first of the elements to be opened again, which go on to the end of the list.
    pub(super) fn first_pending(&self) -> usize {
        self.entries
            .iter()
            .rposition(|e| !matches!(e, Entry::Element(Active { open: false, .. })))
            .map_or(0, |i| i + 1)
    }

    /// The element at this place of the list, unless there is none.
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Active> {
        match self.entries.get_mut(index)? {
            Entry::Element(active) => Some(active),
            Entry::Marker => None,
        }
    }

    /// The last of this kind behind the last marker.
    pub(super) fn find(&self, element: Element) -> Option<Active> {
        self.entries
            .iter()
            .rev()
            .map_while(|e| match e {
                Entry::Element(active) => Some(*active),
                Entry::Marker => None,
            })
            .find(|a| a.element == element)
    }

    fn position(&self, id: u32) -> Option<usize> {
        self.entries
            .iter()
            .rposition(|e| matches!(e, Entry::Element(a) if a.id == id))
    }

    pub(super) fn contains(&self, id: u32) -> bool {
        id != 0 && self.position(id).is_some()
    }

    /// Takes an element off the list if it is the last there.
    pub(super) fn take_last(&mut self, id: u32) -> bool {
        let is_last = matches!(self.entries.last(), Some(Entry::Element(a)) if a.id == id);
        if is_last {
            self.entries.pop();
        }
        is_last
    }

    /// Gives an element another number.
    pub(super) fn renew(&mut self, id: u32) -> u32 {
        let fresh = self.take_id();
        if let Some(index) = self.position(id)
            && let Some(active) = self.get_mut(index)
        {
            active.id = fresh;
        }
        fresh
    }

    pub(super) fn remove(&mut self, id: u32) {
        if let Some(index) = self.position(id) {
            self.entries.remove(index);
        }
    }

    /// Moves an element to right behind another.
    pub(super) fn move_behind(&mut self, id: u32, other: u32) {
        if let (Some(from), Some(to)) = (self.position(id), self.position(other)) {
            if from < to {
                self.entries[from..=to].rotate_left(1);
            } else {
                self.entries[to + 1..=from].rotate_right(1);
            }
        }
    }

    /// The element has left the stack. Returns whether it is to be opened again.
    pub(super) fn closed(&mut self, id: u32) -> bool {
        if let Some(index) = self.position(id)
            && let Some(active) = self.get_mut(index)
        {
            active.open = false;
            return true;
        }
        false
    }
}
