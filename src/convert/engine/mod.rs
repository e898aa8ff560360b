//! The HTML parser: the only place that knows lol_html.
//!
//! lol_html is used without selectors and without handlers of content: it then does no more than to
//! look for tags. Every byte of the page goes to the output sink, a tag never cut, so that the sink
//! sees text and all tags: stray, mis-nested and unclosed ones too. With a handler, for comments
//! alone, it reads all attributes of all tags, which costs more than to tell text, comments and tags
//! apart once more.

mod roots;
mod skip;

use self::roots::{Piece, Roots};
use self::skip::{Skip, Skipped};
use super::element::Element;
use super::page::Page;
use super::tag::{StartTag, tag_name};
use super::tokens::{References, TokenSink, Tokenizer};
use super::tree::Tree;
use lol_html::errors::RewritingError;
use lol_html::send::{HtmlRewriter, Settings};
use lol_html::{MemorySettings, OutputSink};
use std::cell::RefCell;
use std::fmt;

/// Bytes that the parser gets at one time: it counts a whole slice towards its memory.
const SLICE: usize = 16 << 10;

/// Roots of foreign content that one parser gets: it remembers each of them until it ends, and does
/// not count that towards its memory.
const MAX_ROOTS: u32 = 64 << 10;

/// The parser gave up for another reason than its memory.
#[derive(Debug)]
pub(super) struct ParserError;

/// Parses text and builds a [`Page`] of it.
pub(super) struct Engine {
    rewriter: Option<HtmlRewriter<'static, Rest>>,
    /// `None` only while the parser runs, which finds it in [`CURRENT`].
    state: Option<Box<State>>,
    token_limit: usize,
    roots: Roots,
    /// The token that is being left out.
    skip: Option<Skip>,
}

/// What the handlers of the parser share.
struct State {
    tokenizer: Tokenizer,
    builder: Builder,
    /// The parser is given markup only to put it into the right state.
    ignore: bool,
    /// The parser has run out of memory and gives back what it has not parsed.
    unparsed: Option<Vec<u8>>,
}

/// Makes the page.
struct Builder {
    tree: Tree,
    page: Page,
    /// The last tag was a `svg` or `math` that ended itself, outside of foreign content.
    closed_root: Option<Element>,
    /// How many roots were opened since the parser began.
    roots: u32,
}

thread_local! {
    /// The state of the engine whose parser runs on this thread. Handlers must be `Send`, so they
    /// can't share it by reference; swapping it in costs nothing per token, which a lock does.
    static CURRENT: RefCell<Option<Box<State>>> = const { RefCell::new(None) };
}

/// Lends a state to [`CURRENT`]; gives it back also when the parser panics.
struct Lend<'a> {
    owner: &'a mut Option<Box<State>>,
    before: Option<Box<State>>,
}

impl<'a> Lend<'a> {
    fn new(owner: &'a mut Option<Box<State>>) -> Self {
        let before = CURRENT.replace(owner.take());
        Self { owner, before }
    }
}

impl Drop for Lend<'_> {
    fn drop(&mut self) {
        *self.owner = CURRENT.replace(self.before.take());
    }
}

fn with_current(f: impl FnOnce(&mut State)) {
    CURRENT.with_borrow_mut(|state| {
        if let Some(state) = state {
            f(state);
        }
    });
}

/// Gets the bytes that no handler has taken.
struct Rest;

impl OutputSink for Rest {
    fn handle_chunk(&mut self, chunk: &[u8]) {
        with_current(|state| state.rest(chunk));
    }
}

impl State {
    fn rest(&mut self, run: &[u8]) {
        if let Some(unparsed) = &mut self.unparsed {
            unparsed.extend_from_slice(run);
            return;
        }
        if self.ignore {
            return;
        }
        // The parser was given text, and a token is not cut within a character.
        match simdutf8::basic::from_utf8(run) {
            Ok(run) => self.tokenizer.run(run, &mut self.builder),
            Err(_) => {
                let run = String::from_utf8_lossy(run);
                self.tokenizer.run(&run, &mut self.builder);
            }
        }
    }
}

impl TokenSink for Builder {
    #[inline]
    fn raw_text_element(&self) -> Option<Element> {
        self.tree.raw_text_element()
    }

