//! The links of the navigation that is left out of a page, kept for its end.

use std::collections::HashSet;

/// What is kept of the navigation.
#[derive(Debug)]
pub(super) struct Navigation {
    links: Vec<Link>,
    /// The destinations of the links: each is kept once.
    seen: HashSet<String>,
    /// The text of the last link is still coming.
    open: bool,
    /// How many more bytes may be kept.
    room: usize,
}

#[derive(Debug)]
pub(super) struct Link {
    pub(super) destination: String,
    pub(super) text: String,
    /// What the link is called if it has no text.
    pub(super) label: String,
}

impl Navigation {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            links: Vec::new(),
            seen: HashSet::new(),
            open: false,
            room: limit,
        }
    }

    /// A link begins. One that does not fit is left out.
    pub(super) fn open(&mut self, destination: String, label: String) {
        self.open = false;
        let size = 2 * destination.len() + label.len() + size_of::<Link>();
        if size > self.room || !self.seen.insert(destination.clone()) {
            return;
        }
        self.room -= size;
        self.open = true;
        self.links.push(Link {
            destination,
            text: String::new(),
            label,
        });
    }

    /// The next text of the open link, cut where there is no more room.
    pub(super) fn push(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut().filter(|_| self.open) {
            let mut end = text.len().min(self.room);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            link.text.push_str(&text[..end]);
            // What did not fit is the end: nothing shorter that follows goes before it.
            self.room = if end < text.len() { 0 } else { self.room - end };
        }
    }

    pub(super) fn close(&mut self) {
        self.open = false;
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    pub(super) fn take(&mut self) -> Vec<Link> {
        std::mem::take(&mut self.links)
    }
}
