//! From bytes in any encoding to text: byte order mark, then the label of the Content-Type, then
//! `<meta>` in the first 1,024 bytes, then UTF-8 (WHATWG HTML §13.2.3.2, WHATWG Encoding).

mod head;

use self::head::{bom, end_of_head, is_binary, prescan};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes in which a `<meta>` is looked for.
const PRESCAN: usize = 1024;

/// Bytes that tell a page with a label from other kinds of files.
const LABELLED: usize = 64;

/// Turns the bytes of a page into text, cut anywhere.
#[derive(Debug)]
pub(super) struct Charset {
    label: Option<&'static Encoding>,
    state: State,
}

enum State {
    /// The encoding is not known yet. The first bytes are kept; those of them that are the same
    /// text in every encoding that is still possible were passed on already.
    Sniffing {
        head: Vec<u8>,
        passed: usize,
    },
    /// Up to three bytes of a character that is not complete.
    Utf8 {
        partial: Vec<u8>,
    },
    Other {
        decoder: encoding_rs::Decoder,
    },
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sniffing { head, .. } => write!(f, "Sniffing({} bytes)", head.len()),
            Self::Utf8 { .. } => f.write_str("Utf8"),
            Self::Other { decoder } => write!(f, "Other({})", decoder.encoding().name()),
        }
    }
}

/// The bytes are those of another kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotText;

impl Charset {
    pub(super) fn new() -> Self {
        Self {
            label: None,
            state: State::Sniffing {
                head: Vec::new(),
                passed: 0,
            },
        }
    }

    /// The label that came with the page; an unknown one says nothing.
    pub(super) fn set_label(&mut self, label: &str) {
        self.label = Encoding::for_label(label.as_bytes());
    }

    /// Decodes the next bytes and hands the text on, piece by piece.
    pub(super) fn decode(
        &mut self,
        input: &[u8],
        text: &mut impl FnMut(&str),
    ) -> Result<(), NotText> {
        match &mut self.state {
            State::Sniffing { .. } => self.sniff(input, text),
            State::Utf8 { partial } => {
                decode_utf8(partial, input, text);
                Ok(())
            }
            State::Other { decoder } => {
                decode_other(decoder, input, false, text);
                Ok(())
            }
        }
    }

    /// The page has ended.
    pub(super) fn finish(&mut self, text: &mut impl FnMut(&str)) -> Result<(), NotText> {
        if let State::Sniffing { .. } = self.state {
            self.decide(text)?;
        }
        match &mut self.state {
            State::Sniffing { .. } => {}
            State::Utf8 { partial } => {
                if !partial.is_empty() {
                    partial.clear();
                    text("\u{FFFD}");
                }
            }
            State::Other { decoder } => decode_other(decoder, b"", true, text),
        }
        Ok(())
    }

    fn sniff(&mut self, input: &[u8], text: &mut impl FnMut(&str)) -> Result<(), NotText> {
        let State::Sniffing { head, passed } = &mut self.state else {
            return Ok(());
        };
        // What it ends with does not depend on how the page is cut.
        let limit = self.label.map_or(PRESCAN, |_| LABELLED);
        let kept = &input[..input.len().min(limit - head.len())];
        let seen = head.len();
        head.extend_from_slice(kept);
        let end = end_of_head(head);
        let decided = end.is_some() || head.len() >= limit;
        head.truncate(end.unwrap_or(head.len()));
        let rest = &input[head.len() - seen..];
        if !decided {
            // ASCII is the same in all encodings but UTF-16, which a mark or a label announces,
            // and ISO-2022-JP behind an escape.
            let ascii_compatible = self.label.is_none_or(Encoding::is_ascii_compatible);
            if ascii_compatible && head.len() >= 4 && bom(head).is_none() && !is_binary(head) {
                let plain = head[*passed..]
                    .iter()
                    .position(|&b| !b.is_ascii() || matches!(b, 0 | 0x0E | 0x0F | 0x1B))
                    .unwrap_or(head.len() - *passed);
                if let Ok(ascii) = std::str::from_utf8(&head[*passed..*passed + plain]) {
                    *passed += plain;
                    text(ascii);
                }
            }
            return Ok(());
        }
        self.decide(text)?;
        self.decode(rest, text)
    }

