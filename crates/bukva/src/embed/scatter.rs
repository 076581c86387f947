//! The way back from rows to a table: the gradient of a row is the sum over all places where its id stands.

use std::ops::AddAssign;

use crate::error::{Error, Kind, Result};
use crate::prefetch::prefetch;

/// Rows that are asked for ahead. Where the table is larger than the caches, nearly every row comes from memory: with
/// this the work takes two thirds of the time (32,768 rows of 256 numbers; see the suite `rows`).
const AHEAD: usize = 4;
/// Bytes that a prefetch brings.
const LINE: usize = 64;

/// A number of a table: `f32` or `f64`.
pub trait Number: Copy + AddAssign + Send + Sync {}

impl Number for f32 {}
impl Number for f64 {}

/// Adds row `i` of `rows` to row `ids[i]` of `table`, for `i` in order.
///
/// Both are row by row, `dim` numbers each. O(ids · dim) time, no memory. Each number of the table is one sum in the
/// order of `ids`, so the result is the same on every machine. Nothing is written where an id is out of range.
///
/// # Errors
/// [`Kind::UnknownId`] for an id that has no row; [`Kind::Argument`] where the lengths do not fit together.
pub fn scatter_add<T: Number>(table: &mut [T], dim: usize, ids: &[u32], rows: &[T]) -> Result<()> {
    if dim == 0 || !table.len().is_multiple_of(dim) || ids.len().checked_mul(dim) != Some(rows.len()) {
        let (numbers, ids) = (rows.len(), ids.len());
        let message = format!("{numbers} numbers for {ids} ids; expected {dim} for each, and dim to be at least 1");
        return Err(Error::new(Kind::Argument, message));
    }
    check_ids(ids, table.len() / dim)?;
    for (at, (&id, row)) in ids.iter().zip(rows.chunks_exact(dim)).enumerate() {
        if let Some(&later) = ids.get(at + AHEAD) {
            ask_for(&table[later as usize * dim..][..dim]);
        }
        let start = id as usize * dim;
        for (sum, &part) in table[start..start + dim].iter_mut().zip(row) {
            *sum += part;
        }
    }
    Ok(())
}

/// Begins to load a row.
fn ask_for<T>(row: &[T]) {
    row.iter().step_by(LINE / size_of::<T>()).for_each(prefetch);
}

/// Refuses ids that have no row, by the first of them.
fn check_ids(ids: &[u32], n_rows: usize) -> Result<()> {
    match ids.iter().position(|&id| id as usize >= n_rows) {
        None => Ok(()),
        Some(at) => {
            let message = format!("id {} has no row: the table has {n_rows}", ids[at]);
            Err(Error::new(Kind::UnknownId, message).in_source(format!("id number {at}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_add_up() {
        let mut table = [0.0f32; 6];
        scatter_add(&mut table, 2, &[0, 2, 0], &[1.0, 0.0, 0.0, 1.0, 1.0, 0.0]).unwrap();
        assert_eq!(table, [2.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn an_id_out_of_range_changes_nothing() {
        let mut table = [0.0f64; 4];
        let error = scatter_add(&mut table, 2, &[1, 2], &[1.0; 4]).unwrap_err();
        assert_eq!(error.to_string(), "id 2 has no row: the table has 2 (id number 1)");
        assert_eq!(table, [0.0; 4]);
    }

    #[test]
    fn lengths_must_fit() {
        for (dim, ids, numbers) in [(0, 1, 2), (3, 1, 3), (2, 2, 3), (2, 1, 4)] {
            let error = scatter_add(&mut [0.0f32; 4], dim, &vec![0; ids], &vec![1.0; numbers]).unwrap_err();
            assert_eq!(error.kind, Kind::Argument);
        }
        scatter_add(&mut [0.0f32; 4], 2, &[], &[]).unwrap();
    }
}
