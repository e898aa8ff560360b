//! Links that formatting may open again.

use std::collections::VecDeque;

/// Links remembered: one is open at a time, save for those around tables in tables.
const MAX_ANCHORS: usize = 16;

/// A link that was opened.
#[derive(Debug, Default)]
pub(super) struct Anchor {
    id: u32,
    /// The destination, the title, and the label unless that is the title.
    text: String,
    destination_end: usize,
    title_end: usize,
    label_start: usize,
    permalink: bool,
}

impl Anchor {
    pub(super) fn destination(&self) -> &str {
        &self.text[..self.destination_end]
    }

    pub(super) fn title(&self) -> &str {
        &self.text[self.destination_end..self.title_end]
    }

    /// What the link is called if it shows nothing.
    pub(super) fn label(&self) -> &str {
        &self.text[self.label_start..]
    }

    /// It may say no more than "here".
    pub(super) fn is_permalink(&self) -> bool {
        self.permalink
    }
}

/// The latest links.
#[derive(Debug, Default)]
pub(super) struct Anchors(VecDeque<Anchor>);

impl Anchors {
    /// Remembers a link. Without a label its title is one.
    pub(super) fn add(
        &mut self,
        id: u32,
        destination: &str,
        title: &str,
        label: Option<&str>,
        permalink: bool,
    ) {
        // The memory of the oldest is used again.
        let oldest = if self.0.len() >= MAX_ANCHORS {
            self.0.pop_front()
        } else {
            None
        };
        let mut anchor = oldest.unwrap_or_default();
        let text = &mut anchor.text;
        text.clear();
        text.reserve(destination.len() + title.len() + label.map_or(0, str::len));
        text.push_str(destination);
        let destination_end = text.len();
        text.push_str(title);
        let title_end = text.len();
        let label_start = match label {
            Some(label) => {
                text.push_str(label);
                title_end
            }
            None => destination_end,
        };
        self.0.push_back(Anchor {
            id,
            destination_end,
            title_end,
            label_start,
            permalink,
            ..anchor
        });
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn get(&self, id: u32) -> Option<&Anchor> {
        self.0.iter().rev().find(|a| a.id == id)
    }

    pub(super) fn take(&mut self, id: u32) -> Option<Anchor> {
        let index = self.0.iter().rposition(|a| a.id == id)?;
        self.0.remove(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_links_are_remembered_whole() {
        let mut anchors = Anchors::default();
        for id in 1..=20 {
            let label = (id % 2 == 0).then_some("label");
            anchors.add(id, "/to", "title", label, id == 20);
        }
        assert!(anchors.get(4).is_none());
        let parts = |a: &Anchor| {
            let parts = [a.destination(), a.title(), a.label()];
            (parts.map(str::to_owned), a.is_permalink())
        };
        let odd = (["/to", "title", "title"].map(str::to_owned), false);
        let even = (["/to", "title", "label"].map(str::to_owned), true);
        assert_eq!(anchors.get(19).map(parts), Some(odd));
        assert_eq!(anchors.take(20).as_ref().map(parts), Some(even));
        assert!(anchors.get(20).is_none());
    }
}
