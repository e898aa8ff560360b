//! Which characters of plain text need a backslash, and where: no more than the law wants.
//!
//! Text is escaped with its neighbours in sight: a character is left alone when nothing that
//! stands around it can make it mean anything (CommonMark 0.31 §6, GFM §4.10 and §6.5).

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
    /// Whether what stands behind the text may be a delimiter of which it is not known whether it
    /// will be written.
    fn may_be_left_out(&self) -> bool {
        matches!(self.after, '*' | '_' | '~') && !self.closes
    }
}

/// The kinds of delimiters in the text of a block that were left as they are and can open: another
/// one of the kind could close them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Openers(u8);

impl Openers {
    fn bit(byte: u8) -> u8 {
        match byte {
            b'*' => 1,
            b'_' => 2,
            _ => 4,
        }
    }

    fn add(&mut self, byte: u8) {
        self.0 |= Self::bit(byte);
    }

    fn has(self, byte: u8) -> bool {
        self.0 & Self::bit(byte) != 0
    }
}

/// What the line that the text begins, if it begins one, can be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// The text does not begin a line.
    Inside,
    /// The first line of a block.
    First,
    /// The first line of a list item: what looks like a task box could be one.
    FirstOfItem,
    /// A line after a line break: it could underline the one before.
    Continued,
    /// The text of a heading: no block can begin, but a closing sequence could end it.
    Heading,
}

/// Bytes at the start of a line that are taken for the start of a block, where nothing in them tells.
pub(super) const UNDECIDED: usize = 4 << 10;

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

/// A run of `#` at the end of a heading would be dropped (CommonMark §4.2).
fn closing_sequence(bytes: &[u8]) -> Option<usize> {
    let start = bytes.len() - bytes.iter().rev().take_while(|&&b| b == b'#').count();
    let alone = start == 0 || bytes[start - 1] == b' ';
    (start < bytes.len() && alone).then_some(start)
}

/// The index of a character without which the line would begin a block of its own.
fn start_of_block(bytes: &[u8], place: &Place) -> Option<usize> {
    let first = *bytes.first()?;
    let ends_at = |n: usize| match bytes.get(n) {
        Some(b) => *b == b' ',
        None => place.after.is_whitespace(),
    };
    // Only these characters, to the end of the line.
    let only = |set: &[u8]| {
        let undecided = bytes.len() > UNDECIDED;
        (undecided || place.after == '\n') && bytes.iter().take(UNDECIDED).all(|b| set.contains(b))
    };
    // A line that goes on may be written up to any blank: its first word decides.
    let word = bytes.split(|&b| b == b' ').next().unwrap_or_default();
    let under = |set: &[u8]| {
        place.line == Line::Continued
            && (place.after.is_whitespace() || word.len() < bytes.len())
            && word.iter().all(|b| set.contains(b))
    };
    let begins = match first {
        b'#' => {
            let level = bytes.iter().take_while(|&&b| b == b'#').count();
            level <= 6 && ends_at(level)
        }
        b'>' => true,
        b'+' => ends_at(1),
        b'-' => ends_at(1) || only(b"- ") || under(b"-:|"),
        b'*' => ends_at(1) || only(b"* ") || under(b"*"),
        b'_' => (only(b"_ ") && bytes.iter().filter(|&&b| b == b'_').count() >= 3) || under(b"_"),
        b'=' => under(b"="),
        b':' | b'|' => under(b"-:|"),
        b'~' => bytes.starts_with(b"~~~"),
        // A definition can't interrupt a paragraph.
        b'[' if place.line == Line::Continued => false,
        b'[' => {
            (place.line != Line::Continued && is_definition(bytes, place.after))
                || (place.line == Line::FirstOfItem && is_task(bytes, place.after))
        }
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
            let marker = matches!(bytes.get(digits), Some(b'.' | b')'));
            return (digits <= 9 && marker && ends_at(digits + 1)).then_some(digits);
        }
        _ => false,
    };
    begins.then_some(0)
}

