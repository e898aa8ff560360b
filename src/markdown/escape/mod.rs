//! Which characters of plain text need a backslash, and where: no more than the law wants.
//!
//! Text is escaped with its neighbours in sight: a character is left alone when nothing that
//! stands around it can make it mean anything (CommonMark 0.31 §6, GFM §4.10 and §6.5).

mod code_span;
mod delimiter;
mod line_start;
mod target;

pub(super) use self::code_span::write_code_span;
pub(super) use self::delimiter::{Openers, is_left_flanking, is_punctuation, is_right_flanking};
pub(super) use self::line_start::{Line, UNDECIDED, ends_label, is_open_label};
pub(super) use self::target::{write_destination, write_title};

use self::delimiter::Delimiter;
use self::line_start::{closing_sequence, start_of_block};
use crate::byte_set::{byte_set, find_in_set};

/// Where the text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The character written before it; a line end at the start of a line.
    pub(super) before: char,
    /// The character that will stand behind it; a line end at the end of a block.
    pub(super) after: char,
    pub(super) line: Line,
    /// A delimiter of ours that closes stands behind it: that one is never left out.
    pub(super) closes: bool,
    /// Marks of emphasis are open: a delimiter that can open could take theirs.
    pub(super) in_emphasis: bool,
    /// Some of them are written with `_`.
    pub(super) in_underscores: bool,
    /// In the text of a link or an image, whose brackets pair up or are all escaped.
    pub(super) in_link: bool,
    /// Brackets of the link text around it do not pair up.
    pub(super) escape_brackets: bool,
    /// In a table cell, where a pipe ends the cell.
    pub(super) in_cell: bool,
}

impl Place {
    /// In the middle of a line of plain text, between these characters.
    pub(super) const fn between(before: char, after: char) -> Self {
        Self {
            before,
            after,
            line: Line::Inside,
            closes: false,
            in_emphasis: false,
            in_underscores: false,
            in_link: false,
            escape_brackets: false,
            in_cell: false,
        }
    }

    /// Whether what stands behind the text may be a delimiter of which it is not known whether it
    /// will be written.
    fn may_be_left_out(&self) -> bool {
        matches!(self.after, '*' | '_' | '~') && !self.closes
    }
}

/// Bytes that can mean something in the middle of a line.
static SPECIAL: [bool; 256] = byte_set(b"\\`*_[]<&!~|");

/// Writes `text` so that it renders as itself, behind text of the block that left these openers.
pub(super) fn write_text(out: &mut Vec<u8>, text: &str, place: &Place, openers: &mut Openers) {
    let bytes = text.as_bytes();
    let begins = match place.line {
        Line::Inside | Line::Heading => None,
        Line::First | Line::FirstOfItem | Line::Continued => start_of_block(bytes, place),
    };
    // Most text needs no more than this look at it.
    if begins.is_none() && !bytes.ends_with(b"#") && find_in_set(&SPECIAL, bytes).is_none() {
        out.extend_from_slice(bytes);
    } else {
        write_escaped(out, text, place, openers, begins);
    }
}

