//! What the parser hands on, the whole page, comes apart into text and tags.
//!
//! The parser never cuts the name of a tag; what follows it, text, comments and declarations may be
//! cut anywhere. What is text although it looks like markup follows from the element that is open
//! (WHATWG HTML §13.2.5).

use super::declaration::{Comment, Declaration};
use super::element::Element;
use super::search;
use super::tag::{StartTag, TagReader, is_space, tag_name};
use super::tag_end::TagEnd;

/// What makes a page of the tokens: the tree construction of the standard (§13.2.6), on which it
/// depends what is markup.
pub(super) trait TokenSink {
    /// The innermost open element, if its content is no markup.
    fn raw_text_element(&self) -> Option<Element>;
    fn in_foreign_content(&self) -> bool;
    fn text(&mut self, text: &str, references: References);
    fn start_tag(&mut self, tag: &StartTag<'_>);
    fn end_tag(&mut self, element: Element, name: &[u8]);
    /// The text of a document type declaration after `<!`.
    fn doctype(&mut self, text: &[u8]);
    /// Markup that says nothing, but ends the text before it.
    fn nothing(&mut self);
}

/// Whether text has character references to decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// It stands for itself.
    Never,
    /// It has no `&`, but may go on with what the text before it began.
    None,
    Some,
}

impl References {
    /// In the text of an element whose content is no markup (§13.2.5.2 to 4).
    fn within(element: Element) -> Self {
        match element {
            Element::Title | Element::Textarea => Self::Some,
            _ => Self::Never,
        }
    }
}

/// What the run before ended within.
#[derive(Debug, Default)]
enum Within {
    #[default]
    Nothing,
    /// In a tag, behind its name: where it ends.
    Tag(TagEnd),
    /// Behind so many bytes of one of [`OPENINGS`]: what they begin is not known.
    Opening(&'static str, usize),
    /// In text that is no markup, behind what may be the beginning of the end tag.
    RawTextEnd,
    Comment(Comment),
    Declaration(Declaration),
    /// In `<![CDATA[`, behind so many brackets that may be the first of `]]>`.
    Cdata(usize),
}

/// What markup other than a start tag begins with.
const OPENINGS: [&str; 3] = ["</", "<!--", "<![CDATA["];

/// How far a script has hidden its own end tag (§13.2.5.15 to 31).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Script {
    #[default]
    Plain,
    /// Behind `<!--`.
    Escaped,
    /// Behind `<!-- <script>`: the next end tag belongs to that one.
    DoubleEscaped,
}

/// Splits runs of text and tags into tokens.
#[derive(Debug, Default)]
pub(super) struct Tokenizer {
    tags: TagReader,
    script: Script,
    /// How many dashes the run before ended with in a script.
    script_dashes: usize,
    within: Within,
    /// The last declaration that has ended.
    declaration: Declaration,
    /// A tag that was cut.
    tag: Vec<u8>,
    /// Bytes kept of such a tag at most.
    tag_limit: usize,
}

impl Tokenizer {
    /// A tokenizer that keeps so many bytes of one tag: the attributes beyond are lost.
    pub(super) fn new(tag_limit: usize) -> Self {
        Self {
            tag_limit,
            ..Self::default()
        }
    }

    /// Hands on the tokens of a run.
    pub(super) fn run(&mut self, run: &str, sink: &mut impl TokenSink) {
        let mut rest = run;
        while !rest.is_empty() {
            let length = self.token(rest, sink);
            rest = &rest[length..];
        }
    }

    /// Hands on the first token of `run`, which is not empty. Returns how many bytes it takes.
    #[inline]
    fn token(&mut self, run: &str, sink: &mut impl TokenSink) -> usize {
        let bytes = run.as_bytes();
        if !matches!(self.within, Within::Nothing) {
            return self.go_on(run, sink);
        }
        let (text, references) = match sink.raw_text_element() {
            Some(element) => (self.raw_text(bytes, element), References::within(element)),
            None => {
                self.script = Script::Plain;
                match bytes {
                    [b'<', b, ..] if b.is_ascii_alphabetic() => {
                        return self.start_tag(run, sink);
                    }
                    [b'<', b'/', b, ..] if b.is_ascii_alphabetic() => {
                        return self.end_tag(bytes, sink);
                    }
                    _ => text_length(bytes),
                }
            }
        };
        if text > 0 {
            sink.text(&run[..text], references);
            return text;
        }
        self.markup(run, sink)
    }

