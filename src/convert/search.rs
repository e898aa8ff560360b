//! Searches for what most often stands close by, for which a vectorised search costs more to begin
//! than it saves.

/// Bytes looked at in words; behind them the vectorised search takes over.
const NEAR: usize = 32;

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The first place of the byte.
#[inline]
pub(super) fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    let wanted = ONES * u64::from(byte);
    let mut at = 0;
    for word in bytes.chunks_exact(8).take(NEAR / 8) {
        if let Ok(word) = <[u8; 8]>::try_from(word)
            && let found @ 1.. = zeros(u64::from_le_bytes(word) ^ wanted)
        {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr(byte, &bytes[at..]).map(|found| at + found)
}

/// The first place of one of the two bytes.
#[inline]
pub(super) fn find_either(one: u8, other: u8, bytes: &[u8]) -> Option<usize> {
    let (first, second) = (ONES * u64::from(one), ONES * u64::from(other));
    let mut at = 0;
    for word in bytes.chunks_exact(8).take(NEAR / 8) {
        if let Ok(word) = <[u8; 8]>::try_from(word).map(u64::from_le_bytes)
            && let found @ 1.. = zeros(word ^ first) | zeros(word ^ second)
        {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    memchr::memchr2(one, other, &bytes[at..]).map(|found| at + found)
}

/// Whether the byte, one of ASCII, is among these few: the value of an attribute.
#[inline]
pub(super) fn contains(byte: u8, bytes: &[u8]) -> bool {
    let wanted = ONES * u64::from(byte);
    any_word(bytes, |word| zeros(word ^ wanted))
}

/// Whether a control character or the byte, one of ASCII, is among these few.
#[inline]
pub(super) fn contains_control_or(byte: u8, bytes: &[u8]) -> bool {
    let wanted = ONES * u64::from(byte);
    any_word(bytes, |word| {
        (word.wrapping_sub(ONES * 0x20) & !word & HIGHS) | zeros(word ^ wanted)
    })
}

/// Whether a byte is marked by a bit of it, which one that is not of ASCII must not be.
#[inline]
fn any_word(bytes: &[u8], marks: impl Fn(u64) -> u64) -> bool {
    let word = |word: &[u8; 8]| marks(u64::from_le_bytes(*word));
    let Some(last) = bytes.last_chunk() else {
        let mut last = [0xFF; 8];
        last[..bytes.len()].copy_from_slice(bytes);
        return word(&last) != 0;
    };
    let (words, _) = bytes.as_chunks();
    // The last word overlaps the one before it.
    words.iter().fold(word(last), |found, w| found | word(w)) != 0
}

/// How many of the eight bytes come before the first that may end a name in a tag, if one may: white
/// space, another control character, `/`, `=`, `>`, or one of `,`, `-`, `.`, `<` and `?`, which differ
/// from those in the same bits.
#[inline]
pub(super) fn name_length(word: u64) -> Option<usize> {
    let low = word.wrapping_sub(ONES * 0x21) & !word & HIGHS;
    match low | zeros((word | (ONES * 0x13)) ^ (ONES * 0x3F)) {
        0 => None,
        found => Some(found.trailing_zeros() as usize / 8),
    }
}

/// The high bit of each byte that is zero; those above the lowest of them may be set without.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_is_found_wherever_it_stands() {
        for length in 0..80 {
            for at in 0..=length {
                // The neighbours of the byte are those that borrow could take for it.
                let mut bytes = vec![b'='; length];
                if at < length {
                    bytes[at] = b'<';
                    bytes[length - 1] = b'<';
                }
                let expected = bytes.iter().position(|&b| b == b'<');
                assert_eq!(find(b'<', &bytes), expected);
                assert_eq!(find_either(b'&', b'<', &bytes), expected);
                assert_eq!(find_either(b'<', b'&', &bytes), expected);
            }
        }
        for length in 0..40 {
            for at in 0..=length {
                let mut bytes = vec![b'\xA6'; length];
                if at < length {
                    bytes[at] = b'&';
                }
                assert_eq!(contains(b'&', &bytes), at < length);
                assert_eq!(contains_control_or(b'&', &bytes), at < length);
                assert!(!contains(b'\'', &bytes) && !contains_control_or(b'\'', &bytes));
                if at < length {
                    bytes[at] = b'\x1F';
                }
                assert_eq!(contains_control_or(b'!', &bytes), at < length);
            }
        }
        assert_eq!(find(0, &[0x80, 0xFF, 1, 0, 0, 2, 3, 4]), Some(3));
    }
}
