//! How much memory GloVe takes.

use super::cells::Cell;
use super::tables;
use crate::embed::context::matrix::Matrix;

/// Bytes that GloVe takes, by what they are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GloveMemory {
    /// The counted cells, 8 bytes each, with offsets and sums.
    pub counts: u64,
    /// Cells in random order, 12 bytes each.
    pub cells: u64,
    /// Both tables: vector, bias and AdaGrad's sums of each word, padded to whole cache lines.
    pub tables: u64,
    /// The vectors that are handed over.
    pub result: u64,
}

impl GloveMemory {
    /// The memory for so many words and cells; `None` where numbers are beyond 64 bits.
    pub fn new(words: u64, cells: u64, dim: u64) -> Option<Self> {
        let numbers = tables::length(usize::try_from(dim).ok()?)?.checked_mul(2)?;
        let row = Matrix::bytes(1, numbers)?;
        Some(GloveMemory {
            counts: cells.checked_mul(8)?.checked_add(words.checked_mul(24)?)?,
            cells: cells.checked_mul(size_of::<Cell>() as u64)?,
            tables: words.checked_mul(row)?.checked_mul(2)?,
            result: words.checked_mul(dim)?.checked_mul(4)?.checked_mul(2)?,
        })
    }

    /// The most that is there at one time: cells beside the counts they are made of, then beside the tables, and later
    /// the tables beside the result.
    pub fn peak(&self) -> u64 {
        self.cells.saturating_add(self.counts.max(self.tables)).max(self.tables.saturating_add(self.result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_cells_and_tables() {
        let memory = GloveMemory::new(1000, 500_000, 100).unwrap();
        assert_eq!((memory.counts, memory.cells), (4_024_000, 6_000_000));
        assert_eq!((memory.tables, memory.result), (1000 * 2 * 112 * 4 * 2, 1000 * 100 * 4 * 2));
        assert_eq!(memory.peak(), 6_000_000 + 4_024_000);
        assert_eq!(GloveMemory::new(u64::MAX / 4, 1, 100), None);
        assert_eq!(GloveMemory::new(1, 1, u64::MAX), None);
    }
}
