//! Distinct words, numbered in the order of their first occurrence, with counts.

use std::ops::Range;

/// A set of words. About 32 bytes a word beside its text.
#[derive(Debug, Clone)]
pub(super) struct Interner {
    /// Open addressing with linear probing, at most half full: the upper half of a word's hash, and its number plus 1.
    slots: Vec<(u32, u32)>,
    text: Vec<u8>,
    /// End of each word in `text`.
    ends: Vec<usize>,
    counts: Vec<u64>,
}

impl Default for Interner {
    fn default() -> Self {
        Interner { slots: vec![(0, 0); 1 << 12], text: Vec::new(), ends: Vec::new(), counts: Vec::new() }
    }
}

impl Interner {
    /// Number of distinct words.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of a word. O(1).
    pub(super) fn word(&self, number: u32) -> &[u8] {
        &self.text[self.range(number)]
    }

    /// How often each word was added.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Counts a word `times` and gives its number. O(length of the word).
    #[inline]
    pub(super) fn add(&mut self, word: &[u8], times: u64) -> u32 {
        let hash = hash_of(word);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (upper, next) = self.slots[at];
            if next == 0 {
                return self.insert(word, hash, at, times);
            }
            if upper == (hash >> 32) as u32 && is_same(self.word(next - 1), word) {
                self.counts[next as usize - 1] += times;
                return next - 1;
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn insert(&mut self, word: &[u8], hash: u64, at: usize, times: u64) -> u32 {
        let number = self.len() as u32;
        self.text.extend_from_slice(word);
        self.ends.push(self.text.len());
        self.counts.push(times);
        self.slots[at] = ((hash >> 32) as u32, number + 1);
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        self.slots = vec![(0, 0); size];
        for number in 0..self.len() as u32 {
            let hash = hash_of(self.word(number));
            let mut at = hash as usize & (size - 1);
            while self.slots[at].1 != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = ((hash >> 32) as u32, number + 1);
        }
    }

    fn range(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        start..self.ends[number]
    }
}

/// Multiplies to 128 bits and folds them, so that every bit of the product counts.
#[inline(always)]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// The first and the last 8 bytes of a word of up to 16, which may overlap; together with the length they are the word.
#[inline(always)]
fn ends_of(word: &[u8]) -> (u64, u64) {
    let four = |at: usize| u64::from(u32::from_le_bytes([word[at], word[at + 1], word[at + 2], word[at + 3]]));
    match word.len() {
        length @ 4..8 => (four(0), four(length - 4)),
        length @ 1..4 => (u64::from(word[0]), u64::from(word[length / 2]) << 8 | u64::from(word[length - 1])),
        0 => (0, 0),
        _ => (eight(word, 0), eight(word, word.len() - 8)),
    }
}

#[inline(always)]
fn eight(word: &[u8], at: usize) -> u64 {
    word[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A hash of a word: most are short, and of those two loads take all bytes.
#[inline(always)]
fn hash_of(word: &[u8]) -> u64 {
    let (first, last) = ends_of(word);
    let mut hash = folded(first ^ KEYS[0], last ^ KEYS[1] ^ word.len() as u64);
    if word.len() > 16 {
        for middle in word[8..word.len() - 8].chunks(8) {
            let (first, last) = ends_of(middle);
            hash = folded(hash ^ first ^ KEYS[0], last ^ KEYS[2]);
        }
    }
    hash
}

/// Digits of π.
const KEYS: [u64; 3] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0];

/// Whether two words are the same, without a call for short ones.
#[inline(always)]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        false
    } else if a.len() <= 16 {
        ends_of(a) == ends_of(b)
    } else {
        a == b
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_word_has_one_number() {
        let mut interner = Interner::default();
        let mut expected: BTreeMap<String, (u32, u64)> = BTreeMap::new();
        for step in 0..50_000u64 {
            let word = "слово-".repeat(step as usize % 5) + &((step * step) % 20_011).to_string();
            let next = expected.len() as u32;
            let entry = expected.entry(word.clone()).or_insert((next, 0));
            entry.1 += 2;
            assert_eq!(interner.add(word.as_bytes(), 2), entry.0);
        }
        assert_eq!(interner.len(), expected.len());
        for (word, (number, count)) in expected {
            assert_eq!((interner.word(number), interner.counts()[number as usize]), (word.as_bytes(), count));
        }
    }

    #[test]
    fn words_of_any_length_are_told_apart() {
        let text: Vec<u8> = (0..40).collect();
        let mut interner = Interner::default();
        for length in 0..text.len() {
            assert_eq!(interner.add(&text[..length], 1), interner.len() as u32 - 1);
            for at in 0..length {
                let mut other = text[..length].to_vec();
                other[at] ^= 0x80;
                assert_eq!(interner.add(&other, 1), interner.len() as u32 - 1, "byte {at} of {length}");
            }
        }
        assert_eq!(interner.len(), 40 + 39 * 40 / 2);
    }
}
