//! Short byte strings as whole numbers: exact keys that compare and hash in a few instructions.

/// A byte string of fewer than `8 * WORDS` bytes, padded with zeros, its length in the highest byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) struct Key<const WORDS: usize>(pub [u64; WORDS]);

/// Holds up to 15 bytes.
pub(in crate::model) type ShortKey = Key<2>;
/// Holds up to 31 bytes.
pub(in crate::model) type MediumKey = Key<4>;

impl<const WORDS: usize> Key<WORDS> {
    /// The longest string that fits.
    pub(in crate::model) const LONGEST: usize = 8 * WORDS - 1;

    /// The key of no string: its length is impossible.
    pub(in crate::model) const VACANT: Self = Key([u64::MAX; WORDS]);

    /// The key of the empty string, which is never looked up.
    pub(in crate::model) const EMPTY: Self = Key([0; WORDS]);

    /// Whether both are the same, without a branch.
    #[inline(always)]
    pub(in crate::model) fn is(self, other: Self) -> bool {
        let mut differing = 0;
        let mut at = 0;
        while at < WORDS {
            differing |= self.0[at] ^ other.0[at];
            at += 1;
        }
        differing == 0
    }

    /// Mixes all words, seeded apart from any other use. The high bits are the best. Part of the format of images: a
    /// change needs a new version of it.
    #[inline]
    pub(in crate::model) fn hash(&self) -> u64 {
        self.mixed().wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Mixes all words as [`Key::hash`], but for its last step. The low bits are the best.
    #[inline(always)]
    pub(in crate::model) fn mixed(&self) -> u64 {
        let mut state = 0x2545_F491_4F6C_DD1D;
        let mut at = 0;
        while at < WORDS {
            state = folded(self.0[at] ^ 0xA076_1D64_78BD_642F, self.0[at + 1] ^ state);
            at += 2;
        }
        state
    }
}

impl ShortKey {
    /// The key of `bytes`.
    ///
    /// # Panics
    /// If there are more than 15 bytes (in debug builds).
    #[inline]
    pub(in crate::model) fn new(bytes: &[u8]) -> Self {
        debug_assert!(bytes.len() <= Self::LONGEST);
        let length = (bytes.len() as u64) << 56;
        match bytes.len() {
            8.. => Key([word(bytes, 0), tail(bytes, bytes.len() - 8) | length]),
            _ => Key([few(bytes), length]),
        }
    }
}

impl ShortKey {
    /// The key of `text[start..end]`: by one load and a mask where 16 bytes are left, whatever the length.
    ///
    /// # Panics
    /// If that is no part of the text, or more than 15 bytes (in debug builds).
    #[inline]
    pub(in crate::model) fn within(text: &[u8], start: usize, end: usize) -> Self {
        let length = end - start;
        debug_assert!(length <= Self::LONGEST);
        match text.get(start..).and_then(|rest| rest.first_chunk::<16>()) {
            Some(bytes) => Key(masked(*bytes, length, length)),
            None => Self::new(&text[start..end]),
        }
    }
}

impl MediumKey {
    /// The key of `text[start..end]`, at least 16 bytes, as [`ShortKey::within`].
    ///
    /// # Panics
    /// If that is no part of the text, or not 16 to 31 bytes (in debug builds).
    #[inline]
    pub(in crate::model) fn within(text: &[u8], start: usize, end: usize) -> Self {
        let length = end - start;
        debug_assert!((16..=Self::LONGEST).contains(&length));
        match text.get(start..).and_then(|rest| rest.first_chunk::<32>()) {
            Some(bytes) => {
                let (first, last) = (word(bytes, 0), word(bytes, 8));
                let [third, fourth] = masked(std::array::from_fn(|at| bytes[16 + at]), length - 16, length);
                Key([first, last, third, fourth])
            }
            None => Self::new(&text[start..end]),
        }
    }

    /// The key of `bytes`.
    ///
    /// # Panics
    /// If there are more than 31 bytes (in debug builds).
    #[inline]
    pub(in crate::model) fn new(bytes: &[u8]) -> Self {
        debug_assert!(bytes.len() <= Self::LONGEST);
        let length = (bytes.len() as u64) << 56;
        match bytes.len() {
            24.. => Key([word(bytes, 0), word(bytes, 8), word(bytes, 16), tail(bytes, bytes.len() - 24) | length]),
            16.. => Key([word(bytes, 0), word(bytes, 8), tail(bytes, bytes.len() - 16), length]),
            8.. => Key([word(bytes, 0), tail(bytes, bytes.len() - 8), 0, length]),
            _ => Key([few(bytes), 0, 0, length]),
        }
    }
}

/// Multiplies to 128 bits and folds the halves.
#[inline]
fn folded(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// The first `kept` bytes, zeros, and a length in the highest byte.
#[inline(always)]
fn masked(bytes: [u8; 16], kept: usize, length: usize) -> [u64; 2] {
    let [low, high] = KEPT[kept & 15];
    [word(&bytes, 0) & low, word(&bytes, 8) & high | (length as u64) << 56]
}

/// Masks of the first bytes, by their number: a load is cheaper than two shifts of 128 bits.
const KEPT: [[u64; 2]; 16] = {
    let mut masks = [[0; 2]; 16];
    let mut kept = 1;
    while kept < 16 {
        let mask = u128::MAX >> (128 - 8 * kept);
        masks[kept] = [mask as u64, (mask >> 64) as u64];
        kept += 1;
    }
    masks
};

#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

/// The last `count` (0 to 8) of at least 8 bytes: one load instead of a loop.
#[inline]
fn tail(bytes: &[u8], count: usize) -> u64 {
    match count {
        0 => 0,
        _ => word(bytes, bytes.len() - 8) >> (64 - 8 * count),
    }
}

/// At most 7 bytes, by two loads that may overlap.
#[inline]
fn few(bytes: &[u8]) -> u64 {
    let half = |at: usize| bytes[at..].first_chunk().map_or(0, |chunk| u64::from(u32::from_le_bytes(*chunk)));
    let one = |at: usize| u64::from(bytes[at]) << (8 * at);
    match bytes.len() {
        0 => 0,
        length @ 4.. => half(0) | half(length - 4) << (8 * (length - 4)),
        length => one(0) | one(length / 2) | one(length - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected<const WORDS: usize>(bytes: &[u8]) -> Key<WORDS> {
        let mut padded = bytes.to_vec();
        padded.resize(8 * WORDS - 1, 0);
        padded.push(bytes.len() as u8);
        Key(std::array::from_fn(|index| u64::from_le_bytes(padded[8 * index..][..8].try_into().unwrap())))
    }

    #[test]
    fn keys_are_the_bytes_and_the_length() {
        let bytes: Vec<u8> = (0..64).map(|index| 255 - index).collect();
        for length in 0..=31 {
            assert_eq!(MediumKey::new(&bytes[..length]), expected::<4>(&bytes[..length]));
            if length <= 15 {
                assert_eq!(ShortKey::new(&bytes[..length]), expected::<2>(&bytes[..length]));
            }
            for start in 0..=bytes.len() - length {
                let (end, piece) = (start + length, &bytes[start..start + length]);
                match length {
                    0..=15 => assert_eq!(ShortKey::within(&bytes, start, end), expected::<2>(piece)),
                    _ => assert_eq!(MediumKey::within(&bytes, start, end), expected::<4>(piece)),
                }
            }
        }
        assert_ne!(ShortKey::new(b"a"), ShortKey::new(b"a\0"));
    }
}
