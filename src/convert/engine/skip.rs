//! Tokens that are too large for the parser: how they end.

use crate::convert::element::Element;
use crate::convert::tag::is_space;
use crate::convert::tag_end::TagEnd;

/// A token on the way to its end.
#[derive(Debug)]
pub(super) struct Skip {
    token: Token,
    /// The beginning of a tag, behind its `<`.
    head: Vec<u8>,
}

#[derive(Debug)]
enum Token {
    StartTag(TagEnd),
    EndTag(TagEnd),
    /// The last bytes seen.
    Comment(Tail),
    /// Any other `<!` or `<?`.
    Bogus,
    RawText(RawText),
}

/// What was skipped.
#[derive(Debug)]
pub(super) enum Skipped {
    /// Its beginning, behind the `<`, and whether it ended by `/>`.
    StartTag(Vec<u8>, bool),
    /// Its beginning, behind the `</`.
    EndTag(Vec<u8>),
    /// The rest of such an element, its end tag included.
    RawText(Element),
    Nothing,
}

impl Skip {
    /// Begins with the bytes that the parser had of the token. Returns also how many bytes of them
    /// belong to it, if it ends in them.
    pub(super) fn new(unparsed: &[u8], raw_text: Option<Element>) -> (Self, Option<usize>) {
        let (mut token, from, head) = match unparsed {
            _ if let Some(element) = raw_text => (Token::RawText(RawText::new(element)), 0, 0),
            [b'<', b'!', b'-', b'-', ..] => (Token::Comment(Tail::default()), 4, 0),
            [b'<', b'/', c, ..] if c.is_ascii_alphabetic() => {
                (Token::EndTag(TagEnd::from_name()), 2, 2)
            }
            [b'<', c, ..] if c.is_ascii_alphabetic() => {
                (Token::StartTag(TagEnd::from_name()), 1, 1)
            }
            _ => (Token::Bogus, 0, 0),
        };
        let end = token.find_end(&unparsed[from..]).map(|end| from + end);
        let head = match head {
            0 => Vec::new(),
            from => unparsed[from..end.unwrap_or(unparsed.len())].to_vec(),
        };
        (Self { token, head }, end)
    }

    /// How many of the next bytes belong to the token, if it ends in them.
    pub(super) fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        self.token.find_end(bytes)
    }

    pub(super) fn finish(self) -> Skipped {
        match self.token {
            Token::StartTag(end) => Skipped::StartTag(self.head, end.is_self_closing()),
            Token::EndTag(_) => Skipped::EndTag(self.head),
            Token::RawText(text) => Skipped::RawText(text.element),
            Token::Comment(_) | Token::Bogus => Skipped::Nothing,
        }
    }
}

impl Token {
    fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::StartTag(end) | Self::EndTag(end) => end.find(bytes),
            Self::Bogus => memchr::memchr(b'>', bytes).map(|at| at + 1),
            Self::Comment(tail) => bytes.iter().position(|&byte| {
                tail.push(byte);
                tail.ends_with(b"-->") || tail.ends_with(b"--!>")
            }),
            Self::RawText(text) => return text.find_end(bytes),
        }
        .map(|at| match self {
            Self::Comment(_) => at + 1,
            _ => at,
        })
    }
}

/// The last 16 bytes seen, letters in lower case.
#[derive(Debug, Clone, Copy, Default)]
struct Tail(u128);

impl Tail {
    fn push(&mut self, byte: u8) {
        self.0 = (self.0 << 8) | u128::from(byte.to_ascii_lowercase());
    }

    fn ends_with(self, end: &[u8]) -> bool {
        let bytes = self.0.to_be_bytes();
        bytes.ends_with(end)
    }
}

/// The text of an element that only its own end tag ends, scripts above all: from `<!--` on the
/// parser must see how the script goes on (WHATWG HTML §13.2.5.15 to 31).
#[derive(Debug)]
struct RawText {
    element: Element,
    tail: Tail,
    script: ScriptState,
    /// In the end tag, behind its name.
    end: Option<TagEnd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScriptState {
    Data,
    Escaped,
    DoubleEscaped,
}

impl RawText {
    fn new(element: Element) -> Self {
        Self {
            element,
            tail: Tail::default(),
            script: ScriptState::Data,
            end: None,
        }
    }

    fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            if let Some(end) = &mut self.end {
                return end.find(&bytes[at..]).map(|length| at + length);
            }
            let byte = bytes[at];
            at += 1;
            if is_space(byte) || matches!(byte, b'/' | b'>') {
                if self.ends_name(b"</") {
                    if self.script != ScriptState::DoubleEscaped {
                        let mut end = TagEnd::behind_name();
                        if end.find(&[byte]).is_some() {
                            return Some(at);
                        }
                        self.end = Some(end);
                        continue;
                    }
                    self.script = ScriptState::Escaped;
                } else if self.script == ScriptState::Escaped && self.ends_name(b"<") {
                    self.script = ScriptState::DoubleEscaped;
                }
            }
            self.tail.push(byte);
            if self.element == Element::Script {
                if self.script == ScriptState::Data && self.tail.ends_with(b"<!--") {
                    self.script = ScriptState::Escaped;
                } else if self.tail.ends_with(b"-->") {
                    self.script = ScriptState::Data;
                }
            }
        }
        None
    }

    /// Whether the element's name stands before the next byte, and this before the name.
    fn ends_name(&self, before: &[u8]) -> bool {
        let name = self.element.name().as_bytes();
        let mut whole = [0; 16];
        let length = before.len() + name.len();
        whole[..before.len()].copy_from_slice(before);
        match whole.get_mut(before.len()..length) {
            Some(to) => to.copy_from_slice(name),
            None => return false,
        }
        self.tail.ends_with(&whole[..length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn ends(token: &str, raw_text: Option<Element>) {
        let page = format!("{token}rest > --> </script> </title>");
        // The parser had at least this much of it.
        for had in 5..page.len() {
            let (mut skip, mut end) = Skip::new(&page.as_bytes()[..had], raw_text);
            let mut seen = had;
            while end.is_none() && seen < page.len() {
                end = skip
                    .find_end(&page.as_bytes()[seen..=seen])
                    .map(|n| seen + n);
                seen += 1;
            }
            assert_eq!(end, Some(token.len()), "{token}, {had} at first");
        }
    }

    #[test]
    fn every_kind_of_token_ends_where_the_standard_ends_it() {
        ends("<a href='>' b=\">\" c>", None);
        ends("</a href='>'>", None);
        ends("<!-- > -- > -->", None);
        ends("<!-- > --!>", None);
        ends("<!doctype html>", None);
        ends("<?xml version='1.0'?>", None);
    }

    #[test]
    fn scripts_end_by_their_own_tag_outside_of_an_escaped_script() {
        let script = Some(Element::Script);
        ends("<!-- a </b> </script>", script);
        ends("<!-- a </scripts> </SCRIPT x='>' >", script);
        ends("<!-- <script> </script> --> </script/>", script);
        ends("<!-- <script> --> </script>", script);
        ends("<!-- <scripty> </script>", script);
        ends("</script x='<'>", script);
        ends("x < y </title\n>", Some(Element::Title));
    }
}