    /// Reads a start tag that was cut off: its name and the attributes that are complete.
    pub(super) fn truncated<'a>(&'a mut self, raw: &'a [u8], self_closing: bool) -> StartTag<'a> {
        self.tags.truncated(raw, self_closing)
    }

    /// The markup at the start of `run`, which begins with `<`.
    #[inline(never)]
    fn markup(&mut self, run: &str, sink: &mut impl TokenSink) -> usize {
        let bytes = run.as_bytes();
        if let Some(element) = sink.raw_text_element()
            && may_end_raw_text(bytes, element)
        {
            self.tag.clear();
            self.tag.extend_from_slice(bytes);
            self.within = Within::RawTextEnd;
            return bytes.len();
        }
        if let Some(opening) = OPENINGS.iter().find(|o| o.as_bytes().starts_with(bytes)) {
            // None of them is whole without what stands behind it, but for these two.
            if !matches!(bytes, b"<!--" | b"<![CDATA[") {
                sink.nothing();
                self.within = Within::Opening(opening, bytes.len());
                return bytes.len();
            }
        }
        match bytes.get(1) {
            Some(b'!') => self.declaration(run, 2, sink),
            Some(b'/') if bytes.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                self.end_tag(bytes, sink)
            }
            // The name of a tag that is none.
            _ => {
                sink.nothing();
                self.end_of(Declaration::default(), bytes, 1)
            }
        }
    }

    #[inline(always)] // Called from one place, for each tag.
    fn start_tag(&mut self, run: &str, sink: &mut impl TokenSink) -> usize {
        let raw = &run[1..];
        let Some((element, name, length)) = self.tags.read_start(raw.as_bytes()) else {
            return self.begin_tag(run.as_bytes(), 1, sink);
        };
        sink.start_tag(&self.tags.tag(&raw[..length], element, name));
        length + 1
    }

    #[inline(always)] // As above.
    fn end_tag(&mut self, bytes: &[u8], sink: &mut impl TokenSink) -> usize {
        let Some((element, name, length)) = self.tags.end(&bytes[2..]) else {
            return self.begin_tag(bytes, 2, sink);
        };
        sink.end_tag(element, name);
        length + 2
    }

    /// A tag whose end the run does not have; its name begins at `name`.
    #[cold]
    fn begin_tag(&mut self, bytes: &[u8], name: usize, sink: &mut impl TokenSink) -> usize {
        let mut end = TagEnd::from_name();
        end.find(&bytes[name..]);
        self.tag.clear();
        self.tag
            .extend_from_slice(&bytes[..bytes.len().min(self.tag_limit)]);
        self.within = Within::Tag(end);
        sink.nothing();
        bytes.len()
    }

    /// A tag that was cut goes on.
    fn go_on_in_tag(&mut self, mut end: TagEnd, bytes: &[u8], sink: &mut impl TokenSink) -> usize {
        let found = end.find(bytes);
        let part = &bytes[..found.unwrap_or(bytes.len())];
        let free = self.tag_limit.saturating_sub(self.tag.len());
        self.tag.extend_from_slice(&part[..part.len().min(free)]);
        let Some(length) = found else {
            self.within = Within::Tag(end);
            return bytes.len();
        };
        match &*self.tag {
            [b'<', b'/', raw @ ..] => {
                let name = tag_name(raw);
                sink.end_tag(Element::from_name(name), name);
            }
            [_, raw @ ..] => sink.start_tag(&self.tags.truncated(raw, end.is_self_closing())),
            [] => {}
        }
        length
    }

    /// What the run before ended within goes on.
    #[cold]
    fn go_on(&mut self, run: &str, sink: &mut impl TokenSink) -> usize {
        match std::mem::take(&mut self.within) {
            Within::Nothing => 0,
            Within::Tag(end) => self.go_on_in_tag(end, run.as_bytes(), sink),
            Within::Opening(opening, length) => {
                self.go_on_in_opening(&opening[..length], run, sink)
            }
            Within::RawTextEnd => self.go_on_in_end_of_raw_text(run, sink),
            Within::Comment(comment) => self.comment(comment, run.as_bytes(), 0),
            Within::Declaration(declaration) => {
                let length = self.end_of(declaration, run.as_bytes(), 0);
                self.hand_on_doctype(sink);
                length
            }
            Within::Cdata(brackets) => self.cdata(run, brackets, sink),
        }
    }

    /// Markup of which the runs before have brought no more than `begun`. The parser cuts markup
    /// there only where it takes it for text, as it does when it is wrong about what is open.
    fn go_on_in_opening(
        &mut self,
        begun: &'static str,
        run: &str,
        sink: &mut impl TokenSink,
    ) -> usize {
        let bytes = run.as_bytes();
        let goes_on = |o: &&&str| {
            let rest = o.strip_prefix(begun).unwrap_or_default().as_bytes();
            !rest.is_empty() && rest.first() == bytes.first()
        };
        if let Some(opening) = OPENINGS.iter().find(goes_on) {
            match &opening[..=begun.len()] {
                "<!--" => self.within = Within::Comment(Comment::default()),
                "<![CDATA[" if sink.in_foreign_content() => self.within = Within::Cdata(0),
                _ => self.within = Within::Opening(opening, begun.len() + 1),
            }
            return 1;
        }
        match (begun, bytes[0]) {
            ("<" | "</", b) if b.is_ascii_alphabetic() => {
                self.tag.clear();
                self.tag.extend_from_slice(begun.as_bytes());
                self.go_on_in_tag(TagEnd::from_name(), bytes, sink)
            }
            ("<", b) if b != b'?' => {
                sink.text(begun, References::None);
                0
            }
            _ => {
                let mut declaration = Declaration::default();
                declaration.find_end(begun.get(2..).unwrap_or_default().as_bytes());
                let length = self.end_of(declaration, bytes, 0);
                self.hand_on_doctype(sink);
                length
            }
        }
    }

    /// What may be the end of text that is no markup goes on.
    fn go_on_in_end_of_raw_text(&mut self, run: &str, sink: &mut impl TokenSink) -> usize {
        let Some(element) = sink.raw_text_element() else {
            return 0;
        };
        let mut held = std::mem::take(&mut self.tag);
        let next = run.as_bytes()[0];
        held.push(next);
        if may_end_raw_text(&held, element) {
            self.tag = held;
            self.within = Within::RawTextEnd;
            return 1;
        }
        let nested = element == Element::Script && self.script == Script::DoubleEscaped;
        if is_end_tag(&held, element) && !nested {
            held.pop();
            let mut end = TagEnd::from_name();
            end.find(&held[2..]);
            self.tag = held;
            return self.go_on_in_tag(end, run.as_bytes(), sink);
        }
        // What stands behind it may begin something else.
        let taken = usize::from(next.is_ascii() && next != b'<');
        held.truncate(held.len() - 1 + taken);
        if element == Element::Script {
            self.script_text(&held);
        }
        self.tag = held;
        let text = std::str::from_utf8(&self.tag).unwrap_or_default();
        sink.text(text, References::within(element));
        taken
    }

    /// The page has ended: what was taken for the beginning of markup is text.
    pub(super) fn finish(&mut self, sink: &mut impl TokenSink) {
        match std::mem::take(&mut self.within) {
            Within::Opening(opening, length) if length == 1 || opening == "</" => {
                sink.text(&opening[..length], References::None);
            }
            Within::RawTextEnd => {
                let references = sink
                    .raw_text_element()
                    .map_or(References::None, References::within);
                let text = std::str::from_utf8(&self.tag).unwrap_or_default();
                sink.text(text, references);
            }
            _ => {}
        }
    }

    /// What begins with `<!`, from behind it on.
    fn declaration(&mut self, run: &str, start: usize, sink: &mut impl TokenSink) -> usize {
        sink.nothing();
        let bytes = run.as_bytes();
        let rest = &bytes[start..];
        if rest.starts_with(b"--") {
            return self.comment(Comment::default(), bytes, start + 2);
        }
        if rest.starts_with(b"[CDATA[") && sink.in_foreign_content() {
            self.within = Within::Cdata(0);
            return start + 7;
        }
        let length = self.end_of(Declaration::default(), bytes, start);
        self.hand_on_doctype(sink);
        length
    }

    /// The declaration that has ended or not, if it is one of the document's type.
    fn hand_on_doctype(&self, sink: &mut impl TokenSink) {
        if let Some(text) = self.declaration.doctype()
            && matches!(self.within, Within::Nothing)
        {
            sink.doctype(text);
        }
    }

    /// The end of a comment whose text goes on at `start`.
    fn comment(&mut self, mut comment: Comment, bytes: &[u8], start: usize) -> usize {
        match comment.find_end(&bytes[start..]) {
            Some(end) => start + end,
            None => {
                self.within = Within::Comment(comment);
                bytes.len()
            }
        }
    }

    /// The end of a declaration whose text goes on at `start`.
    fn end_of(&mut self, mut declaration: Declaration, bytes: &[u8], start: usize) -> usize {
        match declaration.find_end(&bytes[start..]) {
            Some(end) => {
                self.declaration = declaration;
                start + end
            }
            None => {
                self.within = Within::Declaration(declaration);
                bytes.len()
            }
        }
    }

    /// Text without references up to `]]>`, of which the runs before may have brought `brackets`.
    fn cdata(&mut self, run: &str, brackets: usize, sink: &mut impl TokenSink) -> usize {
        let bytes = run.as_bytes();
        let more = bytes.iter().take_while(|&&b| b == b']').count();
        if brackets > 0 {
            let all = brackets + more;
            if more == bytes.len() && all <= 2 {
                self.within = Within::Cdata(all);
                return more;
            }
            if all == 2 && bytes.get(more) == Some(&b'>') {
                return more + 1;
            }
            // The first of them is text.
            self.within = Within::Cdata(brackets - 1);
            sink.text("]", References::Never);
            return 0;
        }
        if let Some(end) = memchr::memmem::find(bytes, b"]]>") {
            sink.text(&run[..end], References::Never);
            return end + 3;
        }
        let held = bytes.iter().rev().take_while(|&&b| b == b']').count();
        let held = held.min(2);
        self.within = Within::Cdata(held);
        sink.text(&run[..run.len() - held], References::Never);
        run.len()
    }

    /// How many bytes come before the end tag of the element.
    fn raw_text(&mut self, bytes: &[u8], element: Element) -> usize {
        match element {
            Element::Plaintext => bytes.len(),
            Element::Script => self.script_text(bytes),
            _ => {
                let mut at = 0;
                while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
                    at += found;
                    if is_end_tag(&bytes[at..], element) || may_end_raw_text(&bytes[at..], element)
                    {
                        return at;
                    }
                    at += 1;
                }
                bytes.len()
            }
        }
    }

    fn script_text(&mut self, bytes: &[u8]) -> usize {
        // A `-->` may have been cut.
        let dashes = std::mem::take(&mut self.script_dashes);
        let more = bytes.iter().take_while(|&&b| b == b'-').count();
        if dashes > 0 && dashes + more >= 2 && bytes.get(more) == Some(&b'>') {
            self.script = Script::Plain;
        }
        let length = self.script_text_of(bytes);
        if length == bytes.len() {
            let last = bytes.iter().rev().take_while(|&&b| b == b'-').count();
            let before = if last == bytes.len() { dashes } else { 0 };
            self.script_dashes = (before + last).min(2);
        }
        length
    }

    fn script_text_of(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let found = match self.script {
                Script::Plain => memchr::memchr(b'<', &bytes[at..]),
                Script::Escaped | Script::DoubleEscaped => {
                    memchr::memchr2(b'<', b'-', &bytes[at..])
                }
            };
            let Some(found) = found else {
                return bytes.len();
            };
            at += found;
            let rest = &bytes[at..];
            if self.script != Script::Plain && rest.starts_with(b"-->") {
                self.script = Script::Plain;
            } else if self.script == Script::Plain && rest.starts_with(b"<!--") {
                self.script = Script::Escaped;
                // `<!-->` is a whole comment.
                at += 1;
            } else if rest[0] == b'<' && may_end_raw_text(rest, Element::Script) {
                return at;
            } else if is_end_tag(rest, Element::Script) {
                if self.script != Script::DoubleEscaped {
                    return at;
                }
                self.script = Script::Escaped;
            } else if self.script == Script::Escaped
                && rest[0] == b'<'
                && names(&rest[1..], Element::Script)
            {
                self.script = Script::DoubleEscaped;
            }
            at += 1;
        }
    }
}

