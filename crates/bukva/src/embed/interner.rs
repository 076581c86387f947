//! Distinct words, numbered in the order of their first occurrence, with counts.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

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
            if upper == (hash >> 32) as u32 && self.word(next - 1) == word {
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

fn hash_of(word: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word);
    hasher.finish()
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
            let word = format!("слово{}", (step * step) % 20_011);
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
}
