//! A set of characters that answers at once for the Basic Multilingual Plane.

/// Characters for which a predicate holds. 8 KiB; a look-up in the BMP is one load, beyond it one call.
pub(super) struct CharSet {
    bmp: Box<[u64; 1024]>,
    beyond: Box<dyn Fn(char) -> bool + Send + Sync>,
}

impl CharSet {
    /// Asks `holds` for every character of the BMP: about a millisecond, so keep the set.
    pub(super) fn new(holds: impl Fn(char) -> bool + Send + Sync + 'static) -> Self {
        let mut bmp = Box::new([0; 1024]);
        for c in '\0'..='\u{ffff}' {
            bmp[c as usize / 64] |= u64::from(holds(c)) << (c as usize % 64);
        }
        CharSet { bmp, beyond: Box::new(holds) }
    }

    /// Whether the predicate holds for `c`.
    #[inline]
    pub(super) fn contains(&self, c: char) -> bool {
        match self.bmp.get(c as usize / 64) {
            Some(word) => word >> (c as usize % 64) & 1 == 1,
            None => (self.beyond)(c),
        }
    }
}

impl std::fmt::Debug for CharSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size: u32 = self.bmp.iter().map(|word| word.count_ones()).sum();
        write!(f, "CharSet({size} in the BMP)")
    }
}

/// The first character of `text` at or after byte `from` that is in `set`, with its place. No ASCII character is
/// looked up: the caller knows that none is in the set.
#[inline]
pub(super) fn next_in(text: &str, from: usize, set: &CharSet) -> Option<(usize, char)> {
    next_where(text, from, |_| false, |c| set.contains(c))
}

/// The first character of `text` at or after byte `from` for which `ascii` or, beyond ASCII, `other` holds, with its
/// place. O(n).
#[inline]
pub(super) fn next_where(
    text: &str,
    from: usize,
    ascii: impl Fn(u8) -> bool,
    other: impl Fn(char) -> bool,
) -> Option<(usize, char)> {
    let mut at = from;
    loop {
        let found = text.as_bytes()[at..].iter().position(|&byte| !byte.is_ascii() || ascii(byte))?;
        at += found;
        for c in text[at..].chars() {
            if c.is_ascii() {
                if ascii(c as u8) {
                    return Some((at, c));
                }
                break;
            }
            if other(c) {
                return Some((at, c));
            }
            at += c.len_utf8();
        }
        if at == text.len() {
            return None;
        }
    }
}
