//! Positive pointwise mutual information as a sparse matrix, and its products with dense ones.
//!
//! [`Ppmi::new`] makes it of counts; [`Ppmi::times`] and [`Ppmi::transposed_times`] are what finding its largest singular
//! vectors needs.
//!
//! Sources: O. Levy, Y. Goldberg, *Neural Word Embedding as Implicit Matrix Factorization*, 2014; O. Levy, Y. Goldberg,
//! I. Dagan, *Improving Distributional Similarity with Lessons Learned from Word Embeddings*, 2015.

mod matrix;
mod product;
#[cfg(test)]
mod tests;

pub use matrix::{Ppmi, PpmiOptions};
