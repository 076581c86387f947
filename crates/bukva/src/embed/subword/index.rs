//! The rows of each word of a vocabulary.

use rustc_hash::FxHashMap;

use super::scheme::Scheme;
use crate::error::{Error, Kind, Result};

/// For each word the rows of a table whose mean is its vector: its own row first, where it has one, then those of its
/// n-grams, as often as they stand in it.
///
/// The table holds the rows of words in their order, where words have rows, and behind them only those buckets that a
/// word uses, in the order of their first use: those of frequent words lie together. 4 bytes an n-gram of a word, and
/// 12 for each word and each bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordNgrams {
    scheme: Scheme,
    /// Where the rows of each word end in `rows`.
    ends: Vec<usize>,
    rows: Vec<u32>,
    buckets: Vec<u32>,
}

impl WordNgrams {
    /// Takes words apart. O(bytes · maxn).
    ///
    /// # Errors
    /// [`Kind::Argument`] for a scheme that cannot work, [`Kind::Training`] for more rows than numbers of 32 bits.
    pub fn new<'a>(words: impl ExactSizeIterator<Item = &'a str>, scheme: Scheme) -> Result<Self> {
        scheme.check()?;
        let own = if scheme.has_word_rows() { words.len() } else { 0 };
        if own as u64 + u64::from(scheme.bucket) > u64::from(u32::MAX) {
            let message = format!("{own} words and {} buckets are more rows than {}", scheme.bucket, u32::MAX);
            return Err(Error::new(Kind::Training, message));
        }
        let mut found = WordNgrams { scheme, ends: Vec::with_capacity(words.len()), rows: vec![], buckets: vec![] };
        let mut places = FxHashMap::default();
        for (number, word) in words.enumerate() {
            if own > 0 {
                found.rows.push(number as u32);
            }
            let WordNgrams { rows, buckets, .. } = &mut found;
            scheme.for_each_bucket(word, |bucket| {
                let place = *places.entry(bucket).or_insert_with(|| {
                    buckets.push(bucket);
                    buckets.len() - 1
                });
                rows.push((own + place) as u32);
            });
            found.ends.push(found.rows.len());
        }
        Ok(found)
    }

    /// How words are taken apart.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.ends.len()
    }

    /// Rows of the table.
    pub fn table_rows(&self) -> usize {
        let own = if self.scheme.has_word_rows() { self.words() } else { 0 };
        own + self.buckets.len()
    }

    /// Rows of all words together.
    pub fn references(&self) -> usize {
        self.rows.len()
    }

    /// The buckets that are used, in the order of their rows.
    pub fn buckets(&self) -> &[u32] {
        &self.buckets
    }

    /// The rows of a word: one at least.
    ///
    /// # Panics
    /// If there is no such word.
    #[inline]
    pub fn rows(&self, word: u32) -> &[u32] {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.rows[start..self.ends[word]]
    }

    /// The vector of each word, from a table of `dim` numbers a row: `row` gives a row. O(references · dim).
    ///
    /// # Panics
    /// If `row` does for one of the table.
    pub fn compose<'a>(&self, dim: usize, row: impl Fn(u32) -> &'a [f32]) -> Vec<f32> {
        let mut vectors = Vec::with_capacity(self.words() * dim);
        for word in 0..self.words() as u32 {
            let (rows, start) = (self.rows(word), vectors.len());
            vectors.resize(start + dim, 0.0);
            let vector = &mut vectors[start..];
            for &number in rows {
                vector.iter_mut().zip(row(number)).for_each(|(sum, number)| *sum += number);
            }
            let share = 1.0 / rows.len() as f32;
            vector.iter_mut().for_each(|sum| *sum *= share);
        }
        vectors
    }
}

#[cfg(test)]
mod tests {
    use super::super::scheme::Hashing;
    use super::*;

    #[test]
    fn rows_are_of_words_and_of_used_buckets() {
        let scheme = Scheme { minn: 3, maxn: 3, bucket: 1 << 20, hashing: Hashing::FastText };
        let ngrams = WordNgrams::new(["abab", "ab"].into_iter(), scheme).unwrap();
        // <ab aba bab ab> and <ab ab>
        assert_eq!((ngrams.rows(0), ngrams.rows(1)), (&[0, 2, 3, 4, 5][..], &[1, 2, 5][..]));
        assert_eq!((ngrams.words(), ngrams.table_rows(), ngrams.references(), ngrams.buckets().len()), (2, 6, 8, 4));
        let table: Vec<f32> = (0u8..6).map(f32::from).collect();
        assert_eq!(ngrams.compose(1, |row| &table[row as usize..][..1]), [14.0 / 5.0, 8.0 / 3.0]);
    }

    #[test]
    fn words_without_rows_of_their_own_have_their_hash() {
        let scheme = Scheme { minn: 9, maxn: 9, bucket: 1 << 20, hashing: Hashing::Floret { count: 1 } };
        let ngrams = WordNgrams::new(["ab", ""].into_iter(), scheme).unwrap();
        assert_eq!((ngrams.rows(0), ngrams.rows(1), ngrams.table_rows()), (&[0][..], &[1][..], 2));
    }

    #[test]
    fn more_rows_than_numbers_are_an_error() {
        let scheme = Scheme { minn: 3, maxn: 2, bucket: 1, hashing: Hashing::FastText };
        assert_eq!(WordNgrams::new([""].into_iter(), scheme).unwrap_err().kind, Kind::Argument);
    }
}