/// How many bytes come before the first markup, and whether there is a reference among them.
#[inline]
fn text_length(bytes: &[u8]) -> (usize, References) {
    let mut at = 0;
    let mut references = References::None;
    loop {
        let found = if references == References::None {
            search::find_either(b'<', b'&', &bytes[at..])
        } else {
            search::find(b'<', &bytes[at..])
        };
        let Some(found) = found else {
            return (bytes.len(), references);
        };
        at += found;
        if bytes[at] == b'&' {
            references = References::Some;
            at += 1;
            continue;
        }
        match bytes.get(at + 1) {
            None | Some(b'!' | b'/' | b'?') => return (at, references),
            Some(b) if b.is_ascii_alphabetic() => return (at, references),
            _ => at += 1,
        }
    }
}

fn is_end_tag(bytes: &[u8], element: Element) -> bool {
    bytes.starts_with(b"</") && names(&bytes[2..], element)
}

/// Whether all of the bytes may be the beginning of what decides where the element's text ends.
fn may_end_raw_text(bytes: &[u8], element: Element) -> bool {
    let begins = |opening: &[u8], name: &[u8]| {
        let all = opening.iter().chain(name);
        bytes
            .iter()
            .zip(all)
            .all(|(b, c)| b.eq_ignore_ascii_case(c))
            && bytes.len() <= opening.len() + name.len()
    };
    let name = element.name().as_bytes();
    begins(b"</", name)
        || (element == Element::Script && (begins(b"<", name) || begins(b"<!-", b"")))
}