    fn decide(&mut self, text: &mut impl FnMut(&str)) -> Result<(), NotText> {
        let State::Sniffing { head, passed } = &mut self.state else {
            return Ok(());
        };
        let (head, passed) = (std::mem::take(head), *passed);
        let (encoding, skip) = match bom(&head) {
            Some((encoding, length)) => (encoding, length),
            None => (self.label.or_else(|| prescan(&head)).unwrap_or(UTF_8), 0),
        };
        if encoding != UTF_16LE && encoding != UTF_16BE && is_binary(&head) {
            return Err(NotText);
        }
        self.state = if encoding == UTF_8 {
            State::Utf8 {
                partial: Vec::new(),
            }
        } else {
            State::Other {
                decoder: encoding.new_decoder_without_bom_handling(),
            }
        };
        self.decode(&head[passed.max(skip)..], text)
    }
}

/// Hands on the valid stretches as they are, and U+FFFD for each that is not (WHATWG Encoding §4.1).
fn decode_utf8(partial: &mut Vec<u8>, input: &[u8], text: &mut impl FnMut(&str)) {
    let mut input = input;
    // A character that was cut is completed byte by byte.
    while !partial.is_empty() {
        let Some((&next, rest)) = input.split_first() else {
            return;
        };
        partial.push(next);
        match std::str::from_utf8(partial) {
            Ok(character) => {
                text(character);
                partial.clear();
            }
            Err(error) if error.error_len().is_none() => {}
            Err(_) => {
                partial.clear();
                text("\u{FFFD}");
                // The byte may begin another character.
                continue;
            }
        }
        input = rest;
    }
    // This one is fast, but reads all of the input and does not tell where it failed: asked again behind
    // each fault, it would cost the square of their number.
    if let Ok(valid) = simdutf8::basic::from_utf8(input) {
        return without_nul(valid, text);
    }
    while !input.is_empty() {
        match std::str::from_utf8(input) {
            Ok(valid) => return without_nul(valid, text),
            Err(error) => {
                let (valid, rest) = input.split_at(error.valid_up_to());
                // Valid by the error's own word.
                if let Ok(valid) = std::str::from_utf8(valid) {
                    without_nul(valid, text);
                }
                match error.error_len() {
                    Some(length) => {
                        text("\u{FFFD}");
                        input = &rest[length..];
                    }
                    None => {
                        partial.extend_from_slice(rest);
                        return;
                    }
                }
            }
        }
    }
}

fn decode_other(
    decoder: &mut encoding_rs::Decoder,
    input: &[u8],
    last: bool,
    text: &mut impl FnMut(&str),
) {
    let mut buffer = String::with_capacity(16 << 10);
    let mut input = input;
    loop {
        let (result, read, _) = decoder.decode_to_string(input, &mut buffer, last);
        without_nul(&buffer, text);
        buffer.clear();
        input = &input[read..];
        if result == encoding_rs::CoderResult::InputEmpty {
            return;
        }
    }
}

