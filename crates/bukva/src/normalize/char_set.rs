//! A set of characters that answers at once for the two planes in which nearly all text lies.

use std::sync::atomic::{AtomicU64, Ordering};

/// Characters for which a predicate holds. 16 KiB; a look-up in the first two planes is two loads, beyond them one call.
///
/// The set is filled as texts ask for it, 64 neighbours at a time: making it costs next to nothing, and a text pays for
/// the scripts that it has. There is no lock: two threads that fill the same part write the same bits.
pub(crate) struct CharSet {
    words: Box<[AtomicU64; WORDS]>,
    /// Which words are filled, a bit each.
    filled: Box<[AtomicU64; WORDS / 64]>,
    holds: Box<dyn Fn(char) -> bool + Send + Sync>,
}

/// Words of 64 characters in two planes.
const WORDS: usize = 2 * 0x1_0000 / 64;

impl CharSet {
    /// The set of the characters for which `holds` answers with yes, always the same. O(1).
    pub(crate) fn new(holds: impl Fn(char) -> bool + Send + Sync + 'static) -> Self {
        CharSet {
            words: Box::new([const { AtomicU64::new(0) }; WORDS]),
            filled: Box::new([const { AtomicU64::new(0) }; WORDS / 64]),
            holds: Box::new(holds),
        }
    }

    /// Whether the predicate holds for `c`. O(1); 64 questions where a neighbourhood is new.
    #[inline]
    pub(crate) fn contains(&self, c: char) -> bool {
        let place = c as usize / 64;
        let Some(word) = self.words.get(place) else { return (self.holds)(c) };
        let is_filled = self.filled[place / 64].load(Ordering::Acquire) >> (place % 64) & 1 == 1;
        let bits = if is_filled { word.load(Ordering::Relaxed) } else { self.fill(place) };
        bits >> (c as usize % 64) & 1 == 1
    }

    #[cold]
    fn fill(&self, place: usize) -> u64 {
        let characters = (0..64_u32).filter_map(|bit| Some((bit, char::from_u32((place * 64) as u32 + bit)?)));
        let bits = characters.fold(0, |bits, (bit, c)| bits | u64::from((self.holds)(c)) << bit);
        self.words[place].store(bits, Ordering::Relaxed);
        // Whoever sees this bit sees the word.
        self.filled[place / 64].fetch_or(1 << (place % 64), Ordering::Release);
        bits
    }
}

impl std::fmt::Debug for CharSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let filled: u32 = self.filled.iter().map(|bits| bits.load(Ordering::Relaxed).count_ones()).sum();
        write!(f, "CharSet({} characters asked for)", filled * 64)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_answered_in_any_order() {
        let holds = |c: char| (c as u32).is_multiple_of(7) || (c as u32) % 64 == 63;
        let set = CharSet::new(holds);
        let all = ('\0'..=char::MAX).step_by(13).chain(('\0'..=char::MAX).rev().step_by(11));
        assert!(all.into_iter().all(|c| set.contains(c) == holds(c)));
    }

    #[test]
    fn threads_see_the_same_set() {
        let set = CharSet::new(|c| c.is_uppercase());
        let wrong = || ('\0'..='\u{1ffff}').filter(|&c| set.contains(c) != c.is_uppercase()).count();
        let found: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(wrong)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(found, [0; 4]);
    }
}
