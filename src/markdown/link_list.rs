//! Lists of links: recorded while every item begins with a link, then written as tables of
//! addresses and descriptions. All other lists stay lists.

use super::address;
use super::block::Block;
use super::escape::{Openers, Place, write_text};
use super::output::Output;
use super::style::Mark;
use super::table::cell::{CellState, CellWriter, Content};
use super::tape::{Event, Tape};
use std::ops::Range;
use std::sync::Arc;

/// The names of the two columns: of addresses and of descriptions.
pub(crate) type Columns = Arc<[String; 2]>;

/// Lists in each other at most.
const MAX_NESTING: usize = 32;

/// Where the tape stands in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Between items.
    List,
    /// In an item that has shown nothing yet.
    Start,
    /// In an item, behind its link has begun.
    Text,
}

/// What the writer is to do with a block event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListStep {
    /// It is no part of a list of links.
    Passed,
    /// It is on the tape.
    Recorded,
    /// A list begins that may be one of links.
    Begins,
    /// The list of links is complete.
    Ends,
    /// It can't stand in a list of links: what is on the tape is to be written first.
    Broken,
}

/// The list that is recorded, with those in its items.
#[derive(Debug)]
pub(super) struct LinkLists {
    /// `None` if lists stay lists.
    columns: Option<Columns>,
    limit: usize,
    tape: Tape,
    /// Where the lists begin that are open, outermost first: their events and their links.
    open: Vec<(usize, usize)>,
    at: At,
    /// The links that the items on the tape begin with. An item without one shows nothing.
    links: Vec<Option<u32>>,
    /// The lists that are complete, without those in their items.
    complete: Vec<List>,
}

/// A list that is complete.
#[derive(Debug, Clone)]
pub(super) struct List {
    pub(super) events: Range<usize>,
    links: Range<usize>,
}

/// What was recorded, and which parts of it are tables.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) tape: Tape,
    pub(super) tables: Vec<List>,
    links: Vec<Option<u32>>,
}

/// An item as a row.
#[derive(Debug, Clone, Copy)]
struct Row {
    link: u32,
    content: Content,
}

impl LinkLists {
    pub(super) fn new(columns: Option<Columns>, limit: usize) -> Self {
        Self {
            columns,
            limit,
            tape: Tape::default(),
            open: Vec::new(),
            at: At::List,
            links: Vec::new(),
            complete: Vec::new(),
        }
    }

    pub(super) fn is_recording(&self) -> bool {
        !self.open.is_empty()
    }

    /// The tape that content goes to now, if it is recorded.
    pub(super) fn tape(&mut self) -> Option<&mut Tape> {
        if self.is_recording() {
            Some(&mut self.tape)
        } else {
            None
        }
    }

    pub(super) fn is_over_limit(&self) -> bool {
        self.tape.size() > self.limit
    }

    pub(super) fn place(&mut self, block: Block) -> ListStep {
        if !self.is_recording() {
            if self.columns.is_none() || !matches!(block, Block::List(_)) {
                return ListStep::Passed;
            }
            self.open.push((0, 0));
            self.at = At::List;
            self.tape.push_block(block);
            return ListStep::Begins;
        }
        match (block, self.at) {
            (Block::Boundary | Block::Paragraph | Block::Heading(_) | Block::EndHeading, _) => {}
            (Block::Item { .. }, At::List) => {
                self.at = At::Start;
                self.links.push(None);
            }
            (Block::EndItem { .. }, _) => self.at = At::List,
            (Block::List(_), At::Text) if self.open.len() < MAX_NESTING => {
                self.open.push((self.tape.events().len(), self.links.len()));
                self.at = At::List;
            }
            (Block::EndList, _) => {
                self.tape.push_block(block);
                return self.end_list();
            }
            _ => return ListStep::Broken,
        }
        self.tape.push_block(block);
        ListStep::Recorded
    }

    fn end_list(&mut self) -> ListStep {
        if let Some((event, link)) = self.open.pop() {
            while self
                .complete
                .pop_if(|list| list.events.start > event)
                .is_some()
            {}
            self.complete.push(List {
                events: event..self.tape.events().len(),
                links: link..self.links.len(),
            });
        }
        // What would follow in the item around it could not go into a row any more.
        self.at = At::List;
        if self.is_recording() {
            ListStep::Recorded
        } else {
            ListStep::Ends
        }
    }

