//! Content that waits to be written: text with collapsed blanks, and what stands between it.

use super::block::Block;
use super::collapse::{Edge, is_blank, words};
use super::style::{Chain, Mark, Styles};
use std::ops::Range;

/// One piece of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// Text up to this end on the tape.
    Text {
        end: u32,
        chain: Chain,
    },
    /// A link around nothing, where even that is to be written.
    Nothing {
        chain: Chain,
    },
    /// A line break within a block.
    Break {
        chain: Chain,
    },
    /// An image by its target.
    Image {
        target: u32,
        chain: Chain,
    },
    /// Text of a code block up to this end, exact to the byte.
    CodeText {
        end: u32,
    },
    Block(Block),
}

/// Where on a tape the text of its first events ends, of which these are all.
pub(super) fn end_of_text(events: &[Event]) -> usize {
    let end = events.iter().rev().find_map(|e| match e {
        Event::Text { end, .. } | Event::CodeText { end } => Some(*end as usize),
        _ => None,
    });
    end.unwrap_or(0)
}

#[derive(Debug, Default)]
pub(super) struct Tape {
    text: String,
    events: Vec<Event>,
    edge: Edge,
    /// How much text and how many events were taken from the front: positions count from there.
    taken: Position,
}

impl Tape {
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Bytes of memory in use, about.
    pub(super) fn size(&self) -> usize {
        self.text.len() + self.events.len() * size_of::<Event>()
    }

    /// As [`Tape::size`], with what was taken before.
    pub(super) fn total(&self) -> usize {
        self.taken.text + self.taken.events * size_of::<Event>() + self.size()
    }

    pub(super) fn clear(&mut self) {
        self.taken = self.position();
        self.text.clear();
        self.events.clear();
        self.edge = Edge::LineStart;
    }

    /// Takes all content.
    pub(super) fn take(&mut self) -> Self {
        let taken = self.position();
        std::mem::replace(
            self,
            Self {
                taken,
                ..Self::default()
            },
        )
    }

    /// Gives the content of these events other marks.
    pub(super) fn change_chains(
        &mut self,
        events: Range<usize>,
        mut change: impl FnMut(Chain) -> Chain,
    ) {
        for event in &mut self.events[events] {
            match event {
                Event::Text { chain, .. }
                | Event::Nothing { chain }
                | Event::Break { chain }
                | Event::Image { chain, .. } => {
                    *chain = change(*chain);
                }
                Event::CodeText { .. } | Event::Block(_) => {}
            }
        }
    }

    pub(super) fn last_char(&self) -> Option<char> {
        if self.edge == Edge::Text {
            self.text.chars().next_back()
        } else {
            None
        }
    }

