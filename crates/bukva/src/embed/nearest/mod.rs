//! Rows near a direction by cosine: a scan of one byte a number finds the few that can be among the nearest.
//!
//! A query against a table of floats waits for memory: 33 MB for 83,578 rows of 100 numbers. Here every row is kept at
//! length 1 in bytes, with the length of what rounding took away. That bounds the error of each cosine, so rows that
//! cannot be among the `k` nearest are left out and none that can is; the caller computes the others exactly.

mod bounds;
mod codes;
mod dot;
#[cfg(test)]
mod tests;

pub use codes::Codes;