/// The same for text in which something may need a backslash, and in any case what stands at
/// `begins`.
#[inline(never)]
fn write_escaped(
    out: &mut Vec<u8>,
    text: &str,
    place: &Place,
    openers: &mut Openers,
    begins: Option<usize>,
) {
    let bytes = text.as_bytes();
    let mut written = 0;
    let mut at = 0;
    if let Some(index) = begins {
        out.extend_from_slice(&bytes[..index]);
        // The rest of a run of tildes could be a delimiter.
        let run = bytes[index..].iter().take_while(|&&b| b == b'~').count();
        for &byte in &bytes[index..index + run.max(1)] {
            out.extend_from_slice(&[b'\\', byte]);
        }
        written = index + run.max(1);
        at = written;
    }
    while let Some(plain) = find_in_set(&SPECIAL, &bytes[at..]) {
        at += plain;
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied();
        let run = match byte {
            b'*' | b'_' | b'~' => bytes[at..].iter().take_while(|&&b| b == byte).count(),
            _ => 1,
        };
        let escape = match byte {
            b'*' | b'_' | b'~' => {
                let before = char_before(text, at).unwrap_or(place.before);
                let after = char_at(text, at + run).unwrap_or(place.after);
                // Beside a delimiter of ours it would become part of it.
                let touches = (at == 0 && place.before == char::from(byte))
                    || (at + run == bytes.len() && place.after == char::from(byte));
                let mut delimiter = Delimiter::new(byte, before, after);
                // Before a mark, of which it is not known how it will be written, it could be any.
                let unsure = !place.closes && !place.after.is_whitespace();
                if at + run == bytes.len() && unsure {
                    delimiter.opens = true;
                    delimiter.closes = !before.is_whitespace();
                }
                let escape = touches || delimiter.is_taken(run, before, place, *openers);
                if !escape && delimiter.opens {
                    openers.add(byte);
                }
                escape
            }
            b'`' => true,
            b'|' => place.in_cell,
            b'[' => place.escape_brackets,
            b']' => {
                // A delimiter expected behind the text may be left out.
                place.escape_brackets
                    || next.map_or(
                        place.after == '(' || (!place.in_link && place.may_be_left_out()),
                        |next| next == b'(',
                    )
            }
            b'!' => next.is_none() && place.after == '[',
            b'<' => {
                let next = char_at(text, at + 1);
                begins_markup(next.unwrap_or(place.after))
                    || (next.is_none() && place.may_be_left_out())
                    || may_be_mail_address(&bytes[at + 1..], place.after)
            }
            b'&' => {
                is_character_reference(&bytes[at..]) || may_become_reference(&bytes[at..], place)
            }
            _ => match char_at(text, at + 1) {
                Some(next) => next.is_ascii_punctuation(),
                // A delimiter may still come between it and what follows.
                None => place.after != ' ',
            },
        };
        if escape {
            out.extend_from_slice(&bytes[written..at]);
            for _ in 0..run {
                out.push(b'\\');
                out.push(byte);
            }
            written = at + run;
        }
        at += run;
    }
    let closing = if place.line == Line::Heading && place.after == '\n' {
        closing_sequence(&bytes[written..]).map(|i| written + i)
    } else {
        None
    };
    if let Some(index) = closing {
        out.extend_from_slice(&bytes[written..index]);
        out.push(b'\\');
        written = index;
    }
    out.extend_from_slice(&bytes[written..]);
}

/// Whether a `<` before this character may be one of HTML or of an autolink (CommonMark §6.5, §6.6).
fn begins_markup(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')
}

/// Whether what stands behind a `<` may begin a mail address (CommonMark §6.5), which a code span or
/// a delimiter behind the text could go on with.
fn may_be_mail_address(bytes: &[u8], after: char) -> bool {
    let is_local = |b: u8| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&b);
    match bytes.iter().position(|&b| !is_local(b)) {
        Some(end) => end > 0 && bytes[end] == b'@',
        None => u8::try_from(after).is_ok_and(|b| is_local(b) || b == b'@'),
    }
}

/// Whether the bytes could be the beginning of a character reference that goes on behind them.
fn may_become_reference(bytes: &[u8], place: &Place) -> bool {
    let name = bytes[1..].strip_prefix(b"#").unwrap_or(&bytes[1..]);
    let goes_on = place.after.is_ascii_alphanumeric() || matches!(place.after, '#' | ';');
    name.len() <= 40
        && name.iter().all(u8::is_ascii_alphanumeric)
        && (goes_on || place.may_be_left_out())
}

/// Whether the bytes begin with what CommonMark §2.5 could take for a character reference.
fn is_character_reference(bytes: &[u8]) -> bool {
    let rest = &bytes[1..];
    let is_alphanumeric = |b: &&u8| b.is_ascii_alphanumeric();
    let name = match rest.first() {
        Some(b'#') => rest[1..].iter().take_while(is_alphanumeric).count() + 1,
        Some(b) if b.is_ascii_alphabetic() => {
            rest.iter().take(40).take_while(is_alphanumeric).count()
        }
        _ => return false,
    };
    rest.get(name) == Some(&b';')
}

fn char_before(text: &str, at: usize) -> Option<char> {
    match text.as_bytes()[..at].last() {
        Some(b) if b.is_ascii() => Some(char::from(*b)),
        Some(_) => text[..at].chars().next_back(),
        None => None,
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(b) if b.is_ascii() => Some(char::from(*b)),
        Some(_) => text[at..].chars().next(),
        None => None,
    }
}

