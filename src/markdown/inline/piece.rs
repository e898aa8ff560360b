//! One event among its neighbours: what the writing of it needs to look ahead for.

use super::Piece;
use crate::markdown::escape::brackets_balance;
use crate::markdown::style::{Chain, Mark};
use crate::markdown::tape::Event;

impl Piece<'_> {
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

    /// The character behind the text that a mark is twice around, from this event on.
    pub(super) fn char_behind_nested(&self, mark: Mark) -> char {
        let twice = |chain: &Chain| {
            let marks = self.styles.marks(*chain);
            marks.iter().filter(|m| **m == mark).count() > 1
        };
        let mut start = self.content.start;
        for (index, event) in self.content.events.iter().enumerate() {
            match event {
                Event::Text { end, chain } => {
                    if index > self.index && !twice(chain) {
                        return self.content.text[start..].chars().next().unwrap_or('\n');
                    }
                    start = *end as usize;
                }
                Event::Image { chain, .. } | Event::Nothing { chain }
                    if index > self.index && !twice(chain) =>
                {
                    return '!';
                }
                _ => {}
            }
        }
        '\n'
    }

    pub(super) fn brackets_balance(&self, mark: Mark) -> bool {
        let mut depth = 0;
        self.covered(mark).all(|(event, text)| match event {
            Event::Text { chain, .. } if !self.styles.has_code(*chain) => {
                brackets_balance(text, &mut depth)
            }
            _ => true,
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
