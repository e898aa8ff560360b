//! What the first bytes of a page say about it: its encoding, and whether it is text at all.

use crate::convert::tag::{AttributeName, Markup, StartTag, TagReader};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

pub(super) fn bom(head: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(head)
}

/// Behind the first mark of where no `<meta>` is looked for any more.
pub(super) fn end_of_head(bytes: &[u8]) -> Option<usize> {
    [b"<body", b"</head".as_slice()]
        .into_iter()
        .filter_map(|mark| Some(memchr::memmem::find(bytes, mark)? + mark.len()))
        .min()
}

/// Whether it has the signature of a file that is no text, or NULs as no text has them.
pub(super) fn is_binary(head: &[u8]) -> bool {
    const SIGNATURES: [&[u8]; 9] = [
        b"%PDF-",
        b"\x89PNG",
        b"GIF8",
        b"\xFF\xD8\xFF",
        b"PK\x03\x04",
        b"\x1F\x8B\x08",
        b"\x7FELF",
        b"\0asm",
        b"wOF2",
    ];
    SIGNATURES.iter().any(|s| head.starts_with(s))
        || head.iter().filter(|&&b| b == 0).count() > 16.max(head.len() / 16)
}

/// "Prescan a byte stream to determine its encoding" (WHATWG HTML §13.2.3.2).
pub(super) fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut reader = TagReader::default();
    let mut rest = head;
    loop {
        let at = memchr::memchr(b'<', rest)?;
        rest = &rest[at..];
        if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment.
            let end = memchr::memmem::find(&rest[2..], b"-->")?;
            rest = &rest[2 + end + 3..];
            continue;
        }
        let (markup, length) = reader.next(rest)?;
        if let Markup::Start(tag) = markup
            && tag.name.eq_ignore_ascii_case(b"meta")
            && let Some(encoding) = meta_encoding(&tag)
        {
            return Some(encoding);
        }
        rest = &rest[length..];
    }
}

fn meta_encoding(tag: &StartTag<'_>) -> Option<&'static Encoding> {
    let label = match tag.get(AttributeName::Charset) {
        Some(label) => label,
        None => {
            let pragma = tag.get(AttributeName::HttpEquiv)?;
            if !pragma.eq_ignore_ascii_case(b"content-type") {
                return None;
            }
            charset_parameter(tag.get(AttributeName::Content)?)?
        }
    };
    let encoding = Encoding::for_label(label)?;
    // A `<meta>` that could be read in ASCII was not written in UTF-16.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// "Extracting a character encoding from a meta element" (WHATWG HTML §2.5.5).
fn charset_parameter(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + memchr::memmem::find(&lower[from..], b"charset")? + 7;
        let rest = content[at..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else {
            from = at;
            continue;
        };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => {
                let end = memchr::memchr(*quote, &value[1..])?;
                Some(&value[1..=end])
            }
            _ => {
                let end = value
                    .iter()
                    .position(|&b| b.is_ascii_whitespace() || b == b';')
                    .unwrap_or(value.len());
                Some(&value[..end])
            }
        };
    }
}
