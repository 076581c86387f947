//! A table of bytes and the bounds of its cosines.

use super::bounds::{Bounds, GROUP, Query};
use super::dot::{LANES, dots};
use crate::error::{Error, Kind, Result};

/// Greatest code; the least is its opposite.
const TOP: f32 = 127.0;
/// Longest row for which a sum of products of codes surely fits `i32`.
const LONGEST: usize = i32::MAX as usize / (127 * 127);

/// Rows at length 1, a byte a number, each with its scale and the length of what rounding took away.
#[derive(Debug)]
pub struct Codes {
    /// Rows, padded with zeros to a multiple of [`LANES`].
    codes: Vec<i8>,
    scales: Vec<f32>,
    rests: Vec<f32>,
    dim: usize,
    stride: usize,
}

impl Codes {
    /// Codes of a table of rows of `dim` finite numbers; a row of zeros has the cosine 0 to everything.
    /// O(numbers) time; a quarter of the memory of the table.
    ///
    /// # Errors
    /// [`Kind::Argument`] if the numbers are no whole rows, or a row is longer than 133,000.
    pub fn new(matrix: &[f32], dim: usize) -> Result<Self> {
        if dim == 0 || dim > LONGEST || !matrix.len().is_multiple_of(dim) {
            let message = format!("{} numbers do not make up rows of {dim}; a row has 1 to {LONGEST}", matrix.len());
            return Err(Error::new(Kind::Argument, message));
        }
        let stride = dim.next_multiple_of(LANES);
        let rows = matrix.len() / dim;
        let mut codes = vec![0; rows * stride];
        let (mut scales, mut rests) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for (row, out) in matrix.chunks_exact(dim).zip(codes.chunks_exact_mut(stride)) {
            let (scale, rest) = encode(row, out);
            scales.push(scale);
            rests.push(rest);
        }
        Ok(Codes { codes, scales, rests, dim, stride })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Rows that may be among the `k` of greatest cosine to `query`, in order; `excluded` ones, and those from `among`
    /// on, are left out. No row that is among them is missing. O(rows · dim).
    ///
    /// # Errors
    /// [`Kind::Argument`] if the query has another length than a row.
    pub fn candidates(&self, query: &[f32], k: usize, among: usize, excluded: &[usize]) -> Result<Vec<usize>> {
        if query.len() != self.dim {
            let message = format!("the query has {} numbers, a row {}", query.len(), self.dim);
            return Err(Error::new(Kind::Argument, message));
        }
        let rows = among.min(self.len());
        let mut codes = vec![0_i8; self.stride];
        let (scale, rest) = encode(query, &mut codes);
        let wide: Vec<i16> = codes.iter().map(|&code| i16::from(code)).collect();
        let query = Query { scale, rest };
        let mut bounds = Bounds::with_capacity(rows);
        let mut sums = [0; GROUP];
        for start in (0..rows).step_by(GROUP) {
            let end = rows.min(start + GROUP);
            let sums = &mut sums[..end - start];
            dots(&self.codes[start * self.stride..end * self.stride], &wide, sums);
            bounds.push(query, sums, &self.scales[start..end], &self.rests[start..end], excluded);
        }
        Ok(bounds.possible(k))
    }
}

/// Writes the codes of a row at length 1; returns their scale and the length of what they leave out.
fn encode(row: &[f32], out: &mut [i8]) -> (f32, f32) {
    let length = row.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    let greatest = row.iter().fold(0.0_f64, |most, &x| most.max(f64::from(x).abs()));
    if greatest == 0.0 {
        return (0.0, 0.0);
    }
    let scale = greatest / length / f64::from(TOP);
    let mut rest = 0.0;
    for (code, &x) in out.iter_mut().zip(row) {
        let unit = f64::from(x) / length;
        let rounded = (unit / scale).round();
        // At most 127 by the choice of the scale; casts of floats saturate.
        *code = rounded as i8;
        rest += (unit - rounded * scale).powi(2);
    }
    (scale as f32, rest.sqrt() as f32)
}
