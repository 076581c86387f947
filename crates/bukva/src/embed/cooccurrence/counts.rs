//! A sparse matrix of co-occurrences.

use std::ops::Range;

use super::rows::Counted;
use crate::error::{Error, Kind, Result};

/// How often words stand near each other: rows are words, columns words of their contexts, both by their number in the
/// vocabulary. Rows one after the other, the columns of each rising (CSR).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cooccurrences {
    /// Where each row starts among the cells, and where the last one ends.
    pub offsets: Vec<u64>,
    /// The column of each cell.
    pub columns: Vec<u32>,
    /// The number in each cell, above 0: a sum without error, rounded once to 24 bits.
    pub values: Vec<f32>,
    /// The sum of each row, from the sums before they were rounded.
    pub row_sums: Vec<f64>,
    /// The sum of each column.
    pub column_sums: Vec<f64>,
    /// Pairs that were counted, each as one.
    pub pairs: u64,
}

/// Bytes of a cell: column and value.
pub(super) const CELL: u64 = 8;

impl Cooccurrences {
    /// Rows, and columns.
    pub fn words(&self) -> usize {
        self.row_sums.len()
    }

    /// Cells that are not 0.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether all cells are 0.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The cells of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// Puts bands together, in the order of their rows. Each goes when its cells have been copied.
    pub(super) fn of(bands: Vec<Counted>, column_units: &[u64], number: impl Fn(u64) -> f64) -> Result<Self> {
        let cells = bands.iter().map(|band| band.columns.len()).sum();
        let mut all = Cooccurrences { offsets: vec![0], ..Cooccurrences::default() };
        let room = all.columns.try_reserve_exact(cells).and_then(|()| all.values.try_reserve_exact(cells));
        room.map_err(|_| no_room(cells as u64))?;
        for band in bands {
            for (length, units) in band.lengths.iter().zip(&band.row_units) {
                let start = all.offsets.last().copied().unwrap_or(0);
                all.offsets.push(start + u64::from(*length));
                all.row_sums.push(number(*units));
            }
            all.columns.extend_from_slice(&band.columns);
            all.values.extend_from_slice(&band.values);
            all.pairs += band.pairs;
        }
        all.column_sums = column_units.iter().map(|&units| number(units)).collect();
        Ok(all)
    }
}

pub(super) fn no_room(pairs: u64) -> Error {
    let message = format!("no memory for {pairs} pairs of words; raise min_count or lower window");
    Error::new(Kind::Training, message)
}
