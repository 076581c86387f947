//! Vectors, biases and sums of squared gradients, in rows that the kernel goes over in one piece.

use crate::embed::context::matrix::Matrix;
use crate::embed::context::random::Random;
use crate::error::Result;

/// A sum of squares so large that a number with it never moves.
const FIXED: f32 = 1e30;

/// Numbers of a row before its sums: the vector, its bias, and a 1 that takes the other table's bias.
pub(super) fn length(dim: usize) -> Option<usize> {
    dim.checked_add(2)?.checked_next_multiple_of(16)
}

/// Which of the two tables: their biases stand at different places, so that a product of two rows is w·c + b + b'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Words,
    Contexts,
}

/// A table. A row is [vector, bias, 1, 0, …] (contexts: [vector, 1, bias, 0, …]), then a sum of squares for each number.
pub(super) struct Table {
    rows: Matrix,
    dim: usize,
    side: Side,
}

impl Table {
    /// Vectors drawn between -½/dim and ½/dim, biases of 0, sums of 1.
    pub(super) fn new(words: usize, dim: usize, side: Side, seed: u64) -> Result<Self> {
        let mut table =
            Table { rows: Matrix::zeros(words, length(dim).map_or(usize::MAX, |length| 2 * length))?, dim, side };
        let mut random = Random::new(seed, &[u64::from(side == Side::Contexts), 0]);
        let (length, one) = (table.length(), table.one());
        for row in 0..words as u32 {
            let row = table.rows.row_mut(row);
            row[..dim].fill_with(|| (random.unit() - 0.5) / dim as f32);
            row[length..].fill(1.0);
            row[one] = 1.0;
            row[length + one] = FIXED;
        }
        Ok(table)
    }

    /// Numbers of a row before its sums.
    pub(super) fn length(&self) -> usize {
        self.rows.dim() / 2
    }

    fn one(&self) -> usize {
        self.dim + usize::from(self.side == Side::Words)
    }

    fn bias(&self) -> usize {
        self.dim + usize::from(self.side == Side::Contexts)
    }

    /// Where a row starts: twice [`Table::length`] numbers.
    #[inline(always)]
    pub(super) fn row(&self, row: u32) -> *mut f32 {
        self.rows.row(row)
    }

    /// A vector that nobody else works on.
    pub(super) fn vector(&mut self, row: u32) -> &mut [f32] {
        let dim = self.dim;
        &mut self.rows.row_mut(row)[..dim]
    }

    /// A bias that nobody else works on.
    pub(super) fn bias_mut(&mut self, row: u32) -> &mut f32 {
        let bias = self.bias();
        &mut self.rows.row_mut(row)[bias]
    }

    /// All vectors, one after the other.
    pub(super) fn into_vectors(mut self) -> Vec<f32> {
        let mut all = Vec::with_capacity(self.rows.rows() * self.dim);
        (0..self.rows.rows() as u32).for_each(|row| all.extend_from_slice(self.vector(row)));
        all
    }
}
