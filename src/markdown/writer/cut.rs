//! Where the content of an open paragraph or heading can be cut, so that what stands before that is
//! written before its end has come. What was looked at is not looked at again.

use crate::markdown::escape::{UNDECIDED, is_open_label};
use crate::markdown::style::{Chain, Mark, Styles};
use crate::markdown::tape::{Event, Tape};

/// Content without a place to cut it, beyond which it is cut anywhere: what it takes on the tape.
const UNBROKEN: usize = 16 << 10;

/// The end of what is written: in which event, and where in its text unless all of it.
pub(super) type Cut = (usize, Option<usize>);

/// How far a tape was looked at, and what was found.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// The event that is being looked at: it may still grow.
    event: usize,
    /// It counts.
    counted: bool,
    /// Where its text begins.
    start: usize,
    /// The end of the text that was looked at.
    end: usize,
    /// The first of the blanks that its text ends with, to where it was looked at.
    blank: Option<usize>,
    behind_break: bool,
    /// Where the line begins that is being looked at, unless its beginning was taken.
    line: Option<usize>,
    /// The last place to cut, of those behind which the content is known.
    place: Option<Place>,
    /// How much content stands behind that place, or behind the last cut.
    unbroken: usize,
    /// The first character of a word, which was looked for up to `words_end`.
    word: Option<usize>,
    words_end: usize,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    event: usize,
    at: usize,
    /// Where its line begins.
    line: Option<usize>,
}

impl Cuts {
    /// How much more content needs no look at it.
    pub(super) fn room(&self) -> usize {
        UNBROKEN.saturating_sub(self.unbroken)
    }

    /// Looks at what is new on the tape. Returns where to cut content that goes on for too long
    /// without a place for that; this depends on nothing but the content.
    pub(super) fn look(&mut self, tape: &Tape, styles: &Styles, exact: bool) -> Option<Cut> {
        let (events, text) = (tape.events(), tape.text());
        while let Some(event) = events.get(self.event) {
            let &Event::Text { end, chain } = event else {
                self.unbroken += size_of::<Event>();
                self.behind_break = matches!(event, Event::Break { .. });
                if self.behind_break {
                    self.line = Some(self.start);
                }
                self.event += 1;
                if self.unbroken > UNBROKEN {
                    self.unbroken = 0;
                    return Some((self.event - 1, None));
                }
                continue;
            };
            let end = end as usize;
            if !std::mem::replace(&mut self.counted, true) {
                self.unbroken += size_of::<Event>();
                if self.unbroken > UNBROKEN {
                    self.unbroken = 0;
                    return Some((self.event, Some(self.start)));
                }
            }
            let unmarked = styles.marks(chain).is_empty();
            // Blanks at the end of a block vanish, and the break before them with them.
            if std::mem::take(&mut self.behind_break)
                && unmarked
                && !text[self.start..].starts_with(char::is_whitespace)
            {
                self.found(self.start, size_of::<Event>());
            }
            let forced = if may_cut_in(styles, exact, chain) {
                self.look_at_words(&text[..end])
            } else {
                self.look_at_whole(&text[..end])
            };
            if let Some(cut) = forced {
                (self.end, self.blank, self.unbroken) = (cut, None, 0);
                return Some((self.event, Some(cut)));
            }
            let next = events.get(self.event + 1)?;
            // A blank at the end of a piece can be left to what follows, unless that makes it vanish.
            let stays = match next {
                Event::Text { .. } => !text[end..].starts_with(char::is_whitespace),
                Event::Image { .. } | Event::Nothing { .. } => true,
                Event::Break { .. } | Event::CodeText { .. } | Event::Block(_) => false,
            };
            if let Some(blank) = self.blank.take()
                && unmarked
                && blank + 1 == end
                && stays
            {
                self.found(blank, end - blank);
            }
            self.event += 1;
            self.start = end;
            self.counted = false;
        }
        None
    }

    /// A place to cut, with so much content behind it.
    fn found(&mut self, at: usize, behind: usize) {
        self.place = Some(Place {
            event: self.event,
            at,
            line: self.line,
        });
        self.unbroken = behind;
    }

