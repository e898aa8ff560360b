//! What the parser hands on, a page without its comments, comes apart into text and tags.
//!
//! The parser hands on whole tokens, so that a tag is never cut; text may be cut anywhere. What is
//! text although it looks like markup follows from the element that is open (WHATWG HTML §13.2.5).

use super::element::Element;
use super::tag::{Markup, StartTag, TagReader, is_space};

#[derive(Debug, Clone, Copy)]
pub(super) enum Token<'a> {
    /// Text as it stands, and whether it has character references to decode.
    Text(&'a str, bool),
    Start(StartTag<'a>),
    End(Element, &'a [u8]),
    /// The text of a document type declaration after `<!`.
    Doctype(&'a [u8]),
    /// What says nothing.
    Nothing,
}

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
    /// The run before ended within `<![CDATA[`.
    in_cdata: bool,
}

impl Tokenizer {
    /// The first token of `run` and how many bytes it takes. `raw_text` is the innermost open
    /// element if its content is no markup. `None` at the end of the run.
    pub(super) fn next<'a>(
        &'a mut self,
        run: &'a str,
        raw_text: Option<Element>,
    ) -> Option<(Token<'a>, usize)> {
        if run.is_empty() {
            return None;
        }
        if self.in_cdata {
            return Some(self.cdata(run, 0));
        }
        let (text, references) = match raw_text {
            Some(element) => (
                self.raw_text(run.as_bytes(), element),
                matches!(element, Element::Title | Element::Textarea),
            ),
            None => {
                self.script = Script::Plain;
                (text_length(run.as_bytes()), true)
            }
        };
        if text > 0 {
            return Some((Token::Text(&run[..text], references), text));
        }
        Some(self.markup(run))
    }

    /// Reads a start tag that was cut off: its name and the attributes that are complete.
    pub(super) fn truncated<'a>(&'a mut self, raw: &'a [u8], self_closing: bool) -> StartTag<'a> {
        self.tags.truncated(raw, self_closing)
    }

    /// The markup at the start of `run`, which begins with `<`.
    fn markup<'a>(&'a mut self, run: &'a str) -> (Token<'a>, usize) {
        let bytes = run.as_bytes();
        let to = |end: Option<usize>| (Token::Nothing, end.map_or(bytes.len(), |i| i + 1));
        match bytes.get(1) {
            Some(b'!') if bytes.starts_with(b"<![CDATA[") => self.cdata(run, 9),
            // The parser took these for text, but the tree knows better.
            Some(b'!') if bytes.starts_with(b"<!--") => {
                to(memchr::memmem::find(&bytes[2..], b"-->").map(|i| i + 4))
            }
            Some(b'?') => to(memchr::memchr(b'>', bytes)),
            Some(b'/') if !bytes.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                to(memchr::memchr(b'>', bytes))
            }
            _ => match self.tags.next(bytes) {
                Some((Markup::Start(tag), length)) => (Token::Start(tag), length),
                Some((Markup::End(element, name), length)) => (Token::End(element, name), length),
                Some((Markup::Doctype(text), length)) => (Token::Doctype(text), length),
                // The page ends within a tag.
                None => to(None),
            },
        }
    }

    /// Text without references up to `]]>`, which the next run may bring.
    fn cdata<'a>(&mut self, run: &'a str, start: usize) -> (Token<'a>, usize) {
        let end = memchr::memmem::find(&run.as_bytes()[start..], b"]]>").map(|i| start + i);
        self.in_cdata = end.is_none();
        let (text, length) = match end {
            Some(end) => (&run[start..end], end + 3),
            None => (&run[start..], run.len()),
        };
        (Token::Text(text, false), length)
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
                    if is_end_tag(&bytes[at..], element) {
                        return at;
                    }
                    at += 1;
                }
                bytes.len()
            }
        }
    }

    fn script_text(&mut self, bytes: &[u8]) -> usize {
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

/// How many bytes come before the first markup.
fn text_length(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        at += found;
        match bytes.get(at + 1) {
            Some(b'!' | b'?') => return at,
            Some(b'/') if at + 2 < bytes.len() => return at,
            Some(b) if b.is_ascii_alphabetic() => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_end_tag(bytes: &[u8], element: Element) -> bool {
    bytes.starts_with(b"</") && names(&bytes[2..], element)
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

    /// The tokens of runs, with `raw_text` for what is open behind each start tag.
    fn tokens(runs: &[&str]) -> Vec<String> {
        let mut tokenizer = Tokenizer::default();
        let mut open = None;
        let mut all = Vec::new();
        for run in runs {
            let mut rest = *run;
            while let Some((token, length)) = tokenizer.next(rest, open) {
                match token {
                    Token::Text(text, true) => all.push(text.to_owned()),
                    Token::Text(text, false) => all.push(format!("raw {text}")),
                    Token::Start(tag) => {
                        open = tag.element.is_raw_text().then_some(tag.element);
                        all.push(format!("<{}>", String::from_utf8_lossy(tag.name)));
                    }
                    Token::End(_, name) => {
                        open = None;
                        all.push(format!("</{}>", String::from_utf8_lossy(name)));
                    }
                    Token::Doctype(text) => {
                        all.push(format!("!{}", String::from_utf8_lossy(text)));
                    }
                    Token::Nothing => {}
                }
                rest = &rest[length..];
            }
        }
        all
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
            tokens(&["a < b <3 <", "c <<b>d</"]),
            ["a < b <3 <", "c <", "<b>", "d</"]
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
            tokens(&["<script><!-- <script>a</script>b"]),
            ["<script>", "raw <!-- <script>a</script>b"]
        );
    }

    #[test]
    fn a_character_data_section_is_text_also_where_it_is_cut() {
        assert_eq!(
            tokens(&["<![CDATA[a<b>", "&amp;]]>c&d"]),
            ["raw a<b>", "raw &amp;", "c&d"]
        );
    }
}