/// Whether the brackets in a link's text pair up, so that none of them ends it and none makes a
/// link of its own.
pub(super) fn brackets_balance(text: &str, depth: &mut i32) -> bool {
    static BRACKETS: [bool; 256] = byte_set(b"[]");
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(plain) = find_in_set(&BRACKETS, &bytes[at..]) {
        at += plain;
        let opens = bytes[at] == b'[';
        *depth += if opens { 1 } else { -1 };
        at += 1;
        if *depth < 0 || (!opens && matches!(bytes.get(at), Some(b'(' | b'['))) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, line: Line) -> String {
        let mut out = Vec::new();
        let place = Place {
            line,
            ..Place::between('\n', '\n')
        };
        write_text(&mut out, text, &place, &mut Openers::default());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_begins_a_block_is_escaped_at_the_start_of_a_line_only() {
        for (text, first) in [
            ("# a", "\\# a"),
            ("#a", "#a"),
            ("####### a", "####### a"),
            ("> a", "\\> a"),
            ("- a", "\\- a"),
            ("-a", "-a"),
            ("+ a", "\\+ a"),
            ("* a", "\\* a"),
            ("1. a", "1\\. a"),
            ("1986. A", "1986\\. A"),
            ("2) a", "2\\) a"),
            ("120.000 units", "120.000 units"),
            ("1234567890. a", "1234567890. a"),
            ("---", "\\---"),
            ("- - -", "\\- - -"),
            ("***", "\\***"),
            ("___", "\\___"),
            ("~~~", "\\~\\~\\~"),
            ("[a]: b", "\\[a]: b"),
            ("[ ] a", "[ ] a"),
        ] {
            assert_eq!(escaped(text, Line::First), first, "{text}");
            assert!(!escaped(text, Line::Inside).starts_with("\\#"), "{text}");
        }
        assert_eq!(escaped("[ ] a", Line::FirstOfItem), "\\[ ] a");
        assert_eq!(escaped("===", Line::Continued), "\\===");
        assert_eq!(escaped("--- | :-:", Line::Continued), "\\--- | :-:");
        assert_eq!(escaped("Learn C #", Line::Heading), "Learn C \\#");
        assert_eq!(escaped("Learn C#", Line::Heading), "Learn C#");
    }

    #[test]
    fn what_a_delimiter_may_not_part_from_the_text_behind_is_escaped() {
        let before = |text, after| {
            let mut out = Vec::new();
            let place = Place::between(' ', after);
            write_text(&mut out, text, &place, &mut Openers::default());
            String::from_utf8(out).unwrap()
        };
        for (text, escaped) in [
            ("<", "\\<"),
            ("&", "\\&"),
            ("&amp", "\\&amp"),
            ("&#x4", "\\&#x4"),
        ] {
            assert_eq!(before(text, '*'), escaped);
            assert_eq!(before(text, 'b'), escaped);
            assert_eq!(before(text, ' '), text);
            assert_eq!(before(text, '\n'), text);
        }
        assert_eq!(before("&a b", '*'), "&a b");
    }

    #[test]
    fn only_what_can_close_emphasis_is_escaped() {
        assert_eq!(escaped("results._ a*", Line::Inside), "results._ a*");
        assert_eq!(escaped("(_a b_ c_", Line::Inside), "(_a b\\_ c\\_");
        assert_eq!(escaped("3*4*5", Line::Inside), "3\\*4\\*5");
        assert_eq!(escaped("a * b", Line::Inside), "a * b");
        assert_eq!(escaped("max_node_bytes", Line::Inside), "max_node_bytes");
        assert_eq!(escaped("_x_", Line::Inside), "_x\\_");
        assert_eq!(escaped("~100 or a~b", Line::Inside), "~100 or a\\~b");
    }

    #[test]
    fn markup_and_references_are_escaped_where_they_would_be_taken_for_some() {
        assert_eq!(
            escaped("a < b <c> </d <!-- <3", Line::Inside),
            "a < b \\<c> \\</d \\<!-- <3"
        );
        assert_eq!(
            escaped("&copy; R&D &#35; AT&T", Line::Inside),
            "\\&copy; R&D \\&#35; AT&T"
        );
        assert_eq!(
            escaped("[a](b) [c] d](e", Line::Inside),
            "[a\\](b) [c] d\\](e"
        );
        assert_eq!(escaped("a\\b \\*", Line::Inside), "a\\b \\\\*");
    }
}
