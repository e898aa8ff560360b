//! The HTML parser: the only file that knows lol_html.
//!
//! lol_html is used without selectors. Comments go to a handler; every other byte of the page goes
//! to the output sink, in whole tokens, so that the sink sees text and all tags: stray, mis-nested
//! and unclosed ones too. Text has no handler, for that costs two calls and a decoder for each
//! stretch of it, which is more than to tell it from tags once more.

use super::element::Element;
use super::page::Page;
use super::tokens::{Token, Tokenizer};
use super::tree::Tree;
use lol_html::errors::RewritingError;
use lol_html::send::{HtmlRewriter, Settings};
use lol_html::{MemorySettings, OutputSink, doc_comments};
use std::cell::RefCell;
use std::fmt;

/// Bytes that the parser gets at one time: it counts a whole slice towards its memory.
const SLICE: usize = 16 << 10;

/// A tag of `svg` or `math` that is longer is not looked at for a `/` at its end.
const LONGEST_ROOT_TAG: usize = 8 << 10;

/// The parser gave up for another reason than its memory.
#[derive(Debug)]
pub(super) struct ParserError;

/// Parses text and builds a [`Page`] of it.
pub(super) struct Engine {
    rewriter: Option<HtmlRewriter<'static, Rest>>,
    /// `None` only while the parser runs, which finds it in [`CURRENT`].
    state: Option<Box<State>>,
    token_limit: usize,
    /// The start of what may be a tag of `svg` or `math`, until its end is known.
    held: String,
    skipping: Option<Skipping>,
}

/// What the handlers of the parser share.
struct State {
    tree: Tree,
    page: Page,
    tokenizer: Tokenizer,
    /// The sink is about to get a comment.
    comment: bool,
    /// The parser is given markup only to put it into the right state.
    ignore: bool,
    /// The last tag was a `svg` or `math` that ended itself, outside of foreign content.
    closed_root: Option<Element>,
    /// The parser has run out of memory and gives back what it has not parsed.
    unparsed: Option<Vec<u8>>,
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
        if std::mem::take(&mut self.comment) || self.ignore {
            return;
        }
        // The parser was given text, and a token is not cut within a character.
        match std::str::from_utf8(run) {
            Ok(run) => self.tokens(run),
            Err(_) => self.tokens(&String::from_utf8_lossy(run)),
        }
    }

    fn tokens(&mut self, run: &str) {
        let Self {
            tree,
            page,
            tokenizer,
            closed_root,
            ..
        } = self;
        let mut rest = run;
        while let Some((token, length)) = tokenizer.next(rest, tree.raw_text_element()) {
            match token {
                Token::Text(text, references) => {
                    tree.text(text, page);
                    page.text(text, references);
                }
                Token::Start(tag) => {
                    page.end_text();
                    *closed_root = (tag.self_closing
                        && matches!(tag.element, Element::Svg | Element::Math)
                        && !tree.in_foreign_content())
                    .then_some(tag.element);
                    tree.start(&tag, page);
                }
                Token::End(element, name) => {
                    page.end_text();
                    tree.end(element, name, page);
                }
                Token::Doctype(text) => tree.doctype(text),
                Token::Nothing => page.end_text(),
            }
            rest = &rest[length..];
        }
    }

    fn comment(&mut self) {
        self.comment = true;
        self.page.end_text();
    }
}

impl Engine {
    pub(super) fn new(page: Page, token_limit: usize) -> Self {
        Self {
            rewriter: Some(rewriter(token_limit)),
            state: Some(Box::new(State {
                tree: Tree::new(),
                page,
                tokenizer: Tokenizer::default(),
                comment: false,
                ignore: false,
                closed_root: None,
                unparsed: None,
            })),
            token_limit,
            held: String::new(),
            skipping: None,
        }
    }

    /// The page as far as it has been parsed. `None` only after a panic of the parser.
    pub(super) fn page(&mut self) -> Option<&mut Page> {
        self.state.as_mut().map(|s| &mut s.page)
    }

    pub(super) fn page_ref(&self) -> Option<&Page> {
        self.state.as_ref().map(|s| &s.page)
    }

    /// Parses the next text of the page.
    pub(super) fn write(&mut self, text: &str) -> Result<(), ParserError> {
        if !self.held.is_empty() {
            let mut held = std::mem::take(&mut self.held);
            held.push_str(text);
            return self.write_roots(&held);
        }
        self.write_roots(text)
    }

