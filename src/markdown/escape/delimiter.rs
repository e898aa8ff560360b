//! What `*`, `_` and `~` can do where they stand.

use super::Place;

/// The kinds of delimiters in the text of a block that were left as they are and can open: another
/// one of the kind could close them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::markdown) struct Openers(u8);

impl Openers {
    fn bit(byte: u8) -> u8 {
        match byte {
            b'*' => 1,
            b'_' => 2,
            _ => 4,
        }
    }

    pub(super) fn add(&mut self, byte: u8) {
        self.0 |= Self::bit(byte);
    }

    fn has(self, byte: u8) -> bool {
        self.0 & Self::bit(byte) != 0
    }
}

/// What a run of `*`, `_` or `~` can do where it stands (CommonMark §6.2).
#[derive(Debug, Clone, Copy)]
pub(super) struct Delimiter {
    byte: u8,
    pub(super) opens: bool,
    pub(super) closes: bool,
}

impl Delimiter {
    pub(super) fn new(byte: u8, before: char, after: char) -> Self {
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
    pub(super) fn is_taken(
        self,
        run: usize,
        before: char,
        place: &Place,
        openers: Openers,
    ) -> bool {
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

pub(in crate::markdown) fn is_left_flanking(before: char, after: char) -> bool {
    !after.is_whitespace()
        && (!is_punctuation(after) || before.is_whitespace() || is_punctuation(before))
}

pub(in crate::markdown) fn is_right_flanking(before: char, after: char) -> bool {
    !before.is_whitespace()
        && (!is_punctuation(before) || after.is_whitespace() || is_punctuation(after))
}

/// "A Unicode punctuation character": the general categories P and S (CommonMark §2.1). Outside of
/// ASCII, what is neither a letter, a digit, a blank, a combining mark nor a control.
pub(in crate::markdown) fn is_punctuation(c: char) -> bool {
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
