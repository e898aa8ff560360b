//! Character references (WHATWG HTML §13.2.5.72), also where a reference is cut in two.

use super::search;
use std::borrow::Cow;

/// Longer than any named reference with its semicolon.
const LONGEST: usize = 40;

/// Decodes text whose pieces come one after the other.
#[derive(Debug, Default)]
pub(super) struct CharacterReferences {
    /// What may be the beginning of a reference.
    held: String,
}

impl CharacterReferences {
    /// Decodes the next piece of text as far as no later piece can change it, to the end of `out`.
    pub(super) fn decode(&mut self, text: &str, out: &mut String) {
        if !self.held.is_empty() {
            let mut whole = std::mem::take(&mut self.held);
            whole.push_str(text);
            return self.decode_whole(&whole, out);
        }
        self.decode_whole(text, out);
    }

    fn decode_whole(&mut self, text: &str, out: &mut String) {
        let last = memchr::memrchr(b'&', text.as_bytes()).unwrap_or(text.len());
        let (text, reference) = if may_go_on(&text[last..]) {
            text.split_at(last)
        } else {
            (text, "")
        };
        self.held.push_str(reference);
        unescape(text, out);
    }

    /// The text has ended: what was held, decoded.
    #[inline]
    pub(super) fn finish(&mut self) -> Option<String> {
        if self.held.is_empty() {
            return None;
        }
        let mut rest = String::new();
        unescape(&std::mem::take(&mut self.held), &mut rest);
        Some(rest)
    }

    pub(super) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }
}

fn may_go_on(reference: &str) -> bool {
    (1..LONGEST).contains(&reference.len()) && reference.bytes().skip(1).all(in_reference)
}

fn in_reference(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'#'
}

fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    loop {
        let next = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
        if rest.is_empty() {
            return;
        }
        if let Some((length, character)) = common(rest.as_bytes()) {
            out.push_str(character);
            rest = &rest[length..];
            continue;
        }
        // What is longer than any reference ends there, also where a later piece has the rest of it.
        let length = rest.bytes().skip(1).position(|b| !in_reference(b));
        let length = length.map_or(rest.len(), |i| i + 1);
        let with_end = length + usize::from(rest[length..].starts_with(';'));
        let (reference, after) = rest.split_at(if length < LONGEST { with_end } else { LONGEST });
        out.push_str(&htmlize::unescape(reference));
        rest = after;
    }
}

/// The reference at the start, if it is one of the few that make up most of those on pages.
fn common(bytes: &[u8]) -> Option<(usize, &'static str)> {
    Some(match bytes {
        [b'&', b'l', b't', b';', ..] => (4, "<"),
        [b'&', b'g', b't', b';', ..] => (4, ">"),
        [b'&', b'a', b'm', b'p', b';', ..] => (5, "&"),
        [b'&', b'#', b'3', b'9', b';', ..] => (5, "'"),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => (6, "\""),
        [b'&', b'n', b'b', b's', b'p', b';', ..] => (6, "\u{A0}"),
        _ => return None,
    })
}

/// Decodes the value of an attribute, where a reference without semicolon ends differently.
pub(super) fn decode_attribute(value: &[u8]) -> Cow<'_, str> {
    let Ok(text) = std::str::from_utf8(value) else {
        let text = String::from_utf8_lossy(value);
        return Cow::Owned(htmlize::unescape_attribute(&*text).into_owned());
    };
    decode_attribute_text(text)
}

/// The same for a value that is known to be text.
pub(super) fn decode_attribute_text(value: &str) -> Cow<'_, str> {
    if !search::contains(b'&', value.as_bytes()) {
        return Cow::Borrowed(value);
    }
    htmlize::unescape_attribute(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_decode_alike_however_they_are_cut() {
        let text = "a&amp;b &lt;c&gt; &copy &notit; &#x41;&#66; &unknown; &#0; & &amp &";
        let expected = "a&b <c> © ¬it; AB &unknown; \u{FFFD} & & &";
        let long = format!("&#{} &{}", "1".repeat(60), "a".repeat(60));
        let (text, expected) = (
            text.to_owned() + &long,
            expected.to_owned() + &format!("\u{FFFD}{} &{}", "1".repeat(22), "a".repeat(60)),
        );
        for size in 1..text.len() {
            let mut references = CharacterReferences::default();
            let mut out = String::new();
            for piece in text.as_bytes().chunks(size) {
                references.decode(std::str::from_utf8(piece).unwrap(), &mut out);
            }
            out += &references.finish().unwrap_or_default();
            assert_eq!(out, expected, "pieces of {size}");
        }
    }

    #[test]
    fn attributes_follow_their_own_rule() {
        assert_eq!(decode_attribute(b"?a=1&copy=2&amp;b"), "?a=1&copy=2&b");
    }
}
