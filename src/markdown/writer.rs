//! Blocks and containers: where lines begin and what stands before their text.

use super::block::Block;
use super::code::CodeBlock;
use super::escape::Line;
use super::inline::{Content, Context, Inline};
use super::style::{Mark, Styles};
use super::table::{Placement, Tables};
use super::tape::{Event, Position, Tape};

/// How exact the Markdown is to be, and how much of it waits in memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// What shows nothing is written too: empty blocks and links, emphasis within emphasis.
    pub(crate) exact: bool,
    /// Text of a code block whose fence is not chosen yet.
    pub(crate) code: usize,
    /// Content of a table whose columns are not known yet.
    pub(crate) table: usize,
}

/// Text of one block beyond which its beginning is written.
const PARAGRAPH: usize = 8 << 10;

/// Text of one block without a place to cut it, beyond which it is cut anywhere.
const UNBROKEN: usize = 64 << 10;

/// Containers in each other whose prefixes are written; deeper ones are flat.
const MAX_CONTAINERS: usize = 48;

/// A block that holds other blocks.
#[derive(Debug)]
struct Container {
    kind: Kind,
    /// Length of the prefix of the lines outside of it.
    outside: usize,
    /// Its marker was written.
    opened: bool,
    /// The list that ended as the last block in it: one beside it needs another marker.
    last_list: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Document,
    Quote,
    List {
        number: Option<u32>,
        delimiter: u8,
        loose: bool,
        /// No item has begun.
        first: bool,
        /// The marker of an item was written.
        started: bool,
        /// No tag began it.
        implicit: bool,
    },
    /// An item; after its end tag, what comes before the next item still belongs to it.
    Item {
        ended: bool,
    },
    /// Too deep: it leaves no trace.
    Flat,
}

/// What stands between the last block and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// Nothing was written yet.
    None,
    Line,
    BlankLine,
}

/// The block that text goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaf {
    None,
    Paragraph { explicit: bool },
    Heading(u8),
    Code,
}

/// Turns blocks and inline content in reading order into Markdown.
#[derive(Debug)]
pub(crate) struct Writer {
    out: Vec<u8>,
    containers: Vec<Container>,
    prefix: String,
    separator: Separator,
    /// The last block was a paragraph that no tag asked for: a list may follow it closely.
    after_implicit: bool,
    leaf: Leaf,
    /// The beginning of the leaf was written.
    leaf_started: bool,
    task: Option<bool>,
    tape: Tape,
    inline: Inline,
    styles: Styles,
    code: CodeBlock,
    tables: Tables,
    links: Vec<LinkStart>,
    /// A superscript begins: set it apart from the text before.
    raised: bool,
    has_content: bool,
    exact: bool,
    /// Tapes that are being written refer to the styles.
    replaying: bool,
}

#[derive(Debug)]
struct LinkStart {
    mark: Mark,
    at: Position,
    recorded: bool,
}

impl Writer {
    pub(crate) fn new(settings: Settings) -> Self {
        let document = Container {
            kind: Kind::Document,
            outside: 0,
            opened: true,
            last_list: None,
        };
        Self {
            out: Vec::new(),
            containers: vec![document],
            prefix: String::new(),
            separator: Separator::None,
            after_implicit: false,
            leaf: Leaf::None,
            leaf_started: false,
            task: None,
            tape: Tape::default(),
            inline: Inline::new(settings.exact),
            styles: Styles::new(settings.exact),
            code: CodeBlock::new(settings.code),
            tables: Tables::new(settings.table),
            links: Vec::new(),
            raised: false,
            has_content: false,
            exact: settings.exact,
            replaying: false,
        }
    }

    /// Whether anything was written that the page shows.
    pub(crate) fn has_content(&self) -> bool {
        self.has_content
    }