/// Whether a code span would end the label of a definition that the link around it seems to begin:
/// a label knows backslashes and brackets, and no code.
pub(super) fn ends_label(code: &str) -> bool {
    let bytes = code.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b']') => return bytes.get(at + 1) == Some(&b':'),
            Some(b'[') | None => return false,
            Some(_) => at += 1,
        }
    }
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
        None => matches!(after, '*' | '~' | '`'),
    }
}

/// `[label]:` would define a link (CommonMark §4.7). Where the text ends before the label does, it
/// still may.
fn is_definition(bytes: &[u8], after: char) -> bool {
    match label_end(bytes) {
        // By then the beginning may have been written.
        Some(end) if end > UNDECIDED => true,
        None if bytes.len() > UNDECIDED => true,
        Some(end) if bytes[end] == b'[' => false,
        Some(end) => match bytes.get(end + 1) {
            Some(next) => *next == b':',
            None => !after.is_whitespace(),
        },
        None => !matches!(after, '\n' | '['),
    }
}

/// The bracket that decides whether text that begins with one begins with a label: the one that ends
/// it, or one that can't stand in it.
fn label_end(bytes: &[u8]) -> Option<usize> {
    let mut from = 1;
    loop {
        let end = from + memchr::memchr2(b'[', b']', &bytes[from..])?;
        // Before a parenthesis it is escaped.
        if bytes[end] == b'[' || bytes.get(end + 1) != Some(&b'(') {
            return Some(end);
        }
        from = end + 1;
    }
}

/// Whether text that ends before a blank begins with a bracket of which no more is known.
pub(super) fn is_open_label(text: &str) -> bool {
    text.starts_with('[') && label_end(text.as_bytes()).is_none()
}

fn is_task(bytes: &[u8], after: char) -> bool {
    let ended = match bytes.get(3) {
        Some(b) => *b == b' ',
        None => after.is_whitespace(),
    };
    ended && matches!(&bytes[..3.min(bytes.len())], b"[ ]" | b"[x]" | b"[X]")
}

/// What a run of `*`, `_` or `~` can do where it stands (CommonMark §6.2).
#[derive(Debug, Clone, Copy)]
struct Delimiter {
    byte: u8,
    opens: bool,
    closes: bool,
}

impl Delimiter {
    fn new(byte: u8, before: char, after: char) -> Self {
        let left = is_left_flanking(before, after);
        let right = is_right_flanking(before, after);
        let (opens, closes) = if byte == b'_' {
            (
                left && (!right || is_punctuation(before)),
                right && (!left || is_punctuation(after)),
            )
        } else {
            (left, right)
        };
        Self {
            byte,
            opens,
            closes,
        }
    }

    /// Whether it could close emphasis, or open some that a delimiter of ours could close. One that
    /// can only open finds nothing else that closes it, and one that can only close needs one.
    fn is_taken(self, run: usize, before: char, place: &Place, openers: Openers) -> bool {
        let in_ours = match self.byte {
            b'_' => place.in_underscores,
            _ => place.in_emphasis,
        };
        let ours = self.byte == b'*' || (self.byte == b'~' && run == 2 && before != '~');
        // Two tildes open for some readers wherever they stand.
        let finds_opener = in_ours || openers.has(self.byte) || (self.byte == b'~' && run > 1);
        (self.closes && finds_opener) || (self.opens && (in_ours || ours))
    }
}

pub(super) fn is_left_flanking(before: char, after: char) -> bool {
    !after.is_whitespace()
        && (!is_punctuation(after) || before.is_whitespace() || is_punctuation(before))
}

pub(super) fn is_right_flanking(before: char, after: char) -> bool {
    !before.is_whitespace()
        && (!is_punctuation(before) || after.is_whitespace() || is_punctuation(after))
}

/// "A Unicode punctuation character": the general categories P and S (CommonMark §2.1). Outside of
/// ASCII, what is neither a letter, a digit, a blank, a combining mark nor a control.
pub(super) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    !c.is_alphanumeric()
        && !c.is_whitespace()
        && !c.is_control()
        && !matches!(c,
            '\u{AD}'
            | '\u{300}'..='\u{36F}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5BD}'
            | '\u{610}'..='\u{61A}'
            | '\u{64B}'..='\u{65F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{20D0}'..='\u{20FF}'
            | '\u{3099}'..='\u{309A}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FE20}'..='\u{FE2F}'
            | '\u{FEFF}'
            | '\u{E0000}'..='\u{E01EF}')
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

