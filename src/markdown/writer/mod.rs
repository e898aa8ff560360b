//! Takes content in reading order and puts it where it goes: to the leaf that is open, to a tape,
//! or into another container.

mod cut;
mod inline_code;
mod leaf;
mod link;
mod recorded;

use self::cut::Cuts;
use self::inline_code::InlineCode;
use self::link::LinkStart;
use super::block::Block;
use super::code::CodeBlock;
use super::container::Containers;
use super::inline::Inline;
use super::link_list::{Columns, LinkLists, ListStep};
use super::style::{Chain, Styles};
use super::table::{TableStep, Tables};
use super::tape::Tape;

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

/// Bytes of output for which memory is asked at once.
const MAX_TAKEN: usize = 16 << 10;

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
    containers: Containers,
    leaf: Leaf,
    /// The beginning of the leaf was written.
    leaf_started: bool,
    task: Option<bool>,
    tape: Tape,
    inline: Inline,
    styles: Styles,
    code: CodeBlock,
    tables: Tables,
    link_lists: LinkLists,
    links: Vec<LinkStart>,
    inline_code: Option<InlineCode>,
    /// A superscript begins: set it apart from the text before.
    raised: bool,
    has_content: bool,
    tables_written: usize,
    exact: bool,
    /// Tapes that are being written refer to the styles.
    replaying: bool,
    /// Where the tape can be cut.
    cuts: Cuts,
    /// Total of the tape beyond which that is looked for.
    next_look: usize,
}

