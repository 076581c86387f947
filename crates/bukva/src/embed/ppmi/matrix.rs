//! The matrix.

use std::ops::Range;

use crate::embed::cooccurrence::Cooccurrences;
use crate::error::{Error, Kind, Result};

/// What is taken off, and how contexts are weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PpmiOptions {
    /// k: ln k is taken off; at least 1.
    pub shift: f64,
    /// The power of a context's sum that its share is in proportion to.
    pub noise_exponent: f64,
}

impl Default for PpmiOptions {
    fn default() -> Self {
        PpmiOptions { shift: 1.0, noise_exponent: 0.75 }
    }
}

impl PpmiOptions {
    fn check(&self) -> Result<()> {
        if !(self.shift.is_finite() && self.shift >= 1.0) {
            let message =
                format!("the \"shift\" parameter must be a finite number of at least 1; got {} instead", self.shift);
            return Err(Error::new(Kind::Argument, message));
        }
        if !self.noise_exponent.is_finite() {
            let message = format!(
                "the \"noise_exponent\" parameter must be a finite number; got {} instead",
                self.noise_exponent
            );
            return Err(Error::new(Kind::Argument, message));
        }
        Ok(())
    }
}

/// max(0, PMI - ln k) of words and contexts; rows one after the other, the columns of each rising (CSR).
#[derive(Debug, Clone, PartialEq)]
pub struct Ppmi {
    offsets: Vec<u64>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl Ppmi {
    /// The matrix of counts x: ln(x / (r · p)) - ln k, where r is the sum of the row and p the share of the column: its
    /// sum to the power of `noise_exponent`, over all columns 1. Cells that are not above 0 go. O(cells), in place.
    ///
    /// # Errors
    /// [`Kind::Argument`] for options that cannot work, and [`Kind::Corpus`] if no cell is left.
    pub fn new(counts: Cooccurrences, options: &PpmiOptions) -> Result<Self> {
        options.check()?;
        let powers: Vec<f64> = counts.column_sums.iter().map(|sum| sum.powf(options.noise_exponent)).collect();
        let total: f64 =
            counts.column_sums.iter().zip(&powers).filter(|(sum, _)| **sum > 0.0).map(|(_, power)| power).sum();
        let off: Vec<f64> = powers.iter().map(|power| (power / total).ln() + options.shift.ln()).collect();
        let Cooccurrences { mut offsets, mut columns, mut values, row_sums, .. } = counts;
        let (mut start, mut kept) = (0, 0);
        for (row, sum) in row_sums.iter().enumerate() {
            let end = offsets[row + 1] as usize;
            for cell in start..end {
                let value = f64::from(values[cell]).ln() - sum.ln() - off[columns[cell] as usize];
                if value > 0.0 {
                    (columns[kept], values[kept]) = (columns[cell], value as f32);
                    kept += 1;
                }
            }
            start = end;
            offsets[row + 1] = kept as u64;
        }
        if kept == 0 {
            let message = "no two words stand near each other more often than by chance; look at unit and min_count, or lower shift";
            return Err(Error::new(Kind::Corpus, message));
        }
        columns.truncate(kept);
        values.truncate(kept);
        Ok(Ppmi { offsets, columns, values })
    }

    /// Rows, and columns.
    pub fn words(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Cells above 0.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether all cells are 0. Never so.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The sum of all squares.
    pub fn squares(&self) -> f64 {
        self.values.iter().map(|&value| f64::from(value) * f64::from(value)).sum()
    }

    /// Columns and values of a row.
    pub(super) fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let cells = self.offsets[row] as usize..self.offsets[row + 1] as usize;
        (&self.columns[cells.clone()], &self.values[cells])
    }

    /// Those of a range of columns.
    pub(super) fn part(&self, row: usize, columns: &Range<usize>) -> (&[u32], &[f32]) {
        let (all, values) = self.row(row);
        let start = all.partition_point(|&column| (column as usize) < columns.start);
        let end = start + all[start..].partition_point(|&column| (column as usize) < columns.end);
        (&all[start..end], &values[start..end])
    }
}
