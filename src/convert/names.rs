//! Names of tags and attributes: where they end, and which of those that are known they are.

use super::search::name_length;

/// Names that are known, in an open-addressing hash table built at compile time. Letters of any case
/// are the same.
pub(super) struct Names<T: 'static, const SLOTS: usize> {
    all: &'static [(&'static str, T)],
    /// Names of up to eight bytes as numbers; 0 is free.
    slots: [(u64, T); SLOTS],
    /// Where in `all` the longer ones are.
    long: [usize; MAX_LONG],
}

/// Longer names than eight bytes in one table at most: these are compared one by one.
const MAX_LONG: usize = 8;

impl<T: Copy, const SLOTS: usize> Names<T, SLOTS> {
    /// A table of these names, in lower case; `SLOTS` is a power of two. Any other name is `other`.
    pub(super) const fn new(all: &'static [(&'static str, T)], other: T) -> Self {
        assert!(SLOTS.is_power_of_two() && all.len() < SLOTS);
        let mut slots = [(0, other); SLOTS];
        let (mut long, mut longs) = ([usize::MAX; MAX_LONG], 0);
        let mut i = 0;
        while i < all.len() {
            let name = all[i].0.as_bytes();
            if name.len() > 8 {
                long[longs] = i;
                longs += 1;
            } else {
                let key = pack(name);
                let mut slot = Self::slot(key);
                while slots[slot].0 != 0 {
                    slot = (slot + 1) % SLOTS;
                }
                slots[slot] = (key, all[i].1);
            }
            i += 1;
        }
        Self { all, slots, long }
    }

    const fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize % SLOTS
    }

    #[inline]
    fn find(&self, key: u64) -> T {
        let mut slot = Self::slot(key);
        loop {
            let (known, value) = self.slots[slot];
            // The value of a free slot is that of all other names.
            if known == key || known == 0 {
                return value;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// What the whole name stands for.
    pub(super) fn get(&self, name: &[u8]) -> T {
        if name.len() <= 8 {
            return self.find(pack(name));
        }
        let long = self.long.iter().filter_map(|&i| self.all.get(i));
        for (known, value) in long {
            if name.eq_ignore_ascii_case(known.as_bytes()) {
                return *value;
            }
        }
        self.find(0)
    }

    /// What the name stands for that the bytes begin with, and its length: a byte of `ends` ends it.
    #[inline]
    pub(super) fn read(&self, bytes: &[u8], ends: &[bool; 256]) -> (T, usize) {
        if let Some(&word) = bytes.first_chunk()
            && let word = u64::from_le_bytes(word)
            && let Some(length @ 1..) = name_length(word)
            && ends[usize::from(bytes[length])]
        {
            // Setting bit 5 lowers letters and keeps digits and dashes. Of other bytes that it
            // changes, none becomes one of these but control characters, which end a name here.
            let lower = word | u64::from_ne_bytes([0x20; 8]);
            return (self.find(lower & (u64::MAX >> (64 - 8 * length))), length);
        }
        let end = bytes.iter().position(|&b| ends[usize::from(b)]);
        let length = end.unwrap_or(bytes.len());
        (self.get(&bytes[..length]), length)
    }
}

/// A name of up to eight bytes as a number, its first byte the lowest.
const fn pack(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = name.len();
    while i > 0 {
        i -= 1;
        key = (key << 8) | name[i].to_ascii_lowercase() as u64;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::byte_set::byte_set;

    static COLOURS: Names<u8, 8> = Names::new(
        &[("red", 1), ("dark-red", 2), ("dark-yellow", 3), ("h1", 4)],
        0,
    );
    static ENDS: [bool; 256] = byte_set(b" >");

    #[test]
    fn a_name_is_found_in_any_case_and_whole_only() {
        for (name, value) in [
            ("red", 1),
            ("RED", 1),
            ("Dark-Red", 2),
            ("DARK-yellow", 3),
            ("dark-yellows", 0),
            ("re", 0),
            ("redd", 0),
            ("", 0),
            ("h\x11", 0),
            ("\0", 0),
        ] {
            assert_eq!(COLOURS.get(name.as_bytes()), value, "{name:?}");
            for end in ["", ">", " ", "> and so on", ">>>>>>>>"] {
                let bytes = format!("{name}{end}");
                let found = COLOURS.read(bytes.as_bytes(), &ENDS);
                assert_eq!(found, (value, name.len()), "{bytes:?}");
            }
        }
    }

    #[test]
    fn only_the_bytes_asked_for_end_a_name() {
        for byte in "\x01/=\n\u{E9}".chars() {
            let bytes = format!("re{byte}d and so on");
            let length = bytes.find(' ');
            assert_eq!(COLOURS.read(bytes.as_bytes(), &ENDS).1, length.unwrap());
        }
    }
}
