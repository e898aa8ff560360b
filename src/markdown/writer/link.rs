//! Links: where one began is kept, so that its end can tell what it shows.

use super::Writer;
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
    /// Tables that were written by then.
    tables: usize,
    permalink: bool,
}

/// The tape that content is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnTape {
    Leaf,
    LinkList,
    Table(Part),
}

impl Writer {
    /// A permalink of which only the text is written, if any.
    pub(crate) fn open_plain_link(&mut self) -> Mark {
        let mark = self.open_link("", "", true);
        self.styles.close(mark);
        mark
    }

    /// A link begins. A `permalink` that shows only a sign for "here" vanishes when it ends.
    pub(crate) fn open_link(&mut self, destination: &str, title: &str, permalink: bool) -> Mark {
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
            self.links.push(LinkStart {
                mark,
                at,
                on,
                tables: self.tables_written,
                permalink: permalink && !self.exact,
            });
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

    /// Whether the content of the leaf ends with what vanishes should a link end now.
    pub(super) fn ends_in_permalink(&self) -> bool {
        self.links.iter().any(|link| {
            let shown = || self.tape.since(link.at);
            link.permalink
                && link.on == OnTape::Leaf
                && shown().is_some_and(|(events, text)| is_sign(events, text))
        })
    }

    /// The link ends. One that shows nothing gets `label` for its text, or else its title.
    pub(crate) fn close_link(&mut self, mark: Mark, label: Option<&str>) {
        let mut unused = false;
        if let Some(index) = self.links.iter().rposition(|l| l.mark == mark) {
            let start = self.links.swap_remove(index);
            let (_, on) = self.position();
            let shows_word = on == start.on && self.current_tape().ends_in_word_behind(start.at);
            if !shows_word {
                unused = self.close_wordless_link(&start, label);
            }
        }
        self.styles.close(mark);
        if unused {
            self.styles.forget_last_target(mark);
        }
    }

    /// Returns whether no content has the link.
    #[inline(never)]
    fn close_wordless_link(&mut self, start: &LinkStart, label: Option<&str>) -> bool {
        let (now, on) = self.position();
        // The cells of a table have the link.
        if on != start.on || self.tables_written != start.tables {
            return false;
        }
        let label = match (label, start.mark) {
            (Some(label), _) => label.to_owned(),
            (None, Mark::Link(id)) => self.styles.title(id).to_owned(),
            (None, _) => String::new(),
        };
        let unused = on == OnTape::Leaf && now == start.at && !self.exact && label.is_empty();
        let exact = self.exact;
        if let Some((events, shown)) = self.current_tape().since(start.at) {
            if start.permalink && !shown.is_empty() && is_sign(events, shown) {
                self.current_tape().truncate(start.at);
                if on == OnTape::Leaf {
                    self.forget_unused_styles();
                }
            } else if events.iter().all(is_text) {
                if exact && shown.is_empty() {
                    self.nothing();
                } else if !exact && !label.is_empty() && shown.trim().is_empty() {
                    self.text(&label);
                }
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

/// The most that is taken for a sign: bytes, and events. More stays a link, so that what waits is bounded.
const MAX_SIGN: usize = 64;

fn is_text(event: &Event) -> bool {
    matches!(event, Event::Text { .. } | Event::Break { .. })
}

/// Whether content is no more than what a link to its own heading shows, or nothing so far.
fn is_sign(events: &[Event], text: &str) -> bool {
    let is_sign = |c| {
        matches!(
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
        )
    };
    events.len() <= MAX_SIGN
        && text.len() <= MAX_SIGN
        && events.iter().all(is_text)
        && text.chars().all(is_sign)
}
