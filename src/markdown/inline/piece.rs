//! One event among its neighbours: what the writing of it needs to look ahead for.

use super::Piece;
use crate::markdown::escape::brackets_balance;
use crate::markdown::style::{Chain, Mark};
use crate::markdown::tape::Event;

impl Piece<'_> {
    /// Whether more text of the same event follows later.
    pub(super) fn is_cut(&self) -> bool {
        self.content.cut.is_some() && self.index + 1 == self.content.events.len()
    }

    /// The first character of what follows later.
    pub(super) fn char_behind_cut(&self) -> char {
        let cut = self.content.cut.unwrap_or(self.content.text.len());
        self.content.text[cut..].chars().next().unwrap_or(' ')
    }

    /// Whether more text with the mark follows later.
    pub(super) fn cuts(&self, mark: Mark) -> bool {
        self.content.cut.is_some()
            && matches!(
                self.content.events.last(),
                Some(Event::Text { chain, .. }) if self.styles.marks(*chain).contains(&mark)
            )
    }

    /// The events from this one on that the mark is around, with their text.
    pub(super) fn covered(&self, mark: Mark) -> impl Iterator<Item = (&Event, &str)> {
        let events = self.content.events;
        let mut start = match self.index.checked_sub(1).map(|_| &events[..self.index]) {
            Some(before) => before.iter().rev().find_map(|e| match e {
                Event::Text { end, .. } | Event::CodeText { end } => Some(*end as usize),
                _ => None,
            }),
            None => None,
        }
        .unwrap_or(self.content.start);
        events[self.index..]
            .iter()
            .take_while(move |e| match e {
                Event::Text { chain, .. }
                | Event::Break { chain }
                | Event::Nothing { chain }
                | Event::Image { chain, .. } => self.styles.marks(*chain).contains(&mark),
                _ => false,
            })
            .map(move |e| {
                let mut text = "";
                if let Event::Text { end, .. } = e {
                    text = &self.content.text[start..*end as usize];
                    start = *end as usize;
                }
                (e, text)
            })
    }

    /// The character that stands behind this event, which is the last that the mark is around:
    /// where marks open there, one of theirs.
    pub(super) fn char_behind(&self, mark: Mark) -> char {
        let Some((Event::Text { end, chain }, next)) = self
            .content
            .events
            .get(self.index)
            .zip(self.content.events.get(self.index + 1))
        else {
            return '\n';
        };
        match next {
            Event::Break { .. } => '\n',
            Event::Text { chain: next, .. } => {
                let around = self.styles.marks(*chain).split(|m| *m == mark).next();
                let stay = around.is_some_and(|a| a.starts_with(self.styles.marks(*next)));
                let first = self.content.text[*end as usize..].chars().next();
                if stay { first.unwrap_or('\n') } else { '*' }
            }
            _ => '*',
        }
    }

    /// The last character of the text that the innermost mark is around, and the one behind it; if
    /// that is all in one event and the mark in the mark ends with it.
    pub(super) fn end_of_nested(&self, mark: Mark) -> Option<(char, char)> {
        let is_nested = |chain: Chain| {
            let marks = self.styles.marks(chain);
            marks.iter().filter(|m| **m == mark).count() > 1
        };
        let (event, text) = self.covered(mark).next()?;
        let &Event::Text { chain, .. } = event else {
            return None;
        };
        if self.styles.marks(chain).last() != Some(&mark) {
            return None;
        }
        let last = text.trim_end_matches(' ').chars().next_back()?;
        let next = match self.content.events.get(self.index + 1) {
            None => Some('\n').filter(|_| self.content.cut.is_none()),
            Some(Event::Break { chain }) => Some('\n').filter(|_| !is_nested(*chain)),
            Some(Event::Text { chain, .. }) if !is_nested(*chain) => {
                let text = &self.content.text[self.end_of_text()..];
                text.chars().next()
            }
            _ => None,
        };
        let behind = if text.ends_with(' ') { Some(' ') } else { next };
        Some((last, next.and(behind)?))
    }

    /// Where in the text the event ends.
    pub(super) fn end_of_text(&self) -> usize {
        let before = self.content.events[..=self.index].iter().rev();
        let mut ends = before.filter_map(|e| match e {
            Event::Text { end, .. } | Event::CodeText { end } => Some(*end as usize),
            _ => None,
        });
        ends.next().unwrap_or(self.content.start)
    }

    /// Whether the brackets in the text of a link pair up and make no link of their own.
    pub(super) fn brackets_balance(&self, mark: Mark) -> bool {
        let (mut depth, mut closed) = (0, false);
        self.covered(mark).all(|(event, text)| {
            let Event::Text { chain, .. } = event else {
                closed = false;
                return true;
            };
            if self.styles.has_code(*chain) {
                closed = false;
                return true;
            }
            let goes_on = closed && text.starts_with(['(', '[']);
            closed = text.ends_with(']');
            !goes_on && brackets_balance(text, &mut depth)
        }) && depth == 0
    }

    /// Whether the link shows nothing but its own address (CommonMark §6.5).
    pub(super) fn is_autolink(&self, target: u32, text: &str, mark: Mark) -> bool {
        let destination = self.styles.destination(target);
        let same = destination == text || destination.strip_prefix("mailto:") == Some(text);
        same && self.styles.title(target).is_empty()
            && ["http://", "https://", "mailto:"]
                .iter()
                .any(|s| destination.starts_with(s))
            && !destination
                .bytes()
                .any(|b| b <= b' ' || matches!(b, b'<' | b'>' | b'|' | b'\\' | b'&' | 0x7F..))
            && self.covered(mark).count() == 1
    }
}