    /// Appends text, its white space collapsed as CSS does for `white-space: normal`: a run of it
    /// is one blank, also across elements, and none at the start of a line.
    pub(super) fn push_text(&mut self, text: &str, chain: Chain) {
        let before = self.text.len();
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            let (length, edge) = words(&bytes[at..], self.edge);
            self.text.push_str(&text[at..at + length]);
            self.edge = edge;
            at += length;
            if at == bytes.len() {
                break;
            }
            if edge == Edge::Text {
                self.text.push(' ');
                self.edge = Edge::Blank;
            }
            while bytes.get(at).is_some_and(|&b| is_blank(b)) {
                at += 1;
            }
        }
        if self.text.len() > before {
            self.extend_text(chain);
        }
    }

    /// The text has grown: so does its event.
    fn extend_text(&mut self, chain: Chain) {
        let new_end = self.text.len() as u32;
        match self.events.last_mut() {
            Some(Event::Text { end, chain: last }) if *last == chain => *end = new_end,
            _ => self.events.push(Event::Text {
                end: new_end,
                chain,
            }),
        }
    }

    pub(super) fn push_break(&mut self, chain: Chain) {
        self.edge = Edge::LineStart;
        self.events.push(Event::Break { chain });
    }

    pub(super) fn push_nothing(&mut self, chain: Chain) {
        self.edge = Edge::Text;
        self.events.push(Event::Nothing { chain });
    }

    pub(super) fn push_image(&mut self, target: u32, chain: Chain) {
        self.edge = Edge::Text;
        self.events.push(Event::Image { target, chain });
    }

    pub(super) fn push_code_text(&mut self, text: &str) {
        self.text.push_str(text);
        let new_end = self.text.len() as u32;
        match self.events.last_mut() {
            Some(Event::CodeText { end }) => *end = new_end,
            _ => self.events.push(Event::CodeText { end: new_end }),
        }
    }

    pub(super) fn push_block(&mut self, block: Block) {
        self.edge = Edge::LineStart;
        self.events.push(Event::Block(block));
    }

    /// Whether there is anything on it but blanks.
    pub(super) fn shows_text(&self) -> bool {
        let last = self.events.len().checked_sub(1);
        last.is_some_and(|last| self.shows_text_up_to(last, None))
    }

    /// Whether there is anything but blanks up to this event, or up to the cut in its text.
    pub(super) fn shows_text_up_to(&self, index: usize, cut: Option<usize>) -> bool {
        let events = &self.events[..=index];
        let end = cut.unwrap_or_else(|| end_of_text(events));
        let blank = |e: &Event| matches!(e, Event::Text { .. } | Event::Break { .. });
        !events.iter().all(blank) || !self.text[..end].trim().is_empty()
    }

    /// Drops the blanks at the end of all content, those that do not collapse too: there is nothing
    /// behind them. Only [`Tape::clear`] may follow: no place is on the tape twice.
    pub(super) fn trim_end(&mut self) {
        let before = self.position();
        while let Some(&Event::Text { .. }) = self.events.last() {
            let start = end_of_text(&self.events[..self.events.len() - 1]);
            let kept = start + self.text[start..].trim_end().len();
            self.text.truncate(kept);
            if kept > start {
                if let Some(Event::Text { end, .. }) = self.events.last_mut() {
                    *end = kept as u32;
                }
                break;
            }
            self.events.pop();
        }
        let after = self.position();
        self.taken.text += before.text - after.text;
        self.taken.events += before.events - after.events;
    }

    /// Cuts the tape back to a place, for content that turned out to say nothing.
    pub(super) fn truncate(&mut self, to: Position) {
        let text = to.text.saturating_sub(self.taken.text);
        self.text.truncate(text);
        self.events
            .truncate(to.events.saturating_sub(self.taken.events));
        if let Some(Event::Text { end, .. }) = self.events.last_mut() {
            *end = text as u32;
        }
        self.edge = match self.events.last() {
            None | Some(Event::Break { .. } | Event::Block(_)) => Edge::LineStart,
            Some(_) if self.text.ends_with(' ') => Edge::Blank,
            Some(_) => Edge::Text,
        };
    }

    /// The place where the next content goes.
    pub(super) fn position(&self) -> Position {
        Position {
            text: self.taken.text + self.text.len(),
            events: self.taken.events + self.events.len(),
        }
    }

    /// Whether the text on the tape ends in a word, of which some stands behind a place.
    pub(super) fn ends_in_word_behind(&self, from: Position) -> bool {
        self.position().text > from.text
            && matches!(self.text.as_bytes(), [.., last] if last.is_ascii_alphanumeric())
    }

    /// The content behind a place, unless some of it was taken already.
    pub(super) fn since(&self, from: Position) -> Option<(&[Event], &str)> {
        let (events, text) = self.index(from)?;
        // An event that text was added to is not a new one.
        Some((self.events.get(events..)?, self.text.get(text..)?))
    }

    /// Where on the tape a place is: among the events and in the text.
    fn index(&self, at: Position) -> Option<(usize, usize)> {
        let text = at.text.checked_sub(self.taken.text)?;
        let events = at.events.checked_sub(self.taken.events)?;
        Some((events, text))
    }

    /// Takes a mark off the content behind a place, unless it is around all that shows there, or
    /// there is more than text and images.
    pub(super) fn unmark_part(&mut self, from: Position, mark: Mark, styles: &mut Styles) {
        let Some((first, start)) = self.index(from) else {
            return;
        };
        let Some(events) = self.events.get(first..) else {
            return;
        };
        let (mut start, mut all) = (start, true);
        for event in events {
            let (shows, chain) = match *event {
                Event::Text { end, chain } => {
                    let text = start..std::mem::replace(&mut start, end as usize);
                    (!self.text[text.start..start].trim().is_empty(), chain)
                }
                Event::Break { chain } => (false, chain),
                Event::Image { chain, .. } | Event::Nothing { chain } => (true, chain),
                Event::CodeText { .. } | Event::Block(_) => return,
            };
            all &= !shows || styles.marks(chain).contains(&mark);
        }
        if !all {
            self.change_chains(first..self.events.len(), |c| styles.without(c, mark));
            self.join(first);
        }
    }

    /// Makes texts side by side with the same marks one, from this event on.
    fn join(&mut self, first: usize) {
        let mut kept = first;
        for index in first..self.events.len() {
            let event = self.events[index];
            if let Event::Text {
                end: new_end,
                chain,
            } = event
                && kept > first
                && let Event::Text { end, chain: last } = &mut self.events[kept - 1]
                && *last == chain
            {
                *end = new_end;
            } else {
                self.events[kept] = event;
                kept += 1;
            }
        }
        self.events.truncate(kept);
    }

    /// Drops the events before `event` and the text before `text`, which have been written.
    pub(super) fn drain(&mut self, event: usize, text: usize) {
        self.taken.events += event;
        self.taken.text += text;
        self.events.drain(..event);
        self.text.drain(..text);
        for event in &mut self.events {
            if let Event::Text { end, .. } | Event::CodeText { end } = event {
                *end -= text as u32;
            }
        }
    }
}

/// A place on a tape, also when content before it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Position {
    text: usize,
    events: usize,
}
