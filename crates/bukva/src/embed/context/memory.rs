//! How much memory training takes, before it is taken.

use super::matrix::Matrix;

/// Bytes that training by context takes at its peak, by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryEstimate {
    /// The ids of the corpus, 4 bytes a word.
    pub corpus: u64,
    /// Both tables of vectors, rows padded to whole cache lines.
    pub tables: u64,
    /// That of outputs among them, and its numbers in the result.
    outputs: (u64, u64),
    /// Probabilities of words: subsampling and noise.
    pub probabilities: u64,
    /// Which rows words are made of.
    pub ngrams: u64,
    /// Paths of words through a tree.
    pub tree: u64,
    /// The vectors that are handed over, and the rows that they are made of, once the corpus is no longer needed.
    pub result: u64,
}

impl MemoryEstimate {
    /// The estimate for so many words with a vector, and so many ids in the corpus, ends of documents among them. With
    /// `ngrams`, the rows of the table that words are made of, and the rows of all words together; with `tree`, its nodes,
    /// and those of the paths of all words together. `None` where numbers are beyond 64 bits.
    pub fn new(
        words: u64,
        corpus_ids: u64,
        dim: u64,
        ngrams: Option<(u64, u64)>,
        tree: Option<(u64, u64)>,
    ) -> Option<Self> {
        let row = Matrix::bytes(1, usize::try_from(dim).ok()?)?;
        let (table, references) = ngrams.unwrap_or((words, 0));
        let composed = if ngrams.is_some() { words } else { 0 };
        let outputs = tree.map_or(Some(words), |(nodes, _)| nodes.checked_add(1))?;
        let rows = table.checked_add(outputs)?;
        Some(MemoryEstimate {
            corpus: corpus_ids.checked_mul(4)?,
            tables: rows.checked_mul(row)?,
            outputs: (outputs.checked_mul(row)?, outputs.checked_mul(dim)?.checked_mul(4)?),
            // 4 bytes for subsampling, 8 for the table that noise is drawn from.
            probabilities: words.checked_mul(12)?,
            // 8 bytes for the end of a word's rows, 4 for a row's number, and 4 for the bucket of each row.
            ngrams: match ngrams {
                Some(_) => words.checked_mul(8)?.checked_add(references.checked_add(table)?.checked_mul(4)?)?,
                None => 0,
            },
            // 8 bytes for the end of a path, 5 for a node of it.
            tree: match tree {
                Some((_, path_nodes)) => words.checked_mul(8)?.checked_add(path_nodes.checked_mul(5)?)?,
                None => 0,
            },
            result: rows.checked_add(composed)?.checked_mul(dim)?.checked_mul(4)?,
        })
    }

    /// The most that is there at one time: tables and probabilities beside the corpus, and later, when the corpus is gone,
    /// beside the result, whose last part replaces the first table.
    pub fn peak(&self) -> u64 {
        let training = self.tables.saturating_add(self.corpus).saturating_add(self.probabilities);
        let inputs = self.tables.saturating_add(self.result - self.outputs.1);
        let all = self.outputs.0.saturating_add(self.result);
        self.ngrams.saturating_add(self.tree).saturating_add(training.max(inputs).max(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_tables() {
        let estimate = MemoryEstimate::new(1000, 500_000, 100, None, None).unwrap();
        assert_eq!(
            (estimate.corpus, estimate.tables, estimate.result),
            (2_000_000, 1000 * 112 * 4 * 2, 1000 * 100 * 4 * 2)
        );
        assert_eq!(estimate.peak(), estimate.tables + 2_000_000 + 12_000);
        assert_eq!(MemoryEstimate::new(u64::MAX / 4, 1, 100, None, None), None);
    }

    #[test]
    fn rows_of_ngrams_are_counted() {
        let estimate = MemoryEstimate::new(1000, 500, 100, Some((8000, 20_000)), None).unwrap();
        assert_eq!((estimate.tables, estimate.ngrams), (9000 * 112 * 4, 8000 + 4 * 28_000));
        assert_eq!(estimate.result, (1000 + 8000 + 1000) * 100 * 4);
        assert_eq!(estimate.peak(), estimate.ngrams + estimate.tables + 9000 * 100 * 4);
        assert_eq!(MemoryEstimate::new(1, 1, 100, Some((u64::MAX, 1)), None), None);
    }

    #[test]
    fn paths_are_counted() {
        let estimate = MemoryEstimate::new(1000, 500, 100, None, Some((1199, 9000))).unwrap();
        assert_eq!((estimate.tree, estimate.tables), (8000 + 45_000, 2200 * 112 * 4));
        assert_eq!(estimate.result, 2200 * 100 * 4);
    }
}