    /// lol_html takes `<svg/>` for the start of foreign content that never ends. So a tag of `svg`
    /// or `math` is parsed alone, and if it ended itself, an end tag follows that the page has not.
    fn write_roots(&mut self, text: &str) -> Result<(), ParserError> {
        let mut roots = Roots::new(text.as_bytes());
        let mut rest = text;
        while let Some(at) = roots.next(text.len() - rest.len()) {
            let (before, from) = rest.split_at(at - (text.len() - rest.len()));
            self.write_slices(before)?;
            let Some(end) = tag_end(from.as_bytes()) else {
                if from.len() < LONGEST_ROOT_TAG {
                    self.held.push_str(from);
                    return Ok(());
                }
                return self.write_slices(from);
            };
            let (tag, after) = from.split_at(end);
            if let Some(state) = &mut self.state {
                state.closed_root = None;
            }
            self.write_slices(tag)?;
            match self.state.as_mut().and_then(|s| s.closed_root.take()) {
                Some(Element::Svg) => self.write_ignored("</svg>")?,
                Some(_) => self.write_ignored("</math>")?,
                None => {}
            }
            rest = after;
        }
        // `<sv` at the end may become one.
        let partial = partial_root(rest.as_bytes());
        let (now, later) = rest.split_at(rest.len() - partial);
        self.held.push_str(later);
        self.write_slices(now)
    }

    fn write_slices(&mut self, text: &str) -> Result<(), ParserError> {
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(skipping) = &mut self.skipping {
                let Some(end) = skipping.find_end(rest.as_bytes()) else {
                    return Ok(());
                };
                rest = &rest[end..];
                self.end_skipping()?;
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
        match result {
            Ok(()) => Ok(()),
            Err(RewritingError::MemoryLimitExceeded(_)) => {
                let Some(state) = &mut self.state else {
                    return Err(ParserError);
                };
                let unparsed = state.unparsed.take().unwrap_or_default();
                state.comment = false;
                self.rewriter = Some(rewriter(self.token_limit));
                let in_script = state.tree.raw_text_element();
                let mut skipping = Skipping::new(&unparsed, in_script);
                let end = skipping.find_end(&unparsed);
                self.skipping = Some(skipping);
                let Some(end) = end else { return Ok(()) };
                self.end_skipping()?;
                // The input was valid, and a token ends in ASCII.
                let rest = String::from_utf8_lossy(&unparsed[end..]).into_owned();
                self.write_slices(&rest)
            }
            Err(_) => {
                self.rewriter = None;
                Err(ParserError)
            }
        }
    }

    fn end_skipping(&mut self) -> Result<(), ParserError> {
        let Some(skipping) = self.skipping.take() else {
            return Ok(());
        };
        let Some(state) = &mut self.state else {
            return Err(ParserError);
        };
        let State {
            tree,
            page,
            tokenizer,
            ..
        } = &mut **state;
        page.end_text();
        match skipping.kind {
            Large::StartTag => {
                let tag = tokenizer.truncated(&skipping.head);
                tree.start(&tag, page);
            }
            Large::EndTag => {
                let name: &[u8] = skipping
                    .head
                    .split(|b| !b.is_ascii_alphanumeric())
                    .next()
                    .unwrap_or_default();
                tree.end(Element::from_name(name), name, page);
            }
            Large::RawText(element) => tree.end(element, b"", page),
            Large::Comment | Large::Bogus => {}
        }
        self.restore_context()
    }

    /// A fresh parser does not know where in the page it is.
    fn restore_context(&mut self) -> Result<(), ParserError> {
        let Some(state) = &self.state else {
            return Err(ParserError);
        };
        let markup = match state.tree.raw_text_element() {
            Some(Element::Script) => "<script>",
            Some(Element::Style) => "<style>",
            Some(Element::Title) => "<title>",
            Some(Element::Textarea) => "<textarea>",
            Some(Element::Noscript) => "<noscript>",
            Some(Element::Iframe) => "<iframe>",
            Some(Element::Xmp) => "<xmp>",
            Some(Element::Plaintext) => "<plaintext>",
            Some(Element::Noembed) => "<noembed>",
            Some(Element::Noframes) => "<noframes>",
            _ if state.tree.in_foreign_content() => "<svg>",
            _ => return Ok(()),
        };
        self.write_ignored(markup)
    }

    /// The page has ended.
    pub(super) fn finish(&mut self) -> Result<(), ParserError> {
        let held = std::mem::take(&mut self.held);
        self.write_slices(&held)?;
        self.skipping = None;
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
        state.page.end_text();
        state.tree.finish(&mut state.page);
        state.page.finish();
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
        }))
        .append_document_content_handler(doc_comments!(|_comment| {
            with_current(State::comment);
            Ok(())
        }));
    HtmlRewriter::new(settings, Rest)
}

/// What tags of `svg` and `math` begin with, in the cases that pages have.
const ROOTS: [&[u8]; 4] = [b"<svg", b"<math", b"<SVG", b"<MATH"];

