//! White space as CSS collapses it for `white-space: normal`: how much of a text stays as it is.

/// What the character before a text means for a blank at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Edge {
    /// A blank would begin a line: it is dropped.
    #[default]
    LineStart,
    /// A blank is there already.
    Blank,
    Text,
}

const LOWS: u64 = u64::from_ne_bytes([0x7F; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
const BLANKS: u64 = u64::from_ne_bytes([b' '; 8]);
/// Added to seven bits, it sets the eighth unless they are a blank or less.
const ABOVE_BLANK: u64 = u64::from_ne_bytes([0x7F - b' '; 8]);

/// How many bytes come before the first white space that does not stay: words with single blanks
/// between them. Also what these bytes end in.
pub(super) fn words(bytes: &[u8], mut edge: Edge) -> (usize, Edge) {
    let mut at = 0;
    loop {
        while let Some(word) = bytes[at..].first_chunk().copied().map(u64::from_le_bytes) {
            let low = !((word & LOWS).wrapping_add(ABOVE_BLANK) | word) & HIGHS;
            let differs = word ^ BLANKS;
            let blanks = !((differs & LOWS).wrapping_add(LOWS) | differs) & HIGHS;
            let before = if edge == Edge::Text { 0 } else { 0x80 };
            if low != blanks || blanks & (blanks << 8 | before) != 0 {
                break;
            }
            edge = if blanks >> 63 == 0 {
                Edge::Text
            } else {
                Edge::Blank
            };
            at += 8;
        }
        // The end of the text, or one more look at what is not as simple as that.
        let end = bytes.len().min(at + 8);
        while at < end {
            let byte = bytes[at];
            if byte == b' ' && edge == Edge::Text {
                edge = Edge::Blank;
            } else if is_blank(byte) {
                return (at, edge);
            } else {
                edge = Edge::Text;
            }
            at += 1;
        }
        if at == bytes.len() {
            return (at, edge);
        }
    }
}

/// ASCII white space (WHATWG Infra §4.6).
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, one byte after the other.
    fn slowly(bytes: &[u8], mut edge: Edge) -> (usize, Edge) {
        for (at, &byte) in bytes.iter().enumerate() {
            edge = match byte {
                b' ' if edge == Edge::Text => Edge::Blank,
                _ if is_blank(byte) => return (at, edge),
                _ => Edge::Text,
            };
        }
        (bytes.len(), edge)
    }

    #[test]
    fn words_end_at_the_first_white_space_that_does_not_stay() {
        for edge in [Edge::LineStart, Edge::Blank, Edge::Text] {
            for odd in [
                b" ".as_slice(),
                b"  ",
                b"\n",
                b"\x01",
                b"\xA0",
                b"! ",
                b"\x7F\x80",
            ] {
                for before in 0..20 {
                    let mut text = b"ab c defg hi jklmnop"[..before].to_vec();
                    text.extend_from_slice(odd);
                    text.extend_from_slice(b"q rs tuvwxyz  z");
                    for end in 0..text.len() {
                        let text = &text[..end];
                        assert_eq!(words(text, edge), slowly(text, edge), "{text:?}");
                    }
                }
            }
        }
    }
}
