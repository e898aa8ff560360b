//! Links: where one began is kept, so that its end can tell what it shows.

use super::Writer;
use super::cut::Cuts;
use crate::markdown::style::Mark;
use crate::markdown::table::Part;
use crate::markdown::tape::{Event, Position};

/// Links that are open at one time at most whose beginnings are kept.
const MAX_LINKS: usize = 16;

#[derive(Debug)]
pub(super) struct LinkStart {
    mark: Mark,
    at: Position,
    on: OnTape,
}

/// The tape that content is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnTape {
    Leaf,
    LinkList,
    Table(Part),
}

impl Writer {
    /// A link of which only the text is written. It is opened so that its end can tell whether the text
    /// is no more than a sign, see [`Writer::close_link`].
    pub(crate) fn open_plain_link(&mut self) -> Mark {
        let mark = self.open_link("", "");
        self.styles.close(mark);
        mark
    }

    pub(crate) fn open_link(&mut self, destination: &str, title: &str) -> Mark {
        self.raised = false;
        if self.link_lists.is_broken_by_link(destination) {
            self.write_link_lists();
        }
        let target = self.styles.add_target(destination, title, "");
        let mark = Mark::Link(target);
        self.styles.open(mark);
        self.link_lists.link(target);
        let (at, on) = self.position();
        if self.links.len() < MAX_LINKS {
            self.links.push(LinkStart { mark, at, on });
        }
        mark
    }

    pub(super) fn position(&mut self) -> (Position, OnTape) {
        let on = if self.link_lists.is_recording() {
            OnTape::LinkList
        } else if self.tables.is_recording() {
            OnTape::Table(self.tables.part())
        } else {
            OnTape::Leaf
        };
        (self.current_tape().position(), on)
    }

    /// Where a link points to, and its title, as long as it is open.
    pub(crate) fn link(&self, id: u32) -> Option<(&str, &str)> {
        self.styles
            .is_open(Mark::Link(id))
            .then(|| (self.styles.destination(id), self.styles.title(id)))
    }

    /// The link ends. One that shows nothing gets `label` for its text, or else its title; one that
    /// shows only a sign for "here" goes, if `permalink`.
    pub(crate) fn close_link(&mut self, mark: Mark, label: Option<&str>, permalink: bool) {
        let mut unused = false;
        if let Some(index) = self.links.iter().rposition(|l| l.mark == mark) {
            let start = self.links.swap_remove(index);
            let (_, on) = self.position();
            let shows_word = on == start.on && self.current_tape().ends_in_word_behind(start.at);
            if !shows_word {
                unused = self.close_wordless_link(&start, label, permalink);
            }
        }
        self.styles.close(mark);
        if unused {
            self.styles.forget_last_target(mark);
        }
    }

    /// Returns whether no content has the link.
    #[inline(never)]
    fn close_wordless_link(
        &mut self,
        start: &LinkStart,
        label: Option<&str>,
        permalink: bool,
    ) -> bool {
        let (now, on) = self.position();
        if on != start.on {
            return false;
        }
        let label = match (label, start.mark) {
            (Some(label), _) => label.to_owned(),
            (None, Mark::Link(id)) => self.styles.title(id).to_owned(),
            (None, _) => String::new(),
        };
        let unused = on == OnTape::Leaf && now == start.at && !self.exact && label.is_empty();
        let exact = self.exact;
        if let Some((events, shown)) = self.current_tape().since(start.at)
            && events
                .iter()
                .all(|e| matches!(e, Event::Text { .. } | Event::Break { .. }))
        {
            if exact {
                if shown.is_empty() {
                    self.nothing();
                }
            } else if permalink && is_permalink_sign(shown) {
                self.current_tape().truncate(start.at);
                if on == OnTape::Leaf {
                    self.cuts = Cuts::default();
                    self.forget_unused_styles();
                }
            } else if !label.is_empty() && shown.trim().is_empty() {
                self.text(&label);
            }
        }
        unused
    }

    /// A link around nothing.
    fn nothing(&mut self) {
        let chain = self.styles.current();
        let tape = self.inline_tape();
        tape.push_nothing(chain);
        self.keep_bounds();
    }
}

/// Signs that a link to its own heading shows.
fn is_permalink_sign(text: &str) -> bool {
    let mut any = false;
    for c in text.chars() {
        if !matches!(
            c,
            '¶' | '#'
                | '§'
                | '🔗'
                | '⚓'
                | '\u{200B}'
                | '\u{FE0F}'
                | '\u{FEFF}'
                | '\u{F0C1}'
                | ' '
                | '\u{A0}'
        ) {
            return false;
        }
        any = true;
    }
    any
}
