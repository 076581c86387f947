//! Vectors of all words in memory that several threads write.

use memmap2::MmapMut;

use crate::error::{Error, Kind, Result};

/// Numbers of a cache line; rows start at a line.
const LINE: usize = 16;

/// Rows of `f32`s, each padded with zeros to whole cache lines.
///
/// Rows are given as pointers, for several threads write them without locks (see
/// [`Kernel::step`](super::kernel::Kernel::step)). Without this, threads would wait for each other at every word.
pub(in crate::embed) struct Matrix {
    start: *mut f32,
    rows: usize,
    dim: usize,
    /// From a row to the next, in numbers.
    stride: usize,
    /// Owns what `start` points to.
    _memory: MmapMut,
}

// SAFETY: the memory belongs to the matrix; who writes rows through `row` keeps the promises made there.
unsafe impl Send for Matrix {}
// SAFETY: as above.
unsafe impl Sync for Matrix {}

impl Matrix {
    /// A matrix of zeros. Memory is taken from the system when it is first written.
    ///
    /// # Errors
    /// [`Kind::Training`] if the system has no room for it.
    pub(in crate::embed) fn zeros(rows: usize, dim: usize) -> Result<Self> {
        let no_room = |why: String| {
            let message = format!("no memory for {rows} vectors of {dim} numbers: {why}; lower dim or raise min_count");
            Error::new(Kind::Training, message)
        };
        let bytes = Self::bytes(rows, dim).and_then(|bytes| usize::try_from(bytes).ok());
        let bytes = bytes.ok_or_else(|| no_room("the size is beyond what can be addressed".to_owned()))?;
        let mut memory = MmapMut::map_anon(bytes.max(1)).map_err(|error| no_room(error.to_string()))?;
        #[cfg(target_os = "linux")]
        // Large pages spare look-ups of addresses; where there are none, nothing is lost.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Matrix { start: memory.as_mut_ptr().cast(), rows, dim, stride: dim.next_multiple_of(LINE), _memory: memory })
    }

    /// Bytes that a matrix takes, or `None` where that is beyond 64 bits.
    pub(in crate::embed) fn bytes(rows: usize, dim: usize) -> Option<u64> {
        let row = (dim as u64).checked_next_multiple_of(LINE as u64)?.checked_mul(size_of::<f32>() as u64)?;
        row.checked_mul(rows as u64)
    }

    /// Numbers of a row without the padding.
    pub(in crate::embed) fn dim(&self) -> usize {
        self.dim
    }

    /// Number of rows.
    pub(in crate::embed) fn rows(&self) -> usize {
        self.rows
    }

    /// Where a row starts: `dim` numbers rounded up to a multiple of 16 are there for as long as the matrix.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline(always)]
    pub(in crate::embed) fn row(&self, row: u32) -> *mut f32 {
        assert!((row as usize) < self.rows, "a row of the matrix");
        // SAFETY: inside of the memory, as was just looked at.
        unsafe { self.start.add(row as usize * self.stride) }
    }

    /// A row that nobody writes.
    ///
    /// # Safety
    /// No other thread works on the row, and it is not written for as long as what is given lives.
    ///
    /// # Panics
    /// If there is no such row.
    pub(in crate::embed) unsafe fn read(&self, row: u32) -> &[f32] {
        // SAFETY: inside of the memory, as `row` looks; the rest is the caller's promise.
        unsafe { std::slice::from_raw_parts(self.row(row), self.dim) }
    }

    /// A row that nobody else works on.
    ///
    /// # Panics
    /// If there is no such row.
    pub(in crate::embed) fn row_mut(&mut self, row: u32) -> &mut [f32] {
        // SAFETY: inside of the memory, as `row` looks; the borrow keeps others away.
        unsafe { std::slice::from_raw_parts_mut(self.row(row), self.dim) }
    }

    /// All rows without padding, one after the other. O(rows · dim).
    pub(in crate::embed) fn into_vec(mut self) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(self.rows * self.dim);
        (0..self.rows as u32).for_each(|row| numbers.extend_from_slice(self.row_mut(row)));
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_and_apart() {
        let mut matrix = Matrix::zeros(3, 5).unwrap();
        matrix.row_mut(1).fill(2.0);
        assert_eq!(matrix.row(1).addr() - matrix.row(0).addr(), 64);
        assert_eq!(matrix.into_vec(), [[0.0; 5], [2.0; 5], [0.0; 5]].concat());
        assert_eq!(Matrix::bytes(3, 17), Some(3 * 128));
    }

    #[test]
    fn a_size_beyond_memory_is_an_error() {
        assert_eq!(Matrix::zeros(usize::MAX / 8, 100).err().map(|error| error.kind), Some(Kind::Training));
        assert_eq!(Matrix::bytes(usize::MAX, 100), None);
    }
}
