//! Weighted pre-tokens: all that training knows of a corpus.

use std::ops::Range;

/// Distinct pre-tokens with their counts and first places, in the order of their first places.
///
/// One flat block of bytes; 24 bytes a word beside its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    bytes: Vec<u8>,
    /// End of each word in `bytes`.
    ends: Vec<u64>,
    counts: Vec<u64>,
    places: Vec<u64>,
}

/// One pre-token with its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// Its text, UTF-8.
    pub bytes: &'a [u8],
    /// How often it occurs.
    pub count: u64,
    /// Where it occurs first: a byte position in the stream of all documents.
    pub place: u64,
}

impl Words {
    /// No words, with room for `words` words of `bytes` bytes in all.
    pub fn with_capacity(words: usize, bytes: usize) -> Self {
        Words {
            bytes: Vec::with_capacity(bytes),
            ends: Vec::with_capacity(words),
            counts: Vec::with_capacity(words),
            places: Vec::with_capacity(words),
        }
    }

    /// Adds a word at the end. The caller keeps the order of places.
    pub(super) fn push(&mut self, word: Word<'_>) {
        debug_assert!(self.places.last().is_none_or(|&last| last <= word.place), "words come in the order of places");
        self.bytes.extend_from_slice(word.bytes);
        self.ends.push(self.bytes.len() as u64);
        self.counts.push(word.count);
        self.places.push(word.place);
    }

    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes of all words, joined.
    pub fn joined_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The word at `index` in the order of first places. O(1).
    ///
    /// # Panics
    /// If `index` is not below [`Words::len`].
    pub fn get(&self, index: usize) -> Word<'_> {
        Word { bytes: &self.bytes[self.range(index)], count: self.counts[index], place: self.places[index] }
    }

    /// All words in the order of first places.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Word<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }
}