/// Whether a tag's bytes behind `<` or `</` begin with the name of the element, all of it.
fn names(bytes: &[u8], element: Element) -> bool {
    let end = bytes
        .iter()
        .take(16)
        .position(|&b| is_space(b) || matches!(b, b'/' | b'>'));
    end.is_some_and(|end| Element::from_name(&bytes[..end]) == element)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::tag::AttributeName;

    /// Writes down what it gets, and knows no more of the tree than the last tag.
    #[derive(Default)]
    struct Log {
        tokens: Vec<String>,
        open: Option<Element>,
        foreign: bool,
        titles: Vec<(bool, Option<Vec<u8>>)>,
    }

    impl TokenSink for Log {
        fn raw_text_element(&self) -> Option<Element> {
            self.open
        }

        fn in_foreign_content(&self) -> bool {
            self.foreign
        }

        fn text(&mut self, text: &str, references: References) {
            self.tokens.push(match references {
                References::Never => format!("raw {text}"),
                References::None | References::Some => text.to_owned(),
            });
        }

        fn start_tag(&mut self, tag: &StartTag<'_>) {
            self.open = tag.element.is_raw_text().then_some(tag.element);
            self.foreign |= tag.element == Element::Svg;
            let title = tag.get(AttributeName::Title).map(<[u8]>::to_vec);
            self.titles.push((tag.self_closing, title));
            let name = String::from_utf8_lossy(tag.name);
            self.tokens.push(format!("<{name}>"));
        }

        fn end_tag(&mut self, _: Element, name: &[u8]) {
            self.open = None;
            let name = String::from_utf8_lossy(name);
            self.tokens.push(format!("</{name}>"));
        }

        fn doctype(&mut self, text: &[u8]) {
            self.tokens
                .push(format!("!{}", String::from_utf8_lossy(text)));
        }

        fn nothing(&mut self) {}
    }

    fn tokens(runs: &[&str]) -> Vec<String> {
        let mut tokenizer = Tokenizer::new(1 << 10);
        let mut log = Log::default();
        for run in runs {
            tokenizer.run(run, &mut log);
        }
        tokenizer.finish(&mut log);
        log.tokens
    }

    #[test]
    fn text_and_tags_come_apart() {
        assert_eq!(
            tokens(&["<!doctype html><p class=a>b</p>c"]),
            ["!doctype html", "<p>", "b", "</p>", "c"]
        );
    }

    #[test]
    fn a_less_than_sign_alone_is_text() {
        assert_eq!(
            tokens(&["a < b <3 <", " c <<b>d</"]),
            ["a < b <3 ", "<", " c <", "<b>", "d", "</"]
        );
    }

    #[test]
    fn what_is_no_tag_says_nothing() {
        assert_eq!(
            tokens(&["a</>b</3>c<?d?>e<!-- <b> -->f<!-->g"]),
            ["a", "b", "c", "e", "f", "g"]
        );
        assert_eq!(tokens(&["a<b c='d"]), ["a"]);
    }

    #[test]
    fn raw_text_ends_with_its_own_end_tag() {
        assert_eq!(
            tokens(&["<title>a<b></titles></TITLE >c"]),
            ["<title>", "a<b></titles>", "</TITLE>", "c"]
        );
        assert_eq!(
            tokens(&["<style>a</b>", "c</style>"]),
            ["<style>", "raw a</b>", "raw c", "</style>"]
        );
        assert_eq!(
            tokens(&["<plaintext>a</plaintext>"]),
            ["<plaintext>", "raw a</plaintext>"]
        );
        assert_eq!(
            tokens(&["<title>a<", "/tit", "lex<", "/Title", " a", ">b"]),
            ["<title>", "a", "</titlex", "</Title>", "b"]
        );
        assert_eq!(
            tokens(&["<style>a</sty"]),
            ["<style>", "raw a", "raw </sty"]
        );
    }

    #[test]
    fn a_script_can_hide_an_end_tag() {
        for script in [
            "<!-- <script> a </script> b -->",
            "<!-- a ",
            "<!--> <script> a",
            "<!-- --> <script> a",
        ] {
            assert_eq!(
                tokens(&[&format!("<script>{script}</script>c")]),
                ["<script>", &format!("raw {script}"), "</script>", "c"]
            );
        }
        assert_eq!(
            tokens(&["<script>a<!", "--<script>b</script>c-", "-></script>d"]),
            [
                "<script>",
                "raw a",
                "raw <!--",
                "raw <script>b</script>c-",
                "raw ->",
                "</script>",
                "d"
            ]
        );
        assert_eq!(
            tokens(&["<script><!-- <script>a</script>b"]),
            ["<script>", "raw <!-- <script>a</script>b"]
        );
    }

    #[test]
    fn a_character_data_section_is_text_also_where_it_is_cut() {
        assert_eq!(
            tokens(&["<svg><![CDATA[a<b>", "&amp;]]>c&d"]),
            ["<svg>", "raw a<b>", "raw &amp;", "c&d"]
        );
        let page = "[CDATA[a]b]]c]]]>d";
        for cut in 8..page.len() {
            let found = tokens(&["<svg><!", &page[..cut], &page[cut..]]);
            let text: String = found.iter().map(|t| t.trim_start_matches("raw ")).collect();
            assert_eq!(text, "<svg>a]b]]c]d", "cut at {cut}");
        }
    }

    #[test]
    fn outside_of_foreign_content_a_character_data_section_is_a_comment() {
        assert_eq!(tokens(&["a<![CDATA[b<c>]]>d"]), ["a", "]]>d"]);
    }

    #[test]
    fn a_tag_may_be_cut_behind_its_name() {
        assert_eq!(
            tokens(&["a<b c='", ">d' ", "e>f</b ", "g='", ">'>h"]),
            ["a", "<b>", "f", "</b>", "h"]
        );
        let mut tokenizer = Tokenizer::new(16);
        let mut log = Log::default();
        for run in [
            "<b title=1 ",
            "x='2' id=3/>",
            "<b title=1 ",
            "x='222222222' />",
        ] {
            tokenizer.run(run, &mut log);
        }
        let one = Some(b"1".to_vec());
        assert_eq!(log.titles, [(false, one.clone()), (true, one)]);
    }

    #[test]
    fn markup_that_the_parser_takes_for_text_may_be_cut_anywhere() {
        let page = "a<b c=d>e</b >f< g</3>h<!-- -->i<![CDATA[j>k<?l>m<!doctype n>o<p";
        let bytes: Vec<&str> = (0..page.len()).map(|at| &page[at..=at]).collect();
        assert_eq!(tokens(&bytes).concat(), tokens(&[page]).concat());
        assert_eq!(tokens(&bytes).concat(), "a<b>e</b>f< ghikm!doctype no");
    }

    #[test]
    fn comments_and_declarations_may_be_cut() {
        assert_eq!(
            tokens(&[
                "a<!",
                "-- <b> -",
                "-> c -->d<!",
                "doctype ht",
                "ml>e<?x",
                " <b>f</3",
                "4>g"
            ]),
            ["a", " c -->d", "!doctype html", "e", "f", "g"]
        );
    }
}