    /// Text that can be cut before a blank. Returns where to cut one of its words, if it is too long.
    fn look_at_words(&mut self, text: &str) -> Option<usize> {
        while self.end < text.len() {
            let rest = &text[self.end..];
            let length = if let Some(blank) = self.blank {
                let blanks = rest.len() - rest.trim_start().len();
                if blanks < rest.len() && self.unbroken + blanks <= UNBROKEN {
                    self.end += blanks;
                    self.found(blank, self.end - blank);
                    self.blank = None;
                    continue;
                }
                blanks
            } else {
                match memchr::memchr(b' ', rest.as_bytes()) {
                    Some(0) => {
                        self.blank = Some(self.end);
                        continue;
                    }
                    Some(word) => word,
                    None => rest.len(),
                }
            };
            if self.unbroken + length > UNBROKEN {
                return Some(text.floor_char_boundary(self.end + self.room()));
            }
            self.unbroken += length;
            self.end += length;
        }
        None
    }

    /// Text that is not to be cut. Returns where to cut it nevertheless, if it is too long: before it,
    /// or if nothing else is there, within.
    fn look_at_whole(&mut self, text: &str) -> Option<usize> {
        let length = text.len() - self.end;
        if self.unbroken + length <= UNBROKEN {
            self.unbroken += length;
            self.end = text.len();
            return None;
        }
        if self.event > 0 {
            return Some(self.start);
        }
        let at = text.floor_char_boundary(self.end + self.room());
        // In code or a link a blank is a good place.
        let blank = memchr::memrchr(b' ', &text.as_bytes()[self.start..at]);
        let blank = blank.map(|i| self.start + i).filter(|&i| i > 0);
        Some(blank.unwrap_or(at))
    }

    /// The last place to cut, if what stands before it can be written without a look at the rest.
    /// Its beginning has been, if the leaf has `started`.
    pub(super) fn last(&mut self, tape: &Tape, styles: &Styles, started: bool) -> Option<Cut> {
        let at_end = self.blank_at_end(tape, styles).map(|at| Place {
            event: self.event,
            at,
            line: self.line,
        });
        let Place { event, at, line } = at_end.or(self.place)?;
        let before = &tape.text()[..at];
        let shows = before.len() > UNDECIDED || self.has_word(before);
        let decided = shows
            && match line.or((!started).then_some(0)) {
                None => true,
                Some(line) => {
                    let text = &before[line..];
                    let has_word = line == 0 || text.contains(char::is_alphanumeric);
                    text.is_empty() || text.len() > UNDECIDED || (has_word && !is_open_label(text))
                }
            };
        decided.then_some((event, Some(at)))
    }

    /// A blank at the end of all content, behind a word that is written alike whatever follows.
    fn blank_at_end(&self, tape: &Tape, styles: &Styles) -> Option<usize> {
        let blank = self.blank?;
        let text = tape.text();
        match tape.events().get(self.event) {
            Some(&Event::Text { chain, .. })
                if styles.marks(chain).is_empty()
                    && blank + 1 == text.len()
                    && text[self.start..blank].ends_with(char::is_alphanumeric) =>
            {
                Some(blank)
            }
            _ => None,
        }
    }

    /// Whether a word stands in the text, which the tape begins with.
    fn has_word(&mut self, text: &str) -> bool {
        if self.word.is_none() && self.words_end < text.len() {
            let new = text[self.words_end..].find(char::is_alphanumeric);
            self.word = new.map(|i| self.words_end + i);
            self.words_end = text.len();
        }
        self.word.is_some_and(|word| word < text.len())
    }

    /// So many events and so much text were taken from the front of the tape.
    pub(super) fn taken(&mut self, events: usize, text: usize) {
        self.event = self.event.saturating_sub(events);
        self.start = self.start.saturating_sub(text);
        self.end = self.end.saturating_sub(text);
        self.blank = self.blank.and_then(|blank| blank.checked_sub(text));
        self.line = self.line.and_then(|line| line.checked_sub(text));
        self.place = None;
        self.word = self.word.and_then(|word| word.checked_sub(text));
        if self.word.is_none() {
            self.words_end = 0;
        }
    }
}

/// Whether text with these marks can be cut before a blank.
fn may_cut_in(styles: &Styles, exact: bool, chain: Chain) -> bool {
    let inside = styles
        .marks(chain)
        .iter()
        .any(|m| matches!(m, Mark::Link(_) | Mark::Code));
    // Whether a mark within its kind can be written depends on what stands behind it.
    let twice = exact && styles.has_nested(chain);
    !inside && !twice
}
