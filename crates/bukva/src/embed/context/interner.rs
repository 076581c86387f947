//! Distinct words, numbered in the order of their first occurrence, with counts.

use std::ops::Range;

/// A set of words. About 60 bytes a word beside its text.
#[derive(Debug, Clone)]
pub(super) struct Interner {
    /// Open addressing with linear probing, at most two thirds full. A slot is all that a short word needs.
    slots: Vec<Slot>,
    text: Vec<u8>,
    /// End of each word in `text`.
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: Key,
    /// The number of the word.
    number: u32,
    /// How often it was added; 0 where the slot is free.
    count: u64,
}

const FREE: Slot = Slot { key: Key([0; 2]), number: 0, count: 0 };

impl Default for Interner {
    fn default() -> Self {
        Interner { slots: vec![FREE; 1 << 12], text: Vec::new(), ends: Vec::new() }
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

    /// How often each word was added. O(words).
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.len()];
        self.slots.iter().filter(|slot| slot.count > 0).for_each(|slot| counts[slot.number as usize] = slot.count);
        counts
    }

    /// Counts a word, a part of `text`, `times` and gives its number. O(length of the word).
    #[inline]
    pub(super) fn add(&mut self, text: &[u8], word: Range<usize>, times: u64) -> u32 {
        let key = Key::of(text, &word);
        let mut at = self.home(key);
        loop {
            let slot = &mut self.slots[at];
            if slot.count == 0 {
                return self.insert(&text[word], key, at, times);
            }
            if slot.key == key && (key.is_short() || self.text[range(&self.ends, slot.number)] == text[word.clone()]) {
                slot.count += times;
                return slot.number;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[cold]
    fn insert(&mut self, word: &[u8], key: Key, at: usize, times: u64) -> u32 {
        let number = self.len() as u32;
        self.text.extend_from_slice(word);
        self.ends.push(self.text.len());
        self.slots[at] = Slot { key, number, count: times };
        if self.len() * 3 > self.slots.len() * 2 {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let larger = vec![FREE; self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, larger).into_iter().filter(|slot| slot.count > 0) {
            let mut at = self.home(slot.key);
            while self.slots[at].count > 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = slot;
        }
    }

    #[inline(always)]
    fn home(&self, key: Key) -> usize {
        key.hash() as usize & (self.slots.len() - 1)
    }

    fn range(&self, number: u32) -> Range<usize> {
        range(&self.ends, number)
    }
}

/// Where a word lies that ends at the place of its number.
fn range(ends: &[usize], number: u32) -> Range<usize> {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    start..ends[number]
}

/// A word of up to 15 bytes and its length; of a longer one a hash and the highest bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key([u64; 2]);

impl Key {
    /// The key of a part of a text: by one load where 16 bytes are left.
    #[inline(always)]
    fn of(text: &[u8], word: &Range<usize>) -> Self {
        let length = word.len();
        if length > 15 {
            return Key::long(&text[word.clone()]);
        }
        let bytes = match text[word.start..].first_chunk::<16>() {
            Some(chunk) => u128::from_le_bytes(*chunk) & ((1 << (8 * length)) - 1),
            None => text[word.clone()].iter().rev().fold(0, |bytes, &byte| bytes << 8 | u128::from(byte)),
        };
        let key = bytes | (length as u128) << 120;
        Key([key as u64, (key >> 64) as u64])
    }

    #[cold]
    fn long(word: &[u8]) -> Self {
        let mut hash = word.len() as u64;
        for chunk in word.chunks(8) {
            let bytes = chunk.iter().rev().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte));
            hash = folded(hash ^ KEYS[1], bytes ^ KEYS[2]);
        }
        Key([hash, 1 << 63])
    }

    /// Whether the key is the whole word.
    #[inline(always)]
    fn is_short(self) -> bool {
        self.0[1] >> 63 == 0
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        folded(self.0[0] ^ KEYS[0], self.0[1] ^ KEYS[1])
    }
}

/// Multiplies to 128 bits and folds them, so that every bit of the product counts.
#[inline(always)]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

/// Digits of π.
const KEYS: [u64; 3] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0];

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
            assert_eq!(interner.add(word.as_bytes(), 0..word.len(), 2), entry.0);
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
            assert_eq!(interner.add(&text, 0..length, 1), interner.len() as u32 - 1);
            for at in 0..length {
                let mut other = text[..length].to_vec();
                other[at] ^= 0x80;
                assert_eq!(interner.add(&other, 0..length, 1), interner.len() as u32 - 1, "byte {at} of {length}");
            }
        }
        assert_eq!(interner.len(), 40 + 39 * 40 / 2);
    }
}
