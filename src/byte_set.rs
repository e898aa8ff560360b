//! Sets of bytes that a scanner asks for each byte, as tables made at compile time.

/// The first place of a byte of the set.
#[inline]
pub(crate) fn find_in_set(set: &[bool; 256], bytes: &[u8]) -> Option<usize> {
    let (chunks, _) = bytes.as_chunks::<8>();
    // Without a branch for each byte.
    let is_free = |chunk: &&[u8; 8]| {
        !chunk
            .iter()
            .fold(false, |any, &b| any | set[usize::from(b)])
    };
    let at = 8 * chunks.iter().take_while(is_free).count();
    let found = bytes[at..].iter().position(|&b| set[usize::from(b)])?;
    Some(at + found)
}

/// The table of these bytes.
pub(crate) const fn byte_set(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_set_is_found_wherever_it_stands() {
        static SET: [bool; 256] = byte_set(b"<&");
        for length in 0..40 {
            let mut bytes = vec![b'='; length];
            assert_eq!(find_in_set(&SET, &bytes), None);
            for at in (0..length).rev() {
                bytes[at] = if at % 2 == 0 { b'<' } else { b'&' };
                assert_eq!(find_in_set(&SET, &bytes), Some(at));
            }
        }
    }
}
