//! Addresses that stand in Markdown as bare text, where nothing may be read as markup.

use std::ops::Range;

/// `text` with every character percent-encoded that a URL must not have, or that Markdown would
/// read as markup in a cell. An existing `%` is left alone.
pub(crate) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let authority = authority(text);
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|&(_, c)| c);
        let unsafe_here = match c {
            ' ' | '"' | '<' | '>' | '`' | '*' | '|' | '\\' | '^' | '{' | '}' | '~' | '$' | '!'
            | '[' | ']' => {
                // The brackets of an IPv6 host are part of the URL's form.
                !(matches!(c, '[' | ']') && authority.contains(&at))
            }
            '_' => {
                !(before.is_some_and(|c: char| c.is_ascii_alphanumeric())
                    && next.is_some_and(|c: char| c.is_ascii_alphanumeric()))
            }
            '&' => looks_like_reference(&text[at + 1..]),
            c => c.is_control() || !c.is_ascii(),
        };
        if unsafe_here {
            push_encoded(c, &mut out);
        } else {
            out.push(c);
        }
        before = Some(c);
    }
    out
}

/// Where the host of a full URL stands.
fn authority(text: &str) -> Range<usize> {
    match text.find("://") {
        Some(colon) if text[..colon].bytes().all(|b| b.is_ascii_alphabetic()) => {
            let start = colon + 3;
            start
                ..text[start..]
                    .find(['/', '?', '#'])
                    .map_or(text.len(), |length| start + length)
        }
        _ => 0..0,
    }
}

fn looks_like_reference(after: &str) -> bool {
    let name = after.len()
        - after
            .trim_start_matches(|c: char| c == '#' || c.is_ascii_alphanumeric())
            .len();
    name > 0 && after[name..].starts_with(';')
}

pub(crate) fn push_encoded(c: char, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push('%');
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
}
