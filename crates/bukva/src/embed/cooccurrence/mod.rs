//! How often words stand near each other: a sparse matrix with a row for each word.
//!
//! [`count`] goes over the numbers of a corpus several times, each time for a band of rows that its memory has room for.
//! Weights are whole numbers of a small unit, so sums are exact and do not depend on the order of adding.

mod bands;
mod counts;
mod job;
mod options;
mod rows;
mod stretch;
#[cfg(test)]
mod tests;
mod weights;

pub use counts::Cooccurrences;
pub use job::count;
pub use options::{CountOptions, Sides, Weighting};
