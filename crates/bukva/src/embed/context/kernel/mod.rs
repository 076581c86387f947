//! The step that training consists of: some inputs against some outputs, one of them or more right, the others noise.
//!
//! For each input x and output y: the score s = x·y, the probability p = σ(s) of "right", the gradient of the log
//! likelihood (1 - p for a right output, -p for noise). All gradients are those of the scores before the step. The
//! vectors of a window stay in the first-level cache, and outputs in registers, which is what makes it fast.
//!
//! Sources: T. Mikolov et al. 2013 (the model); S. Ji et al., *Parallelizing Word2Vec in Shared and Distributed
//! Memory*, 2016 (negatives shared by a window as small matrix products).

mod blocks;
mod choice;
mod columns;
mod gradients;
mod loss;
mod pairs;
#[cfg(test)]
mod plain;
mod sums;
#[cfg(test)]
mod tests;

pub(super) use choice::Kernel;
pub(super) use columns::Columns;
pub(super) use loss::Loss;
pub(super) use pairs::{Scratch, Step};
pub(super) use sums::Sums;