    fn in_foreign_content(&self) -> bool {
        self.tree.in_foreign_content()
    }

    // Each of the three is called from the one loop over the tokens, where a call costs as much as
    // most of them do.
    #[inline(always)]
    fn text(&mut self, text: &str, references: References) {
        if self.tree.text(text, &mut self.page) {
            self.page.text(text, references);
        }
    }

    #[inline(always)]
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        self.page.end_text();
        let root = matches!(tag.element, Element::Svg | Element::Math);
        self.roots += u32::from(root);
        self.closed_root =
            (root && tag.self_closing && !self.in_foreign_content()).then_some(tag.element);
        self.tree.start(tag, &mut self.page);
    }

    #[inline(always)]
    fn end_tag(&mut self, element: Element, name: &[u8]) {
        self.page.end_text();
        self.tree.end(element, name, &mut self.page);
    }

    fn doctype(&mut self, text: &[u8]) {
        self.tree.doctype(text);
    }

    fn nothing(&mut self) {
        self.page.end_text();
    }
}

impl Engine {
    pub(super) fn new(page: Page, token_limit: usize) -> Self {
        Self {
            rewriter: Some(rewriter(token_limit)),
            state: Some(Box::new(State {
                tokenizer: Tokenizer::new(token_limit),
                builder: Builder {
                    tree: Tree::new(),
                    page,
                    closed_root: None,
                    roots: 0,
                },
                ignore: false,
                unparsed: None,
            })),
            token_limit,
            roots: Roots::new(),
            skip: None,
        }
    }

    /// The page as far as it has been parsed. `None` only after a panic of the parser.
    pub(super) fn page(&mut self) -> Option<&mut Page> {
        self.state.as_mut().map(|s| &mut s.builder.page)
    }

    pub(super) fn page_ref(&self) -> Option<&Page> {
        self.state.as_ref().map(|s| &s.builder.page)
    }

    /// Parses the next text of the page.
    pub(super) fn write(&mut self, text: &str) -> Result<(), ParserError> {
        let mut roots = std::mem::replace(&mut self.roots, Roots::new());
        let result = roots.cut(text, |piece| match piece {
            Piece::Text(text) => self.write_slices(text),
            Piece::Root(tag) => self.write_root(tag),
        });
        self.roots = roots;
        result
    }

    /// lol_html takes `<svg/>` for the start of foreign content that never ends. So a tag of `svg`
    /// or `math` is parsed alone, and if it ended itself, an end tag follows that the page has not.
    fn write_root(&mut self, tag: &str) -> Result<(), ParserError> {
        let before = match &mut self.state {
            Some(state) => {
                state.builder.closed_root = None;
                state.builder.roots
            }
            None => return Err(ParserError),
        };
        self.write_slices(tag)?;
        if let Some(state) = &mut self.state
            && state.builder.roots > before
            && state.builder.roots >= MAX_ROOTS
        {
            // The tag was a tag, so that nothing is half parsed.
            state.builder.roots = 0;
            state.builder.closed_root = None;
            self.rewriter = Some(rewriter(self.token_limit));
            return self.restore_context();
        }
        match self
            .state
            .as_mut()
            .and_then(|s| s.builder.closed_root.take())
        {
            Some(Element::Svg) => self.write_ignored("</svg>"),
            Some(_) => self.write_ignored("</math>"),
            None => Ok(()),
        }
    }

