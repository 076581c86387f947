//! How much memory training takes, before it is taken.

use super::matrix::Matrix;

/// Bytes that training by context takes at its peak, by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryEstimate {
    /// The ids of the corpus, 4 bytes a word.
    pub corpus: u64,
    /// Both tables of vectors, rows padded to whole cache lines.
    pub tables: u64,
    /// Probabilities of words: subsampling and noise.
    pub probabilities: u64,
    /// The vectors that are handed over, once the corpus is no longer needed.
    pub result: u64,
}

impl MemoryEstimate {
    /// The estimate for so many words with a vector, and so many ids in the corpus, ends of documents among them. `None`
    /// where numbers are beyond 64 bits.
    pub fn new(words: u64, corpus_ids: u64, dim: u64) -> Option<Self> {
        let row = Matrix::bytes(1, usize::try_from(dim).ok()?)?;
        Some(MemoryEstimate {
            corpus: corpus_ids.checked_mul(4)?,
            tables: words.checked_mul(row)?.checked_mul(2)?,
            // 4 bytes for subsampling, 8 for the table that noise is drawn from.
            probabilities: words.checked_mul(12)?,
            result: words.checked_mul(dim)?.checked_mul(4)?.checked_mul(2)?,
        })
    }

    /// The most that is there at one time: tables and probabilities beside the corpus, and later, when the corpus is gone,
    /// beside the result, whose second half replaces the first table.
    pub fn peak(&self) -> u64 {
        let training = self.corpus.saturating_add(self.probabilities);
        self.tables.saturating_add(training.max(self.result / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_tables() {
        let estimate = MemoryEstimate::new(1000, 500_000, 100).unwrap();
        assert_eq!(
            (estimate.corpus, estimate.tables, estimate.result),
            (2_000_000, 1000 * 112 * 4 * 2, 1000 * 100 * 4 * 2)
        );
        assert_eq!(estimate.peak(), estimate.tables + 2_000_000 + 12_000);
        assert_eq!(MemoryEstimate::new(u64::MAX / 4, 1, 100), None);
    }
}