    /// Whether text or an image here makes the list one that is not of links.
    pub(super) fn is_broken_by_content(&self) -> bool {
        self.is_recording() && self.at != At::Text
    }

    /// Whether a link to `destination` here does.
    pub(super) fn is_broken_by_link(&self, destination: &str) -> bool {
        self.is_broken_by_content() && !(self.at == At::Start && is_address(destination))
    }

    /// A link begins, of which `is_broken_by_link` has said that it can.
    pub(super) fn link(&mut self, target: u32) {
        if self.is_recording() && self.at == At::Start {
            self.at = At::Text;
            if let Some(link) = self.links.last_mut() {
                *link = Some(target);
            }
        }
    }

    /// What was recorded. Nothing is recorded any more.
    pub(super) fn take(&mut self) -> Recorded {
        self.open.clear();
        let tape = self.tape.take();
        Recorded {
            tape,
            tables: std::mem::take(&mut self.complete),
            links: std::mem::take(&mut self.links),
        }
    }

    pub(super) fn columns(&self) -> Option<Columns> {
        self.columns.clone()
    }
}

impl Recorded {
    /// Whether the list has anything to show.
    pub(super) fn has_rows(&self, list: &List) -> bool {
        self.links[list.links.clone()].iter().any(Option::is_some)
    }

    /// Writes a list, whose text begins at `text`, as a table. Returns where the text ends.
    pub(super) fn write_table(
        &mut self,
        list: &List,
        text: usize,
        columns: &[String; 2],
        to: &mut Output<'_>,
    ) -> usize {
        let (rows, end) = self.rows(list, text);
        for column in columns {
            to.push(b"| ");
            write_text(to.out, column, &PLAIN, &mut Openers::default());
            to.push(b" ");
        }
        to.push(b"|");
        to.next_line();
        to.push(b"| --- | --- |");
        let mut cell = CellState::default();
        for Row { link, content } in rows {
            // The address stands in a cell of its own.
            self.tape
                .change_chains(content.first_event..content.end_event, |chain| {
                    to.styles.without(chain, Mark::Link(link))
                });
            to.next_line();
            to.push(b"| ");
            let address = address::encode(to.styles.destination(link).trim());
            to.push(address.as_bytes());
            to.push(b" | ");
            cell.begin(false);
            CellWriter::new(to, &mut cell).write(&self.tape, content);
            if !cell.any() {
                to.push(address.as_bytes());
            }
            to.push(b" |");
        }
        end
    }

    /// The rows of a list, and where its text ends.
    fn rows(&self, list: &List, mut text: usize) -> (Vec<Row>, usize) {
        let mut links = self.links[list.links.clone()].iter();
        let mut rows = Vec::new();
        let mut open: Option<(u32, usize, usize)> = None;
        for index in list.events.clone() {
            let event = self.tape.events()[index];
            if let Event::Block(
                Block::List(_) | Block::EndList | Block::Item { .. } | Block::EndItem { .. },
            ) = event
                && let Some((link, first_event, first_text)) = open.take()
            {
                rows.push(Row {
                    link,
                    content: Content {
                        first_event,
                        end_event: index,
                        first_text,
                        cut: None,
                    },
                });
            }
            match event {
                Event::Block(Block::Item { .. }) => {
                    open = links
                        .next()
                        .copied()
                        .flatten()
                        .map(|link| (link, index + 1, text));
                }
                Event::Text { end, .. } | Event::CodeText { end } => text = end as usize,
                Event::Block(_)
                | Event::Nothing { .. }
                | Event::Break { .. }
                | Event::Image { .. } => {}
            }
        }
        (rows, text)
    }
}

/// Plain text in a cell.
const PLAIN: Place = Place {
    in_cell: true,
    ..Place::between(' ', ' ')
};

/// Whether a link leads to another page: neither to a place on the same one nor to a mailbox, a
/// telephone or the like.
fn is_address(destination: &str) -> bool {
    let destination = destination.trim();
    let scheme = destination
        .split(['/', '?', '#'])
        .next()
        .and_then(|start| start.split_once(':'))
        .map(|(scheme, _)| scheme);
    !destination.is_empty()
        && !destination.starts_with('#')
        && scheme.is_none_or(|scheme| {
            scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
        })
}
