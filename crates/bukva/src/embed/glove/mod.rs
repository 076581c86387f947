//! GloVe: vectors whose products are the logarithms of co-occurrences.
//!
//! For each cell x of a matrix of co-occurrences, word i and context j: the loss is f(x)/2 · (w·c + b + b' - ln x)² with
//! f(x) = min(1, (x/x_max)^α). Words and contexts have a vector and a bias each.
//!
//! Sources: J. Pennington, R. Socher, C. Manning, *GloVe: Global Vectors for Word Representation*, 2014; J. Duchi,
//! E. Hazan, Y. Singer, *Adaptive Subgradient Methods*, 2011 (AdaGrad).

mod biases;
mod cells;
mod job;
mod kernel;
mod memory;
mod options;
mod tables;
#[cfg(test)]
mod tests;

pub use job::{GloveStart, GloveTrained, train};
pub use memory::GloveMemory;
pub use options::GloveOptions;