/// Writes the destination of a link or image (CommonMark §6.3), which stays on one line.
pub(super) fn write_destination(out: &mut Vec<u8>, destination: &str, in_cell: bool) {
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
            b'&' if is_character_reference(&bytes[index..]) => out.extend_from_slice(b"\\&"),
            _ => out.push(byte),
        }
    }
    out.extend_from_slice(&bytes[written..]);
}

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
pub(super) fn write_title(out: &mut Vec<u8>, title: &str, in_cell: bool, exact: bool) {
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
        let escape = match byte {
            b'"' | b'\\' | b'`' => true,
            b'<' => {
                let rest = &bytes[index + 1..];
                rest.first().is_some_and(|b| begins_markup(char::from(*b)))
                    || may_be_mail_address(rest, '"')
            }
            b'|' => in_cell,
            b'&' => is_character_reference(&bytes[index..]),
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

/// Writes text as a code span (CommonMark §6.1): with a fence longer than any run of backticks in
/// it, and blanks inside where the text begins or ends with one.
pub(super) fn write_code_span(out: &mut Vec<u8>, code: &str, in_cell: bool) {
    let bytes = code.as_bytes();
    let fence = shortest_missing_run(bytes);
    let blanks = (bytes.first() == Some(&b' '), bytes.last() == Some(&b' '));
    let only_blanks = bytes.iter().all(|&b| b == b' ');
    let pad = bytes.first() == Some(&b'`')
        || bytes.last() == Some(&b'`')
        || (blanks == (true, true) && !only_blanks);
    out.extend(std::iter::repeat_n(b'`', fence));
    if pad {
        out.push(b' ');
    }
    if in_cell && memchr::memchr(b'|', bytes).is_some() {
        for &byte in bytes {
            if byte == b'|' {
                out.push(b'\\');
            }
            out.push(byte);
        }
    } else {
        out.extend_from_slice(bytes);
    }
    if pad {
        out.push(b' ');
    }
    out.extend(std::iter::repeat_n(b'`', fence));
}

/// The length of the shortest run of backticks that the text does not have.
fn shortest_missing_run(bytes: &[u8]) -> usize {
    let mut present = 0_u64;
    let mut longest = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + found;
        let run = bytes[start..].iter().take_while(|&&b| b == b'`').count();
        if run < 64 {
            present |= 1 << run;
        }
        longest = longest.max(run);
        at = start + run;
    }
    (1..64)
        .find(|&n| present & (1 << n) == 0)
        .unwrap_or(longest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, line: Line) -> String {
        let mut out = Vec::new();
        let place = Place {
            before: '\n',
            after: '\n',
            line,
            closes: false,
            in_emphasis: false,
            in_underscores: false,
            in_link: false,
            escape_brackets: false,
            in_cell: false,
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
            let place = Place {
                before: ' ',
                after,
                line: Line::Inside,
                closes: false,
                in_emphasis: false,
                in_underscores: false,
                in_link: false,
                escape_brackets: false,
                in_cell: false,
            };
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

    #[test]
    fn a_code_span_has_a_fence_that_its_text_lacks() {
        for (code, span) in [
            ("a", "`a`"),
            ("`q`", "`` `q` ``"),
            ("`", "`` ` ``"),
            ("a``b", "`a``b`"),
            ("a`b``c", "```a`b``c```"),
        ] {
            let mut out = Vec::new();
            write_code_span(&mut out, code, false);
            assert_eq!(String::from_utf8(out).unwrap(), span);
        }
    }

    #[test]
    fn destinations_stay_whole_on_one_line() {
        for (destination, written) in [
            ("https://a/b_(c)_*d*", "https://a/b_(c)_*d*"),
            ("/img (1.png", "/img%20\\(1.png"),
            ("/a?x=1&copy;=2", "/a?x=1\\&copy;=2"),
            ("/a<b>`", "/a%3Cb%3E%60"),
        ] {
            let mut out = Vec::new();
            write_destination(&mut out, destination, false);
            assert_eq!(String::from_utf8(out).unwrap(), written);
        }
    }
}
