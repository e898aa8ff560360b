//! What begins with `<!`, `<?` or `</` and is no tag: where it ends, however it is cut (WHATWG HTML
//! §13.2.5.41 to 56).

/// A comment: of its text only the end is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Comment {
    /// The last four bytes, as a number.
    tail: u32,
    length: usize,
}

impl Comment {
    /// How many of the next bytes belong to the comment, if it ends in them; to be fed from behind
    /// its `<!--` on.
    pub(super) fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'>', &bytes[at..]) {
            self.push(&bytes[at..at + found]);
            at += found + 1;
            if self.is_closed() {
                return Some(at);
            }
            self.push(b">");
        }
        self.push(&bytes[at..]);
        None
    }

    fn push(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len());
        for &byte in &bytes[bytes.len().saturating_sub(4)..] {
            self.tail = (self.tail << 8) | u32::from(byte);
        }
    }

    /// Whether a `>` behind its text ends it. `<!-->` and `<!--->` are whole comments.
    fn is_closed(self) -> bool {
        let [_, a, b, c] = self.tail.to_be_bytes();
        match self.length {
            0 => true,
            1 => c == b'-',
            2 => (b, c) == (b'-', b'-'),
            _ => (b, c) == (b'-', b'-') || (a, b, c) == (b'-', b'-', b'!'),
        }
    }
}

/// Bytes kept of a document type declaration: the names that matter are short.
const LONGEST: usize = 1024;

/// A document type declaration, or a comment that is none by its form: it ends with the next `>`.
#[derive(Debug, Default)]
pub(super) struct Declaration {
    text: Vec<u8>,
}

impl Declaration {
    /// How many of the next bytes belong to it, if it ends in them; to be fed from behind its `<!`
    /// on.
    pub(super) fn find_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let end = memchr::memchr(b'>', bytes);
        let text = &bytes[..end.unwrap_or(bytes.len())];
        let free = LONGEST - self.text.len();
        self.text.extend_from_slice(&text[..text.len().min(free)]);
        end.map(|at| at + 1)
    }

    /// The text, if it is that of a document type declaration.
    pub(super) fn doctype(&self) -> Option<&[u8]> {
        let name = self.text.get(..7)?;
        name.eq_ignore_ascii_case(b"doctype").then_some(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_where_the_standard_ends_it_however_it_is_cut() {
        for (page, length) in [
            ("> -->", 1),
            ("-> -->", 2),
            ("--> -->", 3),
            ("--!> -->", 4),
            ("!> -->", 6),
            ("-!> -->", 7),
            (" > -- > --!-> -->", 17),
            (" a --!> -->", 7),
            (" <!--> -->", 6),
        ] {
            for size in 1..=page.len() {
                let mut comment = Comment::default();
                let mut seen = 0;
                let end = page.as_bytes().chunks(size).find_map(|piece| {
                    let end = comment.find_end(piece);
                    seen += piece.len();
                    end.map(|end| seen - piece.len() + end)
                });
                assert_eq!(end, Some(length), "{page}, pieces of {size}");
            }
        }
    }

    #[test]
    fn a_declaration_ends_with_the_next_bracket_and_keeps_no_more_than_it_needs() {
        let mut declaration = Declaration::default();
        assert_eq!(declaration.find_end(b"docTYPE ht"), None);
        assert_eq!(declaration.find_end(b"ml>x"), Some(3));
        assert_eq!(declaration.doctype(), Some(&b"docTYPE html"[..]));

        let mut long = Declaration::default();
        assert_eq!(long.find_end(&[b'a'; 3000]), None);
        assert_eq!(long.find_end(b"b>"), Some(2));
        assert_eq!(long.doctype(), None);
        assert_eq!(long.text.len(), LONGEST);
    }
}