/// NULs are no characters of a page (WHATWG HTML §13.2.6.4.7).
fn without_nul(valid: &str, text: &mut impl FnMut(&str)) {
    if memchr::memchr(0, valid.as_bytes()).is_none() {
        if !valid.is_empty() {
            text(valid);
        }
        return;
    }
    for piece in valid.split('\0').filter(|p| !p.is_empty()) {
        text(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(label: Option<&str>, bytes: &[u8], chunk: usize) -> Result<String, NotText> {
        let mut charset = Charset::new();
        if let Some(label) = label {
            charset.set_label(label);
        }
        let mut text = String::new();
        for piece in bytes.chunks(chunk) {
            charset.decode(piece, &mut |t| text.push_str(t))?;
        }
        charset.finish(&mut |t| text.push_str(t))?;
        Ok(text)
    }

    #[track_caller]
    fn decodes_to(label: Option<&str>, bytes: &[u8], text: &str) {
        for chunk in [1, 2, 3, 7, 4096] {
            assert_eq!(
                decoded(label, bytes, chunk).as_deref(),
                Ok(text),
                "chunks of {chunk}"
            );
        }
    }

    #[test]
    fn the_mark_beats_the_label_and_the_label_beats_the_meta() {
        decodes_to(Some("latin1"), b"\xEF\xBB\xBF\xC3\xA9", "é");
        decodes_to(
            Some("utf-8"),
            "<meta charset=latin1>é".as_bytes(),
            "<meta charset=latin1>é",
        );
        decodes_to(None, b"<meta charset=latin1>\xE9", "<meta charset=latin1>é");
        decodes_to(None, "é".as_bytes(), "é");
    }

    #[test]
    fn a_meta_is_found_in_both_its_forms_and_not_in_comments() {
        decodes_to(
            None,
            b"<!-- <meta charset=gbk> --><META http-equiv='Content-Type' content='text/html; charset = \"windows-1252\"'>\x93",
            "<!-- <meta charset=gbk> --><META http-equiv='Content-Type' content='text/html; charset = \"windows-1252\"'>\u{201C}",
        );
    }

    #[test]
    fn encodings_that_are_not_ascii_compatible_work_too() {
        let utf16: Vec<u8> = "<p>é😀".encode_utf16().flat_map(u16::to_le_bytes).collect();
        decodes_to(Some("utf-16le"), &utf16, "<p>é😀");
        let mut marked = vec![0xFE, 0xFF];
        marked.extend("<p>é".encode_utf16().flat_map(u16::to_be_bytes));
        decodes_to(None, &marked, "<p>é");
        decodes_to(Some("iso-2022-jp"), b"a\x1B$B$\"\x1B(Bb", "aあb");
        decodes_to(
            None,
            b"<meta charset=iso-2022-jp>a\x1B$B$\"\x1B(Bb",
            "<meta charset=iso-2022-jp>aあb",
        );
        decodes_to(Some("gbk"), b"\xC4\xE3\xBA\xC3", "你好");
        decodes_to(Some("shift_jis"), b"\x83\x5C", "ソ");
    }

    #[test]
    fn invalid_bytes_become_replacement_characters_and_nuls_vanish() {
        decodes_to(
            Some("utf-8"),
            b"a\xFFb\xE2\x82cd\0e\xF0\x9F",
            "a\u{FFFD}b\u{FFFD}cde\u{FFFD}",
        );
    }

    #[test]
    fn a_meta_in_the_body_is_not_looked_for() {
        for chunk in [1, 2, 7, 100] {
            let page = b"<head><body><meta charset=windows-1252>\xE9</head>";
            assert_eq!(
                decoded(None, page, chunk).unwrap(),
                "<head><body><meta charset=windows-1252>\u{FFFD}</head>"
            );
        }
    }

    #[test]
    fn the_size_of_a_piece_makes_no_other_kind_of_file() {
        let page = [b"<p>".as_slice(), &[0; 80], b"<body>x"].concat();
        for label in [None, Some("utf-8")] {
            for chunk in [1, 10, 70, 1000] {
                assert_eq!(
                    decoded(label, &page, chunk),
                    Err(NotText),
                    "{label:?}, {chunk}"
                );
            }
        }
        let page = [b"<p>".as_slice(), &[b'x'; 64], &[0; 80]].concat();
        for chunk in [1, 10, 70, 1000] {
            assert!(decoded(Some("utf-8"), &page, chunk).is_ok(), "{chunk}");
        }
    }

    #[test]
    fn other_kinds_of_files_are_told_apart() {
        assert_eq!(decoded(None, b"\x89PNG\r\n\x1A\n", 3), Err(NotText));
        assert_eq!(decoded(Some("utf-8"), &[0; 64], 64), Err(NotText));
    }
}
