//! A set of characters that answers at once for the Basic Multilingual Plane.

/// Characters for which a predicate holds. 8 KiB; a look-up in the BMP is one load, beyond it one call.
pub(super) struct CharSet {
    bmp: Box<[u64; 1024]>,
    beyond: fn(char) -> bool,
}

impl CharSet {
    /// Asks `holds` for every character of the BMP: about a millisecond, so keep the set.
    pub(super) fn new(holds: fn(char) -> bool) -> Self {
        let mut bmp = Box::new([0; 1024]);
        for c in '\0'..='\u{ffff}' {
            bmp[c as usize / 64] |= u64::from(holds(c)) << (c as usize % 64);
        }
        CharSet { bmp, beyond: holds }
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

/// The first character of `text` at or after byte `from` that is in `set`, with its place. No ASCII character is
/// looked up: the caller knows that none is in the set.
#[inline]
pub(super) fn next_in(text: &str, from: usize, set: &CharSet) -> Option<(usize, char)> {
    let mut at = from;
    loop {
        at += text.as_bytes()[at..].iter().position(|byte| !byte.is_ascii())?;
        for c in text[at..].chars() {
            if c.is_ascii() {
                break;
            }
            if set.contains(c) {
                return Some((at, c));
            }
            at += c.len_utf8();
        }
    }
}
