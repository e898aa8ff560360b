//! What a reader of the protocol looks for in a page: its title, its links and its tables.

use super::Language;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use std::ops::Range;
use url::Url;

/// The parts of a page that the protocol speaks of. Lines are counted from 1 in the whole answer.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The first heading of level 1.
    pub(super) title: Option<Title>,
    /// The text of the first paragraph that stands in no list and no quote.
    pub(super) lead: Option<String>,
    pub(super) links: Vec<Link>,
    pub(super) tables: Vec<Table>,
    /// The lines of lists all of whose items begin with a link to another page.
    pub(super) link_lists: Vec<usize>,
    /// The lines of declarations of the protocol inside the page.
    pub(super) declarations: Vec<usize>,
}

#[derive(Debug, Clone)]
pub(super) struct Title {
    pub(super) text: String,
    /// Whether nothing stands before it.
    pub(super) first: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) destination: String,
    pub(super) line: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) header: Vec<Cell>,
    pub(super) rows: Vec<Row>,
    pub(super) line: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
    pub(super) line: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    /// The destination of the first link in the cell.
    pub(super) link: Option<String>,
}

impl Cell {
    /// The address that the cell names: that of its link if it has one, else its text.
    pub(super) fn address(&self) -> &str {
        self.link.as_deref().unwrap_or(&self.text).trim()
    }
}

impl Table {
    /// The column with this name in any of the protocol's languages.
    pub(super) fn column(&self, name: fn(Language) -> &'static str) -> Option<usize> {
        self.header.iter().position(|cell| {
            Language::ALL
                .iter()
                .any(|&language| name(language).eq_ignore_ascii_case(cell.text.trim()))
        })
    }
}

/// A list that is open, and what its items were so far.
#[derive(Debug)]
struct List {
    line: usize,
    /// Whether every item so far began with a link to another page.
    links_only: bool,
    /// Whether the open item has begun with anything.
    begun: bool,
}

impl Outline {
    /// Reads `page`, whose first line is line `first_line` of the answer.
    pub(super) fn read(page: &str, first_line: usize) -> Self {
        let mut reader = Reader {
            outline: Self::default(),
            lists: Vec::new(),
            gathers: None,
            lead: None,
            quote: None,
            table_is_open: false,
        };
        let lines = Lines::new(page, first_line);
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        for (event, range) in Parser::new_ext(page, options).into_offset_iter() {
            reader.event(event, &range, &lines);
        }
        reader.outline
    }
}

#[derive(Debug)]
struct Reader {
    outline: Outline,
    lists: Vec<List>,
    /// The text of the open heading of level 1, while it is gathered.
    gathers: Option<String>,
    /// The text of the first paragraph, while it is gathered.
    lead: Option<String>,
    /// The text of the open outermost quote and how many quotes are open.
    quote: Option<(String, usize)>,
    table_is_open: bool,
}

