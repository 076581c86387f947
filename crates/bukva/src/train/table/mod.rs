//! Counting: pre-token → how often and where first.

mod batch;
mod inline;
mod long;

pub use batch::Batch;
use inline::{Hashed, InlineWords};
use long::LongWords;

use super::words::{Word, Words};

/// A hash table of pre-tokens with their counts and first places.
///
/// Words up to 15 bytes (83 % of the distinct words of a mixed corpus) lie in 32-byte slots of their own; longer ones
/// share a block of bytes. Equality is decided on the whole word, never on a hash. The content does not depend on the
/// order in which words are added.
#[derive(Debug, Clone, Default)]
pub struct WordTable {
    short: InlineWords,
    long: LongWords,
}

impl WordTable {
    /// An empty table. Allocates nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `weight` occurrences of `word`, the first of which lies at `place`. O(length); an empty word is ignored.
    #[inline]
    pub fn add(&mut self, word: &[u8], weight: u64, place: u64) {
        match inline::key_of(word) {
            Some(key) => self.short.add(Hashed::new(key), weight, place),
            None => self.long.add(word, weight, place),
        }
    }

    /// A batch that adds words with less waiting for memory: for counting a corpus.
    pub fn batch(&mut self) -> Batch<'_> {
        Batch::new(self)
    }

    /// Adds all words of `other`: counts are summed, the earlier first place stays. O(slots of `other`).
    pub fn merge_from(&mut self, other: &WordTable) {
        self.short.merge_from(&other.short);
        self.long.merge_from(&other.long);
    }

    /// Number of distinct words.
    pub fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Occurrences of all words. O(slots).
    pub fn total(&self) -> u64 {
        let mut total = 0;
        self.for_each(|word| total += word.count);
        total
    }

    /// Shows every word once, in no order.
    pub fn for_each(&self, mut see: impl FnMut(Word<'_>)) {
        self.short.for_each(&mut see);
        self.long.for_each(&mut see);
    }

    /// The words in the order of their first places; words of one place in the order of their bytes.
    ///
    /// O(n log n). Sorts inside the table, so the peak is the table and the result.
    pub fn into_words_by_place(self) -> Words {
        let WordTable { short, long } = self;
        let mut words = Words::with_capacity(short.len() + long.len(), short.text_bytes() + long.text_bytes());
        let long = long.into_sorted();
        let mut later = long.iter().peekable();
        for slot in short.into_sorted() {
            let text = slot.text();
            let word = slot.word(&text);
            while let Some(earlier) = later.next_if(|long| (long.place, long.bytes) < (word.place, word.bytes)) {
                words.push(earlier);
            }
            words.push(word);
        }
        later.for_each(|word| words.push(word));
        words
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn expected(adds: &[(Vec<u8>, u64, u64)]) -> Vec<(u64, Vec<u8>, u64)> {
        let mut map: BTreeMap<Vec<u8>, (u64, u64)> = BTreeMap::new();
        for (word, weight, place) in adds.iter().filter(|add| !add.0.is_empty()) {
            let entry = map.entry(word.clone()).or_insert((0, u64::MAX));
            *entry = (entry.0 + weight, entry.1.min(*place));
        }
        let mut all: Vec<_> = map.into_iter().map(|(word, (count, place))| (place, word, count)).collect();
        all.sort();
        all
    }

    fn listed(table: WordTable) -> Vec<(u64, Vec<u8>, u64)> {
        table.into_words_by_place().iter().map(|word| (word.place, word.bytes.to_vec(), word.count)).collect()
    }

    fn filled(adds: &[(Vec<u8>, u64, u64)]) -> WordTable {
        let mut table = WordTable::new();
        adds.iter().for_each(|(word, weight, place)| table.add(word, *weight, *place));
        table
    }

    fn some_words() -> impl Strategy<Value = Vec<(Vec<u8>, u64, u64)>> {
        let word = prop_oneof![prop::collection::vec(0u8..3, 0..6), prop::collection::vec(0u8..2, 6..40)];
        prop::collection::vec((word, 1u64..1 << 40, 0u64..50), 0..300)
    }

    proptest! {
        #[test]
        fn a_table_is_a_map(adds in some_words(), cut in 0usize..300) {
            let wanted = expected(&adds);
            prop_assert_eq!(&listed(filled(&adds)), &wanted);
            let (left, right) = adds.split_at(cut.min(adds.len()));
            let mut merged = filled(right);
            merged.merge_from(&filled(left));
            prop_assert_eq!(merged.len(), wanted.len());
            prop_assert_eq!(merged.total(), wanted.iter().map(|word| word.2).sum::<u64>());
            prop_assert_eq!(&listed(merged), &wanted);
        }

        #[test]
        fn a_range_is_the_word_it_covers(text in prop::collection::vec(any::<u8>(), 0..60), a in 0usize..60, b in 0usize..60) {
            let (start, end) = (a.min(b).min(text.len()), a.max(b).min(text.len()));
            let mut by_range = WordTable::new();
            by_range.batch().add(&text, start, end, 2, 7);
            prop_assert_eq!(listed(by_range), listed(filled(&[(text[start..end].to_vec(), 2, 7)])));
        }

        #[test]
        fn a_batch_adds_what_it_is_given(text in prop::collection::vec(0u8..2, 40..400), cuts in prop::collection::vec(0usize..30, 0..60)) {
            let (mut plain, mut batched) = (WordTable::new(), WordTable::new());
            let mut batch = batched.batch();
            let mut start = 0;
            for cut in cuts {
                let end = (start + cut).min(text.len());
                plain.add(&text[start..end], 3, start as u64);
                batch.add(&text, start, end, 3, start as u64);
                start = end;
            }
            drop(batch);
            prop_assert_eq!(listed(batched), listed(plain));
        }
    }

    #[test]
    fn every_length_keeps_its_bytes() {
        let adds: Vec<_> = (1..40).map(|length| ((1..=length).collect::<Vec<u8>>(), 1, u64::from(length))).collect();
        assert_eq!(listed(filled(&adds)), expected(&adds));
    }
}