    fn write_slices(&mut self, text: &str) -> Result<(), ParserError> {
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(skip) = &mut self.skip {
                let Some(end) = skip.find_end(rest.as_bytes()) else {
                    return Ok(());
                };
                rest = &rest[end..];
                self.end_skip()?;
                continue;
            }
            let (slice, after) = rest.split_at(rest.floor_char_boundary(SLICE));
            self.write_slice(slice)?;
            rest = after;
        }
        Ok(())
    }

    fn write_slice(&mut self, slice: &str) -> Result<(), ParserError> {
        let Some(rewriter) = &mut self.rewriter else {
            return Err(ParserError);
        };
        let result = {
            let _lend = Lend::new(&mut self.state);
            rewriter.write(slice.as_bytes())
        };
        self.recover(result)
    }

    /// Puts the parser into a state by markup that the page has not.
    fn write_ignored(&mut self, markup: &str) -> Result<(), ParserError> {
        if let Some(state) = &mut self.state {
            state.ignore = true;
        }
        let result = self.write_slice(markup);
        if let Some(state) = &mut self.state {
            state.ignore = false;
        }
        result
    }

    /// A token that is larger than the parser's memory is left out, and a fresh parser goes on
    /// behind it.
    fn recover(&mut self, result: Result<(), RewritingError>) -> Result<(), ParserError> {
        match result.err() {
            None => Ok(()),
            Some(RewritingError::MemoryLimitExceeded(_)) => {
                let Some(state) = &mut self.state else {
                    return Err(ParserError);
                };
                let unparsed = state.unparsed.take().unwrap_or_default();
                self.rewriter = Some(rewriter(self.token_limit));
                let (skip, end) = Skip::new(&unparsed, state.builder.tree.raw_text_element());
                self.skip = Some(skip);
                let Some(end) = end else { return Ok(()) };
                self.end_skip()?;
                // The input was valid, and a token ends in ASCII.
                let rest = String::from_utf8_lossy(&unparsed[end..]).into_owned();
                self.write_slices(&rest)
            }
            Some(_) => {
                self.rewriter = None;
                Err(ParserError)
            }
        }
    }

    /// The token that was left out has ended: it counts as far as it is known.
    fn end_skip(&mut self) -> Result<(), ParserError> {
        let Some(skip) = self.skip.take() else {
            return Ok(());
        };
        let Some(state) = &mut self.state else {
            return Err(ParserError);
        };
        let State {
            tokenizer, builder, ..
        } = &mut **state;
        match skip.finish() {
            Skipped::StartTag(head, self_closing) => {
                builder.start_tag(&tokenizer.truncated(&head, self_closing));
            }
            Skipped::EndTag(head) => {
                let name = tag_name(&head);
                builder.end_tag(Element::from_name(name), name);
            }
            Skipped::RawText(element) => builder.end_tag(element, element.name().as_bytes()),
            Skipped::Nothing => builder.nothing(),
        }
        self.restore_context()
    }

    /// A fresh parser does not know where in the page it is: in foreign content, or in an element
    /// whose content is text.
    fn restore_context(&mut self) -> Result<(), ParserError> {
        let Some(state) = &self.state else {
            return Err(ParserError);
        };
        let mut markup = String::new();
        for name in state.builder.tree.foreign_names() {
            markup.push('<');
            markup.push_str(name);
            markup.push('>');
        }
        if let Some(element) = state.builder.tree.raw_text_element() {
            markup.push('<');
            markup.push_str(element.name());
            markup.push('>');
        }
        if markup.is_empty() {
            return Ok(());
        }
        self.write_ignored(&markup)
    }

    /// The page has ended.
    pub(super) fn finish(&mut self) -> Result<(), ParserError> {
        let held = self.roots.finish();
        self.write_slices(&held)?;
        self.skip = None;
        if let Some(rewriter) = self.rewriter.take() {
            let result = {
                let _lend = Lend::new(&mut self.state);
                rewriter.end()
            };
            match result {
                // What is left of the page is one unfinished token.
                Ok(()) | Err(RewritingError::MemoryLimitExceeded(_)) => {}
                Err(_) => return Err(ParserError),
            }
        }
        let Some(state) = &mut self.state else {
            return Err(ParserError);
        };
        state.unparsed = None;
        state.tokenizer.finish(&mut state.builder);
        let Builder { tree, page, .. } = &mut state.builder;
        page.end_text();
        tree.finish(page);
        page.finish();
        Ok(())
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("failed", &self.rewriter.is_none())
            .finish_non_exhaustive()
    }
}

fn rewriter(token_limit: usize) -> HtmlRewriter<'static, Rest> {
    let settings = Settings::new_send()
        .with_strict(false)
        .with_memory_settings(
            MemorySettings::new()
                .with_max_allowed_memory_usage(token_limit)
                .with_graceful_bail_out_on_memory_limit_exceeded(true),
        )
        .append_bail_out_handler(lol_html::bail_out!(|_error, _bail_out| {
            with_current(|state| state.unparsed = Some(Vec::new()));
        }));
    HtmlRewriter::new(settings, Rest)
}