impl Reader {
    fn event(&mut self, event: Event<'_>, range: &Range<usize>, lines: &Lines<'_>) {
        match event {
            Event::Start(tag) => self.start(tag, range, lines),
            Event::End(tag) => self.end(tag, range, lines),
            Event::Text(text) | Event::Code(text) => {
                self.item_begins(None);
                self.text(&text);
            }
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::Html(_) | Event::InlineHtml(_) => self.item_begins(None),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>, lines: &Lines<'_>) {
        let line = || lines.line(range.start);
        match tag {
            Tag::Heading {
                level: HeadingLevel::H1,
                ..
            } if self.outline.title.is_none() => self.gathers = Some(String::new()),
            Tag::Paragraph
                if self.outline.lead.is_none() && self.lists.is_empty() && self.quote.is_none() =>
            {
                self.lead = Some(String::new());
            }
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => {
                // The parser leaves out the scheme of `<name@example.com>`.
                let dest_url = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}").into(),
                    _ => dest_url,
                };
                self.item_begins(Some(&dest_url));
                if let Some(cell) = self.cell() {
                    cell.link.get_or_insert_with(|| dest_url.to_string());
                }
                self.outline.links.push(Link {
                    destination: dest_url.into_string(),
                    line: line(),
                });
            }
            Tag::Image { .. } | Tag::CodeBlock(_) => self.item_begins(None),
            Tag::List(_) => {
                self.item_begins(None);
                self.lists.push(List {
                    line: line(),
                    links_only: true,
                    begun: true,
                });
            }
            Tag::Item => {
                if let Some(list) = self.lists.last_mut() {
                    list.begun = false;
                }
            }
            Tag::Table(_) => {
                self.item_begins(None);
                self.table_is_open = true;
                self.outline.tables.push(Table {
                    header: Vec::new(),
                    rows: Vec::new(),
                    line: line(),
                });
            }
            Tag::TableRow => {
                if let Some(table) = self.outline.tables.last_mut() {
                    table.rows.push(Row {
                        cells: Vec::new(),
                        line: line(),
                    });
                }
            }
            Tag::TableCell => {
                if let Some(table) = self.outline.tables.last_mut() {
                    match table.rows.last_mut() {
                        Some(row) => row.cells.push(Cell::default()),
                        None => table.header.push(Cell::default()),
                    }
                }
            }
            Tag::BlockQuote(_) => match &mut self.quote {
                Some((_, depth)) => *depth += 1,
                None => self.quote = Some((String::new(), 1)),
            },
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>, lines: &Lines<'_>) {
        match tag {
            TagEnd::Heading(HeadingLevel::H1) => {
                if let Some(text) = self.gathers.take() {
                    self.outline.title = Some(Title {
                        text: text.trim().to_owned(),
                        first: lines.nothing_before(range.start),
                    });
                }
            }
            TagEnd::Paragraph => {
                let lead = self.lead.take().map(|text| text.trim().to_owned());
                self.outline.lead = self
                    .outline
                    .lead
                    .take()
                    .or(lead.filter(|text| !text.is_empty()));
            }
            TagEnd::List(_) => {
                if let Some(list) = self.lists.pop().filter(|list| list.links_only) {
                    self.outline.link_lists.push(list.line);
                }
            }
            TagEnd::Item => {
                // An item without anything in it is no address.
                self.item_begins(None);
            }
            TagEnd::Table => self.table_is_open = false,
            TagEnd::BlockQuote(_) => {
                if let Some((text, depth)) = &mut self.quote {
                    *depth -= 1;
                    if *depth == 0 {
                        if declares(text) {
                            self.outline.declarations.push(lines.line(range.start));
                        }
                        self.quote = None;
                    }
                }
            }
            _ => {}
        }
    }

    /// Something stands at this place: if it is the first thing in the open list item, it decides
    /// whether the list can be one of addresses. `link` is its destination if it is a link.
    fn item_begins(&mut self, link: Option<&str>) {
        if let Some(list) = self.lists.last_mut().filter(|list| !list.begun) {
            list.begun = true;
            // A link to a place on the same page is no address, and a mailbox is none.
            list.links_only &= link.is_some_and(|destination| {
                !destination.starts_with('#')
                    && Url::parse(destination)
                        .map_or(true, |url| matches!(url.scheme(), "http" | "https"))
            });
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(gathered) = &mut self.gathers {
            gathered.push_str(text);
        }
        if let Some(lead) = &mut self.lead {
            lead.push_str(text);
        }
        if let Some((quoted, _)) = &mut self.quote {
            quoted.push_str(text);
        }
        if let Some(cell) = self.cell() {
            cell.text.push_str(text);
        }
    }

    fn cell(&mut self) -> Option<&mut Cell> {
        if !self.table_is_open {
            return None;
        }
        let table = self.outline.tables.last_mut()?;
        match table.rows.last_mut() {
            Some(row) => row.cells.last_mut(),
            None => table.header.last_mut(),
        }
    }
}

/// Whether the text of a quote declares the protocol, in any language of ours.
fn declares(quote: &str) -> bool {
    Language::ALL.iter().any(|language| {
        quote
            .trim_start()
            .starts_with(language.declaration().trim_end())
    })
}

/// Turns offsets into line numbers.
#[derive(Debug)]
struct Lines<'a> {
    page: &'a str,
    /// The offsets at which lines begin, in order.
    starts: Vec<usize>,
    first_line: usize,
}

impl<'a> Lines<'a> {
    fn new(page: &'a str, first_line: usize) -> Self {
        let breaks = page
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n')
            .map(|(at, _)| at + 1);
        Self {
            page,
            starts: std::iter::once(0).chain(breaks).collect(),
            first_line,
        }
    }

    fn line(&self, offset: usize) -> usize {
        self.first_line + self.starts.partition_point(|&start| start <= offset) - 1
    }

    fn nothing_before(&self, offset: usize) -> bool {
        self.page[..offset].trim().is_empty()
    }
}