/// Finds these tags, each of the four in one pass over the text.
struct Roots<'t> {
    bytes: &'t [u8],
    /// The next of each, if there is one.
    next: [Option<usize>; 4],
}

impl<'t> Roots<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        Self {
            bytes,
            next: ROOTS.map(|root| memchr::memmem::find(bytes, root)),
        }
    }

    /// Where the first one from `from` on begins.
    fn next(&mut self, from: usize) -> Option<usize> {
        for (next, root) in self.next.iter_mut().zip(ROOTS) {
            if next.is_some_and(|at| at < from) {
                *next = memchr::memmem::find(&self.bytes[from..], root).map(|at| from + at);
            }
        }
        self.next.iter().flatten().min().copied()
    }
}

/// How many bytes at the end may be the beginning of such a tag.
fn partial_root(bytes: &[u8]) -> usize {
    (1..=4)
        .rev()
        .filter(|&n| n <= bytes.len())
        .find(|&n| {
            let tail = &bytes[bytes.len() - n..];
            ROOTS.iter().any(|root| root.starts_with(tail))
        })
        .unwrap_or(0)
}

/// The end of the tag that the bytes begin with, quotes observed.
fn tag_end(bytes: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (index, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(index + 1),
            (None, b'"' | b'\'') if bytes[..index].trim_ascii_end().ends_with(b"=") => {
                quote = Some(byte)
            }
            (Some(open), _) if byte == open => quote = None,
            _ => {}
        }
        if index > LONGEST_ROOT_TAG {
            return None;
        }
    }
    None
}

/// A token that is too large for the parser, on the way to its end.
struct Skipping {
    kind: Large,
    /// The beginning of a tag, behind its `<` or `</`.
    head: Vec<u8>,
    /// Bytes of the token before the one looked at next that can matter for its end.
    tail: Vec<u8>,
    quote: Option<u8>,
    /// The token's own beginning has not been looked at.
    fresh: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Large {
    StartTag,
    EndTag,
    Comment,
    /// Any other `<!` or `<?`.
    Bogus,
    /// Script text that looks like a comment: it ends with the element.
    RawText(Element),
}

impl Skipping {
    fn new(unparsed: &[u8], raw_text: Option<Element>) -> Self {
        let (kind, fresh) = match unparsed {
            _ if raw_text.is_some() => (Large::RawText(raw_text.unwrap_or(Element::Script)), 0),
            [b'<', b'!', b'-', b'-', ..] => (Large::Comment, 4),
            [b'<', b'/', c, ..] if c.is_ascii_alphabetic() => (Large::EndTag, 2),
            [b'<', c, ..] if c.is_ascii_alphabetic() => (Large::StartTag, 1),
            _ => (Large::Bogus, 1),
        };
        let head = match kind {
            Large::StartTag | Large::EndTag => unparsed[fresh.min(unparsed.len())..].to_vec(),
            _ => Vec::new(),
        };
        Self {
            kind,
            head,
            tail: Vec::new(),
            quote: None,
            fresh,
        }
    }

    /// Where in the input behind the token's end the page goes on, if it ends there.
    fn find_end(&mut self, input: &[u8]) -> Option<usize> {
        let start = std::mem::take(&mut self.fresh).min(input.len());
        for (index, &byte) in input.iter().enumerate().skip(start) {
            let ended = match self.kind {
                Large::Bogus => byte == b'>',
                Large::Comment => {
                    byte == b'>' && (self.tail.ends_with(b"--") || self.tail.ends_with(b"--!"))
                }
                Large::RawText(element) => byte == b'>' && self.ends_element(element),
                Large::StartTag | Large::EndTag => self.ends_tag(byte),
            };
            if ended {
                return Some(index + 1);
            }
            if self.tail.len() >= 32 {
                self.tail.drain(..16);
            }
            self.tail.push(byte);
        }
        None
    }

    fn ends_tag(&mut self, byte: u8) -> bool {
        match self.quote {
            Some(quote) => {
                if byte == quote {
                    self.quote = None;
                }
                false
            }
            None => {
                if matches!(byte, b'"' | b'\'') && self.tail.trim_ascii_end().ends_with(b"=") {
                    self.quote = Some(byte);
                }
                byte == b'>'
            }
        }
    }

    fn ends_element(&self, element: Element) -> bool {
        memchr::memrchr(b'<', &self.tail).is_some_and(|at| {
            self.tail[at..].strip_prefix(b"</").is_some_and(|name| {
                let name = name
                    .split(|b| !b.is_ascii_alphanumeric())
                    .next()
                    .unwrap_or_default();
                Element::from_name(name) == element
            })
        })
    }
}
