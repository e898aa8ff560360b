//! Destinations and titles of links and images.

use super::{begins_markup, is_character_reference, may_be_mail_address};
use crate::byte_set::{byte_set, find_in_set};

/// Writes the destination of a link or image (CommonMark §6.3), which stays on one line.
pub(in crate::markdown) fn write_destination(out: &mut Vec<u8>, destination: &str, in_cell: bool) {
    let bytes = destination.as_bytes();
    let Some(first) = find_in_set(&IN_DESTINATION, bytes) else {
        out.extend_from_slice(bytes);
        return;
    };
    let balanced = parentheses_balance(&bytes[first..]);
    let mut written = 0;
    while let Some(plain) = find_in_set(&IN_DESTINATION, &bytes[written..]) {
        let index = written + plain;
        let byte = bytes[index];
        out.extend_from_slice(&bytes[written..index]);
        written = index + 1;
        match byte {
            0..=b' ' | b'<' | b'>' | b'\\' | b'`' | 0x7F => {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                out.extend_from_slice(&[
                    b'%',
                    HEX[usize::from(byte >> 4)],
                    HEX[usize::from(byte & 15)],
                ]);
            }
            b'(' | b')' if !balanced => out.extend_from_slice(&[b'\\', byte]),
            b'|' if in_cell => out.extend_from_slice(b"\\|"),
            b'&' if is_character_reference(&bytes[index..]) => out.extend_from_slice(AMPERSAND),
            _ => out.push(byte),
        }
    }
    out.extend_from_slice(&bytes[written..]);
}

/// How a `&` is written that would begin a character reference. A backslash before it is not enough:
/// cmark decodes the references of a destination or a title before its backslashes.
const AMPERSAND: &[u8] = b"&amp;";

/// Bytes of a destination that may have to be written in another way.
static IN_DESTINATION: [bool; 256] = {
    let mut table = byte_set(b"<>\\`\x7F()|&");
    let mut i = 0;
    while i <= b' ' as usize {
        table[i] = true;
        i += 1;
    }
    table
};

/// Bytes of a title that may have to be written in another way.
static IN_TITLE: [bool; 256] = byte_set(b"\"\\`<|&\n\r\t \x0C");

fn parentheses_balance(bytes: &[u8]) -> bool {
    let mut depth = 0_u32;
    for &byte in bytes {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
        // Deeper than this, some readers give up.
        if depth > 30 {
            return false;
        }
    }
    depth == 0
}

/// Writes a title in double quotes behind a destination. Line ends become references if it is to be
/// `exact`; else white space collapses.
pub(in crate::markdown) fn write_title(out: &mut Vec<u8>, title: &str, in_cell: bool, exact: bool) {
    out.extend_from_slice(b" \"");
    let bytes = title.as_bytes();
    let mut blank = true;
    let mut index = 0;
    while index < bytes.len() {
        let plain = bytes[index..].iter().position(|&b| IN_TITLE[b as usize]);
        let plain = plain.unwrap_or(bytes.len() - index);
        if plain > 0 {
            out.extend_from_slice(&bytes[index..index + plain]);
            blank = false;
            index += plain;
            continue;
        }
        let byte = bytes[index];
        if byte == b'&' && is_character_reference(&bytes[index..]) {
            out.extend_from_slice(AMPERSAND);
            blank = false;
            index += 1;
            continue;
        }
        let escape = match byte {
            b'"' | b'\\' | b'`' => true,
            b'<' => {
                let rest = &bytes[index + 1..];
                rest.first().is_some_and(|b| begins_markup(char::from(*b)))
                    || may_be_mail_address(rest, '"')
            }
            b'|' => in_cell,
            _ => false,
        };
        index += 1;
        if exact && byte == b'\n' {
            out.extend_from_slice(b"&#10;");
            continue;
        }
        if !exact && matches!(byte, b'\n' | b'\r' | b'\t' | b' ' | b'\x0C') {
            // A title can't hold an empty line, and one blank says as much as many.
            if !blank {
                out.push(b' ');
            }
            blank = true;
            continue;
        }
        blank = false;
        if escape {
            out.push(b'\\');
        }
        out.push(byte);
    }
    if blank && bytes.len() > 1 && out.last() == Some(&b' ') {
        out.pop();
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_stay_whole_on_one_line() {
        for (destination, written) in [
            ("https://a/b_(c)_*d*", "https://a/b_(c)_*d*"),
            ("/img (1.png", "/img%20\\(1.png"),
            ("/a?x=1&copy;=2", "/a?x=1&amp;copy;=2"),
            ("/a<b>`", "/a%3Cb%3E%60"),
        ] {
            let mut out = Vec::new();
            write_destination(&mut out, destination, false);
            assert_eq!(String::from_utf8(out).unwrap(), written);
        }
    }
}