    pub(crate) fn ready(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Writes text as it is, before any block.
    pub(crate) fn raw(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Text whose white space collapses.
    pub(crate) fn text(&mut self, text: &str) {
        let chain = self.styles.current();
        let raised = self.raised && self.raise(text);
        let recorded = self.tables.tape();
        let tape = match recorded {
            Some(tape) => tape,
            None => {
                self.begin_paragraph();
                &mut self.tape
            }
        };
        if raised {
            tape.push_text("^", chain);
        }
        tape.push_text(text, chain);
        self.keep_bounds();
    }

    /// Whether a superscript needs a sign: only between characters of a word is it lost without.
    fn raise(&mut self, text: &str) -> bool {
        let Some(first) = text.chars().next() else {
            return false;
        };
        self.raised = false;
        let before = match self.tables.tape() {
            Some(tape) => tape.last_char(),
            None => self.tape.last_char(),
        };
        before.is_some_and(|c| c.is_alphanumeric() || c == ')')
            && (first.is_alphanumeric() || matches!(first, '-' | '+' | '−'))
    }

    /// A superscript begins, which a link around it sets apart by itself.
    pub(crate) fn superscript(&mut self) {
        self.raised = !self.styles.in_link();
    }

    pub(crate) fn end_superscript(&mut self) {
        self.raised = false;
    }

    /// Text of a code block, exact to the byte.
    pub(crate) fn preformatted(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(tape) = self.tables.tape() {
            tape.push_code_text(text);
            self.keep_bounds();
            return;
        }
        if self.leaf != Leaf::Code {
            self.start_code(None);
        }
        self.code.push(text);
        if self.code.is_over_limit() {
            if !self.leaf_started {
                if self.code.is_blank() {
                    return;
                }
                self.begin_block();
                self.leaf_started = true;
            }
            self.code.write_lines(&mut self.out, &self.prefix);
        }
    }

    pub(crate) fn line_break(&mut self) {
        let chain = self.styles.current();
        if let Some(tape) = self.tables.tape() {
            tape.push_break(chain);
        } else if matches!(self.leaf, Leaf::Paragraph { .. } | Leaf::Heading(_)) {
            self.tape.push_break(chain);
        }
    }

    pub(crate) fn image(&mut self, destination: &str, title: &str, alt: &str) {
        let target = self.styles.add_target(destination, title, alt);
        let chain = self.styles.current();
        let tape = match self.tables.tape() {
            Some(tape) => tape,
            None => {
                self.begin_paragraph();
                &mut self.tape
            }
        };
        tape.push_image(target, chain);
    }

    /// Whether a link is open: none can stand in it.
    pub(crate) fn in_link(&self) -> bool {
        self.styles.in_link()
    }

    pub(crate) fn open_mark(&mut self, mark: Mark) {
        self.styles.open(mark);
    }

    pub(crate) fn close_mark(&mut self, mark: Mark) {
        self.styles.close(mark);
    }

    /// Whether text goes to a heading now.
    pub(crate) fn in_heading(&self) -> bool {
        matches!(self.leaf, Leaf::Heading(_)) && !self.tables.is_recording()
    }

    /// A link of which only the text is written, which it must be told apart for.
    pub(crate) fn open_plain_link(&mut self) -> Mark {
        let mark = self.open_link("", "");
        self.styles.close(mark);
        mark
    }

    pub(crate) fn open_link(&mut self, destination: &str, title: &str) -> Mark {
        self.raised = false;
        let mark = Mark::Link(self.styles.add_target(destination, title, ""));
        self.styles.open(mark);
        let (at, recorded) = self.position();
        if self.links.len() < 16 {
            self.links.push(LinkStart { mark, at, recorded });
        }
        mark
    }

    fn position(&mut self) -> (Position, bool) {
        match self.tables.tape() {
            Some(tape) => (tape.position(), true),
            None => (self.tape.position(), false),
        }
    }

    /// The link ends. One that shows nothing gets `label` for its text, if there is one; one that
    /// shows only a sign for "here" goes, if `permalink`.
    pub(crate) fn close_link(&mut self, mark: Mark, label: &str, permalink: bool) {
        if let Some(index) = self.links.iter().rposition(|l| l.mark == mark) {
            let start = self.links.remove(index);
            let tape = match self.tables.tape() {
                Some(tape) => Some(tape).filter(|_| start.recorded),
                None => Some(&mut self.tape).filter(|_| !start.recorded),
            };
            if let Some(tape) = tape
                && let Some((events, shown)) = tape.since(start.at)
                && events
                    .iter()
                    .all(|e| matches!(e, Event::Text { .. } | Event::Break { .. }))
            {
                if self.exact {
                    if shown.is_empty() {
                        let chain = self.styles.current();
                        tape.push_nothing(chain);
                    }
                } else if permalink && is_permalink_sign(shown) {
                    tape.truncate(start.at);
                } else if !label.is_empty() && shown.trim().is_empty() {
                    self.text(label);
                }
            }
        }
        self.styles.close(mark);
    }

    /// What follows stands in a table, but outside of its cells.
    pub(crate) fn misplaced_in_table(&mut self, misplaced: bool) {
        self.tables.misplaced(misplaced);
    }

    /// A name of a language for a code block.
    pub(crate) fn language(&mut self, name: &str) -> u32 {
        self.styles.add_target(name, "", "")
    }

    pub(crate) fn block(&mut self, block: Block) {
        match self.tables.place(block) {
            Placement::Recorded => self.keep_bounds(),
            Placement::Written => self.apply(block),
            Placement::Dropped => {}
            Placement::TableBegins => self.end_leaf(),
            Placement::TableEnds => self.end_table(),
            Placement::RowEnds => self.write_row(),
            Placement::NestedTableBegins => {
                self.commit_as_blocks();
                self.tables.place(block);
            }
        }
    }

    /// Makes everything available that is final although its block has not ended.
    pub(crate) fn flush(&mut self) {
        if self.tables.is_recording() {
            return;
        }
        match self.leaf {
            Leaf::Paragraph { .. } | Leaf::Heading(_) => self.write_some(false),
            Leaf::Code | Leaf::None => {}
        }
    }

    /// The page ends: closes and writes what is left.
    pub(crate) fn finish(&mut self) {
        while self.tables.is_open() {
            self.block(Block::EndTable);
        }
        self.end_leaf();
    }

    fn keep_bounds(&mut self) {
        if self.tables.is_recording() {
            if self.tables.is_over_limit() {
                self.spill_table();
            }
        } else if self.tape.size() > PARAGRAPH {
            self.write_some(true);
        }
    }

    fn begin_paragraph(&mut self) {
        match self.leaf {
            Leaf::None => self.leaf = Leaf::Paragraph { explicit: false },
            Leaf::Code => {
                self.end_leaf();
                self.leaf = Leaf::Paragraph { explicit: false };
            }
            Leaf::Paragraph { .. } | Leaf::Heading(_) => {}
        }
    }

    /// Writes the part of the open paragraph or heading that no later text can change: up to its
    /// last blank.
    fn write_some(&mut self, must: bool) {
        let Some(cut) = self.cut(must) else { return };
        self.start_inline();
        let content = Content {
            events: self.tape.events(),
            text: self.tape.text(),
            start: 0,
            cut: Some(cut),
        };
        self.inline
            .write(&mut self.out, &self.prefix, &self.styles, content);
        self.tape.drain(self.tape.events().len() - 1, cut);
        self.has_content = true;
    }

    fn cut(&self, must: bool) -> Option<usize> {
        let events = self.tape.events();
        let (&Event::Text { end, chain }, before) = events.split_last()? else {
            return None;
        };
        let text = self.tape.text();
        let start = before
            .iter()
            .rev()
            .find_map(|e| {
                if let Event::Text { end, .. } = e {
                    Some(*end as usize)
                } else {
                    None
                }
            })
            .unwrap_or(0);
        let force = must && text.len() > UNBROKEN;
        let inside = self
            .styles
            .marks(chain)
            .iter()
            .any(|m| matches!(m, Mark::Link(_) | Mark::Code));
        if inside && !force {
            return None;
        }
        let mut last_word = &text[start..end as usize];
        if let Some(rest) = last_word.strip_suffix(' ')
            && !(self.styles.marks(chain).is_empty() && rest.ends_with(char::is_alphanumeric))
        {
            // What is written before a blank differs from what is written at an end.
            last_word = rest;
        }
        if let Some(blank) = memchr::memrchr(b' ', last_word.as_bytes())
            && text[..start + blank].chars().any(char::is_alphanumeric)
        {
            return Some(start + blank);
        }
        force.then(|| text.floor_char_boundary(UNBROKEN.max(start)))
    }

    /// The first text of the leaf is about to be written.
    fn start_inline(&mut self) {
        if self.leaf_started {
            return;
        }
        self.leaf_started = true;
        let first_of_item = self.begin_block();
        match self.leaf {
            Leaf::Heading(level) => {
                self.out
                    .extend(std::iter::repeat_n(b'#', usize::from(level)));
                self.out.push(b' ');
                self.inline.begin(Context::Heading, Line::Heading);
            }
            _ => {
                let mut line = Line::First;
                if first_of_item {
                    line = Line::FirstOfItem;
                    if let Some(done) = self.task.take() {
                        self.out
                            .extend_from_slice(if done { b"[x] " } else { b"[ ] " });
                        line = Line::Inside;
                    }
                }
                self.inline.begin(Context::Paragraph, line);
            }
        }
        self.task = None;
    }

    /// The open paragraph, heading or code block ends.
    fn end_leaf(&mut self) {
        let leaf = std::mem::replace(&mut self.leaf, Leaf::None);
        match leaf {
            Leaf::None => {}
            Leaf::Code => {
                if self.leaf_started || self.exact || !self.code.is_blank() {
                    if !self.leaf_started {
                        self.begin_block();
                    }
                    self.code.finish(&mut self.out, &self.prefix);
                    self.end_block();
                }
            }
            Leaf::Paragraph { .. } | Leaf::Heading(_) => {
                self.leaf = leaf;
                self.end_inline();
                self.leaf = Leaf::None;
            }
        }
        self.leaf_started = false;
    }

    fn end_inline(&mut self) {
        let shows = self
            .tape
            .events()
            .iter()
            .any(|e| matches!(e, Event::Image { .. } | Event::Nothing { .. }))
            || (self.exact && self.in_heading())
            || shows_something(self.tape.text())
            || (self.exact && self.tape.text().bytes().any(|b| b != b' '));
        if shows || self.leaf_started {
            if !self.exact {
                self.tape.trim_end();
            }
            self.start_inline();
            let content = Content {
                events: self.tape.events(),
                text: self.tape.text(),
                start: 0,
                cut: None,
            };
            self.inline
                .write(&mut self.out, &self.prefix, &self.styles, content);
            self.inline.finish(&mut self.out, &self.styles);
            self.end_block();
            self.after_implicit = self.leaf == Leaf::Paragraph { explicit: false };
        }
        self.tape.clear();
        self.forget_styles();
    }

    fn forget_styles(&mut self) {
        if !self.tables.is_recording() && !self.replaying {
            self.styles.forget();
        }
    }

    /// The last line of a block was written.
    fn end_block(&mut self) {
        self.out.push(b'\n');
        self.separator = Separator::BlankLine;
        self.after_implicit = false;
        self.has_content = true;
    }

    fn innermost(&self) -> &Container {
        &self.containers[self.containers.len() - 1]
    }

    fn innermost_mut(&mut self) -> &mut Container {
        let last = self.containers.len() - 1;
        &mut self.containers[last]
    }

    /// Begins the first line of a block: sets it apart from the one before, writes prefixes and
    /// markers. Returns whether it is the first in a list item.
    fn begin_block(&mut self) -> bool {
        self.leave_implicit_list();
        if matches!(self.innermost().kind, Kind::List { .. }) {
            self.push_item(None);
            if let Kind::Item { ended } = &mut self.innermost_mut().kind {
                *ended = true;
            }
        }
        let unopened = self.containers.iter().position(|c| !c.opened);
        let outside = match unopened {
            Some(index) => self.containers[index].outside,
            None => self.prefix.len(),
        };
        if self.separator == Separator::BlankLine {
            self.out
                .extend_from_slice(self.prefix[..outside].trim_end().as_bytes());
            self.out.push(b'\n');
        }
        self.out
            .extend_from_slice(&self.prefix.as_bytes()[..outside]);
        self.separator = Separator::Line;
        for container in &mut self.containers {
            container.last_list = None;
        }
        let Some(index) = unopened else { return false };
        self.write_markers(index);
        matches!(self.innermost().kind, Kind::Item { .. })
    }

    fn write_markers(&mut self, from: usize) {
        for index in from..self.containers.len() {
            match self.containers[index].kind {
                Kind::Quote => self.out.extend_from_slice(b"> "),
                Kind::Item { .. } => {
                    let Some(Container {
                        kind:
                            Kind::List {
                                number, delimiter, ..
                            },
                        ..
                    }) = index.checked_sub(1).map(|i| &self.containers[i])
                    else {
                        continue;
                    };
                    if let Some(number) = number {
                        self.out.extend_from_slice(number.to_string().as_bytes());
                    }
                    self.out.extend_from_slice(&[*delimiter, b' ']);
                    if let Kind::List { started, .. } = &mut self.containers[index - 1].kind {
                        *started = true;
                    }
                }
                Kind::Document | Kind::List { .. } | Kind::Flat => {}
            }
            self.containers[index].opened = true;
        }
    }

    fn apply(&mut self, block: Block) {
        match block {
            Block::Boundary => self.boundary(),
            Block::Paragraph => {
                if !matches!(self.leaf, Leaf::Heading(_)) {
                    self.boundary();
                    if self.leaf == Leaf::None {
                        self.leaf = Leaf::Paragraph { explicit: true };
                        self.loosen();
                    }
                } else {
                    self.boundary();
                }
            }
            Block::Heading(level) => {
                self.end_leaf();
                self.leaf = Leaf::Heading(level);
            }
            Block::EndHeading => self.end_leaf(),
            Block::Quote => {
                self.end_leaf();
                self.leave_implicit_list();
                self.push_container(Kind::Quote, "> ");
            }
            Block::EndQuote => {
                self.end_leaf();
                if self.exact && self.innermost().kind == Kind::Quote && !self.innermost().opened {
                    self.write_empty_container();
                }
                self.pop_through(|k| matches!(k, Kind::Quote | Kind::Flat));
            }
            Block::List(number) => self.start_list(number, false),
            Block::EndList => {
                self.end_leaf();
                self.end_list();
            }
            Block::Item { value } => {
                self.end_leaf();
                self.start_item(value);
            }
            Block::EndItem { keep_empty } => {
                self.end_leaf();
                self.end_item(keep_empty);
            }
            Block::Task { done } => self.task = Some(done),
            Block::Rule => {
                self.end_leaf();
                self.begin_block();
                // Neither a continued marker nor the start of front matter.
                let plain = self.containers.len() == 1 && !self.out.is_empty();
                self.out
                    .extend_from_slice(if plain { b"---" } else { b"___" });
                self.end_block();
            }
            Block::Code { language } => self.start_code(Some(language)),
            Block::EndCode => self.end_leaf(),
            Block::Table { .. }
            | Block::EndTable
            | Block::Row { .. }
            | Block::Cell(_)
            | Block::EndCell
            | Block::Caption
            | Block::EndCaption => self.boundary(),
        }
    }

    fn boundary(&mut self) {
        match self.leaf {
            // A block in a heading or in code ends a line of it and no more.
            Leaf::Heading(_) => {
                let chain = self.styles.current();
                self.tape.push_text(" ", chain);
            }
            Leaf::Code => self.code.end_line(),
            Leaf::None => {}
            Leaf::Paragraph { .. } => self.end_leaf(),
        }
    }

    /// A paragraph that is marked as one, in an item, makes its list loose.
    fn loosen(&mut self) {
        if !matches!(self.innermost().kind, Kind::Item { .. }) {
            return;
        }
        let list = self.containers.len() - 2;
        if let Kind::List { loose, .. } = &mut self.containers[list].kind {
            *loose = true;
        }
    }

    fn push_container(&mut self, kind: Kind, prefix: &str) {
        let kind = if self.containers.len() >= MAX_CONTAINERS {
            Kind::Flat
        } else {
            kind
        };
        let outside = self.prefix.len();
        let opened = matches!(kind, Kind::Flat | Kind::List { .. });
        if kind != Kind::Flat {
            self.prefix.push_str(prefix);
        }
        self.containers.push(Container {
            kind,
            outside,
            opened,
            last_list: None,
        });
    }

    /// Pops up to and including the innermost container of the kind, if there is one.
    fn pop_through(&mut self, is: impl Fn(Kind) -> bool) {
        let Some(index) = self.containers.iter().rposition(|c| is(c.kind)) else {
            return;
        };
        while self.containers.len() > index.max(1) {
            self.pop_container();
        }
    }

    fn pop_container(&mut self) {
        if self.containers.len() < 2 {
            return;
        }
        if let Some(container) = self.containers.pop() {
            self.prefix.truncate(container.outside);
        }
    }

    fn start_list(&mut self, number: Option<u32>, implicit: bool) {
        self.end_leaf();
        self.leave_implicit_list();
        if matches!(self.innermost().kind, Kind::List { .. }) {
            self.push_item(None);
            if let Kind::Item { ended } = &mut self.innermost_mut().kind {
                *ended = true;
            }
        }
        let in_item = matches!(self.innermost().kind, Kind::Item { .. });
        if in_item
            && self.innermost().opened
            && self.after_implicit
            && number.is_none_or(|n| n == 1)
            && self.separator == Separator::BlankLine
        {
            self.separator = Separator::Line;
        }
        let delimiter = match (number, self.innermost().last_list) {
            (None, Some(b'-')) => b'*',
            (None, _) => b'-',
            (Some(_), Some(b'.')) => b')',
            (Some(_), _) => b'.',
        };
        self.push_container(
            Kind::List {
                number,
                delimiter,
                loose: false,
                first: true,
                started: false,
                implicit,
            },
            "",
        );
    }

    fn end_list(&mut self) {
        let Some(index) = self
            .containers
            .iter()
            .rposition(|c| matches!(c.kind, Kind::List { .. } | Kind::Flat))
        else {
            return;
        };
        let delimiter = match self.containers[index].kind {
            Kind::List {
                delimiter,
                started: true,
                ..
            } => Some(delimiter),
            _ => None,
        };
        if delimiter.is_none() && self.separator == Separator::Line {
            // The list has left no trace.
            self.separator = Separator::BlankLine;
        }
        while self.containers.len() > index {
            self.pop_container();
        }
        if delimiter.is_some() {
            self.innermost_mut().last_list = delimiter;
        }
        self.after_implicit = false;
    }

    fn start_item(&mut self, value: Option<u32>) {
        if let Kind::Item { ended: true } = self.innermost().kind {
            self.pop_container();
        }
        if !matches!(self.innermost().kind, Kind::List { .. }) {
            // An item without a list around it.
            if self.innermost().kind == Kind::Flat {
                self.push_container(Kind::Flat, "");
                return;
            }
            self.start_list(None, true);
        }
        self.push_item(value);
    }

    /// A list that no tag began ends with its last item.
    fn leave_implicit_list(&mut self) {
        if let [.., list, item] = &self.containers[..]
            && item.kind == (Kind::Item { ended: true })
            && matches!(list.kind, Kind::List { implicit: true, .. })
        {
            self.end_list();
        }
    }

    /// The innermost container is a list.
    fn push_item(&mut self, value: Option<u32>) {
        let Kind::List {
            number,
            loose,
            first,
            started,
            ..
        } = &mut self.innermost_mut().kind
        else {
            return;
        };
        if let Some(number) = number {
            if *first {
                *number = value.unwrap_or(*number);
            } else {
                *number = number.saturating_add(1);
            }
            *number = (*number).min(999_999_999);
        }
        let width = number.map_or(0, |n| n.to_string().len()) + 2;
        let (started, loose) = (*started, *loose);
        *first = false;
        if started && self.separator == Separator::BlankLine && !loose {
            self.separator = Separator::Line;
        }
        self.task = None;
        const BLANKS: &str = "            ";
        self.push_container(
            Kind::Item { ended: false },
            &BLANKS[..width.min(BLANKS.len())],
        );
    }

    fn end_item(&mut self, keep_empty: bool) {
        let Some(index) = self
            .containers
            .iter()
            .rposition(|c| matches!(c.kind, Kind::Item { ended: false } | Kind::Flat))
        else {
            return;
        };
        while self.containers.len() > index + 1 {
            self.pop_container();
        }
        if self.innermost().kind == Kind::Flat {
            self.pop_container();
            return;
        }
        if !self.innermost().opened && keep_empty {
            let continues = self.containers.len() > 1
                && matches!(
                    self.containers[self.containers.len() - 2].kind,
                    Kind::List { started: true, .. }
                );
            if self.separator == Separator::Line && self.after_implicit && !continues {
                // An empty item can't interrupt a paragraph (CommonMark §5.2).
                self.separator = Separator::BlankLine;
            }
            self.write_empty_container();
        }
        if self.innermost().opened {
            if let Kind::Item { ended } = &mut self.innermost_mut().kind {
                *ended = true;
            }
        } else {
            self.drop_item();
        }
    }

    /// Writes nothing but the marker of the innermost container.
    fn write_empty_container(&mut self) {
        self.begin_block();
        if self.out.last() == Some(&b' ') {
            self.out.pop();
        }
        self.end_block();
    }

    /// The item had nothing to show: its number is free again.
    fn drop_item(&mut self) {
        self.pop_container();
        if let Kind::List {
            number: Some(number),
            ..
        } = &mut self.innermost_mut().kind
        {
            *number = number.saturating_sub(1);
        }
    }

    fn start_code(&mut self, language: Option<u32>) {
        // The end of the block before may be the end of what its text points to.
        let language = language.map(|l| self.styles.destination(l).to_owned());
        self.end_leaf();
        self.leaf = Leaf::Code;
        self.code.begin(language.as_deref().unwrap_or_default());
    }

    /// The table waits for more than its share of memory.
    fn spill_table(&mut self) {
        if self.tables.has_complete_row() {
            self.write_table_so_far();
        } else {
            self.commit_as_blocks();
        }
    }

    fn end_table(&mut self) {
        self.end_leaf();
        if self.tables.is_data() {
            self.write_misplaced();
            self.begin_block_for_table();
            self.tables
                .write_all(&mut self.out, &self.prefix, &self.styles, &mut self.inline);
            self.finish_table();
        } else {
            self.commit_as_blocks();
        }
        self.tables.pop();
        self.forget_styles();
    }

    fn begin_block_for_table(&mut self) {
        if let Some(caption) = self.tables.take_caption() {
            self.replay(&caption);
            self.end_leaf();
        }
        if !self.tables.is_streaming() {
            self.begin_block();
        }
    }

    fn finish_table(&mut self) {
        if self.out.last() == Some(&b'\n') {
            self.out.pop();
        }
        self.end_block();
    }

    fn write_table_so_far(&mut self) {
        self.write_misplaced();
        self.begin_block_for_table();
        self.tables
            .write_so_far(&mut self.out, &self.prefix, &self.styles, &mut self.inline);
        self.has_content = true;
    }

    fn write_row(&mut self) {
        self.tables
            .write_so_far(&mut self.out, &self.prefix, &self.styles, &mut self.inline);
    }

    fn write_misplaced(&mut self) {
        if let Some(tape) = self.tables.take_misplaced() {
            self.replay(&tape);
            self.end_leaf();
        }
    }

    /// The table is no data: what was recorded is written as blocks, and so is the rest.
    fn commit_as_blocks(&mut self) {
        self.end_leaf();
        self.write_misplaced();
        if let Some(tape) = self.tables.take_recorded() {
            self.replay(&tape);
        }
    }

    /// Writes recorded content as if it came now.
    fn replay(&mut self, tape: &Tape) {
        self.replaying = true;
        let mut start = 0;
        for &event in tape.events() {
            match event {
                Event::Text { end, chain } => {
                    self.begin_paragraph();
                    self.tape
                        .push_text(&tape.text()[start..end as usize], chain);
                    start = end as usize;
                    if self.tape.size() > PARAGRAPH {
                        self.write_some(true);
                    }
                }
                Event::Break { chain } => {
                    if matches!(self.leaf, Leaf::Paragraph { .. } | Leaf::Heading(_)) {
                        self.tape.push_break(chain);
                    }
                }
                Event::Image { target, chain } => {
                    self.begin_paragraph();
                    self.tape.push_image(target, chain);
                }
                Event::CodeText { end } => {
                    if self.leaf != Leaf::Code {
                        self.start_code(None);
                    }
                    self.code.push(&tape.text()[start..end as usize]);
                    start = end as usize;
                }
                Event::Nothing { chain } => {
                    self.begin_paragraph();
                    self.tape.push_nothing(chain);
                }
                Event::Block(block) => self.apply(block),
            }
        }
        self.replaying = false;
    }
}

/// Whether there is anything to see in the text.
fn shows_something(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_graphic())
        || text
            .chars()
            .any(|c| !c.is_whitespace() && !matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}'))
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