impl Writer {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            out: Vec::new(),
            containers: Containers::new(),
            leaf: Leaf::None,
            leaf_started: false,
            task: None,
            tape: Tape::default(),
            inline: Inline::new(settings.exact),
            styles: Styles::new(settings.exact),
            code: CodeBlock::new(settings.code),
            tables: Tables::new(settings.table),
            link_lists: LinkLists::new(None, settings.table),
            links: Vec::new(),
            inline_code: None,
            raised: false,
            has_content: false,
            tables_written: 0,
            exact: settings.exact,
            replaying: false,
            cuts: Cuts::default(),
            next_look: PARAGRAPH,
        }
    }

    /// Writes lists of links as tables with these columns. Content of a list that is not decided yet
    /// may wait up to `limit` bytes; a longer list stays one.
    pub(crate) fn link_lists_as_tables(mut self, columns: Option<Columns>, limit: usize) -> Self {
        self.link_lists = LinkLists::new(columns, limit);
        self
    }

    /// Whether anything was written that the page shows.
    pub(crate) fn has_content(&self) -> bool {
        self.has_content
    }

    pub(crate) fn ready(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn take(&mut self) -> Vec<u8> {
        // What comes next is likely to be as much.
        let next = Vec::with_capacity(self.out.len().min(MAX_TAKEN));
        std::mem::replace(&mut self.out, next)
    }

    /// Writes text as it is, before any block.
    pub(crate) fn raw(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Text whose white space collapses.
    pub(crate) fn text(&mut self, text: &str) {
        // Blanks between blocks are half of the text of many a page.
        if self.leaf == Leaf::None
            && !self.raised
            && !self.link_lists.is_recording()
            && !self.tables.is_recording()
            && text.trim_ascii_start().is_empty()
        {
            return;
        }
        if self.link_lists.is_broken_by_content() && text.bytes().any(|b| !b.is_ascii_whitespace())
        {
            self.write_link_lists();
        }
        let chain = self.styles.current();
        let raised = self.raised && self.raise(text);
        if raised {
            self.push_text("^", chain);
        }
        let mut text = text;
        while let Some(end) = self.full_at(text) {
            self.push_text(&text[..end], chain);
            text = &text[end..];
        }
        self.push_text(text, chain);
    }

    #[inline]
    fn push_text(&mut self, text: &str, chain: Chain) {
        let tape = self.inline_tape();
        tape.push_text(text, chain);
        self.keep_bounds();
    }

    /// Where in a text that may be too much for the table that is recorded to push it in two parts:
    /// what is written then is not to depend on how the page is cut.
    fn full_at(&self, text: &str) -> Option<usize> {
        if self.link_lists.is_recording() {
            return None;
        }
        let room = self.tables.room()?;
        let end = text
            .floor_char_boundary(room)
            .max(text.ceil_char_boundary(1));
        (end < text.len()).then_some(end)
    }

    /// The tape that content goes to now.
    fn current_tape(&mut self) -> &mut Tape {
        recorded(&mut self.link_lists, &mut self.tables).unwrap_or(&mut self.tape)
    }

    /// The same for inline content, which begins a paragraph where none is open.
    fn inline_tape(&mut self) -> &mut Tape {
        if recorded(&mut self.link_lists, &mut self.tables).is_none() {
            self.begin_paragraph();
        }
        self.current_tape()
    }

    /// Whether a superscript needs a sign: only between characters of a word is it lost without.
    fn raise(&mut self, text: &str) -> bool {
        let Some(first) = text.chars().next() else {
            return false;
        };
        self.raised = false;
        let before = self.current_tape().last_char();
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
        if self.link_lists.is_recording() {
            self.write_link_lists();
        }
        let mut text = text;
        while self.tables.is_recording() {
            let end = self.full_at(text).unwrap_or(text.len());
            if let Some(tape) = self.tables.tape() {
                tape.push_code_text(&text[..end]);
            }
            self.keep_bounds();
            text = &text[end..];
            if text.is_empty() {
                return;
            }
        }
        self.push_code(text);
    }

    /// A line of code begins, also an empty one.
    pub(crate) fn begin_code_line(&mut self) {
        if self.leaf == Leaf::Code && !self.tables.is_recording() {
            self.code.begin_line();
        } else {
            self.block(Block::Boundary);
        }
    }

    pub(crate) fn line_break(&mut self) {
        let chain = self.styles.current();
        if let Some(tape) = recorded(&mut self.link_lists, &mut self.tables) {
            tape.push_break(chain);
            self.keep_bounds();
        } else if matches!(self.leaf, Leaf::Paragraph { .. } | Leaf::Heading(_)) {
            self.tape.push_break(chain);
            self.keep_bounds();
        }
    }

    pub(crate) fn image(&mut self, destination: &str, title: &str, alt: &str) {
        if self.link_lists.is_broken_by_content() {
            self.write_link_lists();
        }
        let target = self.styles.add_target(destination, title, alt);
        let chain = self.styles.current();
        let tape = self.inline_tape();
        tape.push_image(target, chain);
        self.keep_bounds();
    }

    /// Whether a link is open: none can stand in it.
    pub(crate) fn in_link(&self) -> bool {
        self.styles.in_link()
    }

    /// Whether text goes to a heading now.
    pub(crate) fn in_heading(&self) -> bool {
        matches!(self.leaf, Leaf::Heading(_)) && !self.tables.is_recording()
    }

    /// What follows stands in a table, but outside of its cells.
    pub(crate) fn misplaced_in_table(&mut self, misplaced: bool) {
        self.tables.misplaced(misplaced);
    }

    /// A name of a language for a code block.
    pub(crate) fn language(&mut self, name: &str) -> u32 {
        // Code is no part of a list of links, after which the styles may be forgotten.
        if self.link_lists.is_recording() {
            self.write_link_lists();
        }
        self.styles.add_language(name)
    }

    pub(crate) fn block(&mut self, block: Block) {
        if !self.tables.is_recording() {
            match self.link_lists.place(block) {
                ListStep::Passed => {}
                ListStep::Recorded => return self.keep_bounds(),
                ListStep::Begins => return self.end_leaf(),
                ListStep::Ends => return self.write_link_lists(),
                // A list in it may be one of links by itself.
                ListStep::Broken => {
                    self.write_link_lists();
                    return self.block(block);
                }
            }
        }
        match self.tables.place(block) {
            TableStep::Recorded => self.keep_bounds(),
            TableStep::Written => self.apply(block),
            TableStep::Dropped => {}
            TableStep::TableBegins => self.end_leaf(),
            TableStep::TableEnds => self.end_table(),
            TableStep::RowEnds => self.write_row(),
            TableStep::NestedTableBegins => {
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
            Leaf::Paragraph { .. } | Leaf::Heading(_) => self.write_some(),
            Leaf::Code | Leaf::None => {}
        }
    }

    /// The page ends: closes and writes what is left.
    pub(crate) fn finish(&mut self) {
        if self.link_lists.is_recording() {
            self.write_link_lists();
        }
        while self.tables.is_open() {
            self.block(Block::EndTable);
        }
        self.end_leaf();
    }

    #[inline]
    fn keep_bounds(&mut self) {
        if self.link_lists.is_recording() {
            if self.link_lists.is_over_limit() {
                self.write_link_lists();
            }
        } else if self.tables.is_recording() {
            if self.tables.is_over_limit() {
                self.spill_table();
            }
        } else if self.tape.total() > self.next_look {
            self.keep_leaf_bounds();
        }
    }

    fn forget_styles(&mut self) {
        if !self.tables.is_recording() && !self.replaying {
            self.styles.forget();
        }
    }

    /// The last line of a block was written.
    fn end_block(&mut self) {
        self.containers.end_block(&mut self.out);
        self.has_content = true;
    }

    fn apply(&mut self, block: Block) {
        match block {
            Block::Paragraph => {
                self.boundary();
                if self.leaf == Leaf::None {
                    self.leaf = Leaf::Paragraph { explicit: true };
                    self.containers.loosen();
                }
            }
            Block::Heading(level) => {
                self.end_leaf();
                self.leaf = Leaf::Heading(level);
            }
            Block::Quote => {
                self.end_leaf();
                self.containers.start_quote();
            }
            Block::EndQuote => {
                self.end_leaf();
                self.containers.end_quote(&mut self.out, self.exact);
            }
            Block::List(number) => {
                self.end_leaf();
                self.containers.start_list(number);
            }
            Block::EndList => {
                self.end_leaf();
                self.containers.end_list();
            }
            Block::Item { value } => {
                self.end_leaf();
                self.task = None;
                self.containers.start_item(value);
            }
            Block::EndItem { keep_empty } => {
                self.end_leaf();
                self.containers.end_item(&mut self.out, keep_empty);
            }
            // Behind other text it is no box of the item.
            Block::Task { done } => {
                if !self.leaf_started && !self.tape.shows_text() {
                    self.task = Some(done);
                }
            }
            Block::Rule => {
                self.end_leaf();
                self.containers.begin_block(&mut self.out);
                // Neither a continued marker nor the start of front matter.
                let plain = self.containers.is_document() && self.has_content;
                self.out
                    .extend_from_slice(if plain { b"---" } else { b"___" });
                self.end_block();
            }
            Block::Code { language } => self.start_code(Some(language)),
            Block::EndHeading | Block::EndCode => self.end_leaf(),
            Block::Boundary
            | Block::Table { .. }
            | Block::EndTable
            | Block::Row { .. }
            | Block::Cell(_)
            | Block::EndCell
            | Block::Caption
            | Block::EndCaption => self.boundary(),
        }
    }
}

/// The tape that content goes to now, if it is recorded.
fn recorded<'a>(link_lists: &'a mut LinkLists, tables: &'a mut Tables) -> Option<&'a mut Tape> {
    link_lists.tape().or_else(|| tables.tape())
}
