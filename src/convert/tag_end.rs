//! Where a tag ends: the tokenizer's states in a tag (WHATWG HTML §13.2.5.8 and 32 to 40), one
//! byte after the other, so that a tag can be cut anywhere and be of any length.

use crate::convert::tag::is_space;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Name,
    BeforeAttribute,
    Attribute,
    AfterAttribute,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    /// Behind a `/` that is no part of a value.
    Slash,
}

/// Looks for the `>` of a tag.
#[derive(Debug)]
pub(super) struct TagEnd {
    state: State,
}

impl TagEnd {
    /// To be fed from the first letter of the tag's name on.
    pub(super) fn from_name() -> Self {
        Self { state: State::Name }
    }

    /// To be fed from behind the tag's name on.
    pub(super) fn behind_name() -> Self {
        Self {
            state: State::BeforeAttribute,
        }
    }

    /// How many of the bytes belong to the tag, if it ends in them.
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if let State::Quoted(quote) = self.state {
                at += memchr::memchr(quote, &bytes[at..])? + 1;
                self.state = State::BeforeAttribute;
                continue;
            }
            at += 1;
            if byte == b'>' {
                return Some(at);
            }
            self.state = self.next(byte);
        }
        None
    }

    fn next(&self, byte: u8) -> State {
        use State::{
            AfterAttribute, Attribute, BeforeAttribute, BeforeValue, Name, Quoted, Slash, Unquoted,
        };
        match (self.state, byte) {
            (Name | BeforeAttribute | Attribute | AfterAttribute | Slash, b'/') => Slash,
            (Name | BeforeAttribute | Slash | Unquoted, b) if is_space(b) => BeforeAttribute,
            (Name, _) => Name,
            (Attribute | AfterAttribute, b'=') => BeforeValue,
            (Attribute | AfterAttribute, b) if is_space(b) => AfterAttribute,
            // A leading `=` belongs to the name.
            (BeforeAttribute | Attribute | AfterAttribute | Slash, _) => Attribute,
            (BeforeValue, b'"' | b'\'') => Quoted(byte),
            (BeforeValue, b) if is_space(b) => BeforeValue,
            (BeforeValue | Unquoted, _) => Unquoted,
            (Quoted(_), _) => self.state,
        }
    }

    /// Whether the tag that has ended did so by `/>`.
    pub(super) fn is_self_closing(&self) -> bool {
        self.state == State::Slash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_ends_at_its_own_bracket_however_it_is_cut() {
        for (tag, self_closing) in [
            ("a>", false),
            ("a/>", true),
            ("a b='>' c=\">\">", false),
            ("a b = '>'/>", true),
            ("a b=c/>", false),
            ("a b=\"c\"/>", true),
            ("a =\">", false),
            ("a b==\">", false),
            ("a b=>", false),
            ("a/b='>'>", false),
            ("a b 'c'>", false),
            ("a b='x'y=\">\">", false),
        ] {
            let page = format!("{tag}<b>'\"");
            for size in 1..page.len() {
                let mut end = TagEnd::from_name();
                let (mut seen, mut found) = (0, None);
                for piece in page.as_bytes().chunks(size) {
                    if let Some(length) = end.find(piece) {
                        found = Some(seen + length);
                        break;
                    }
                    seen += piece.len();
                }
                assert_eq!(found, Some(tag.len()), "{tag} in pieces of {size}");
                assert_eq!(end.is_self_closing(), self_closing, "{tag}");
            }
        }
    }
}
