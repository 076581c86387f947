//! Training vectors by context: words that stand in the same contexts get vectors that are near.
//!
//! - [`read_corpus`]: documents → [`Corpus`], the words as numbers by falling frequency;
//! - [`train`]: a corpus → vectors. Windows of a part of the corpus become steps of the `kernel`, which is compiled for
//!   the registers (`lanes`) of each kind of processor.

mod composed;
pub(super) mod ids;
mod interner;
mod job;
mod kernel;
pub(super) mod lanes;
mod letters;
pub(super) mod matrix;
mod memory;
mod noise;
mod options;
mod piece;
pub(super) mod random;
mod reading;
mod schedule;
mod subsample;
mod tree;
mod vocabulary;
mod windows;
mod words;

pub use job::{Known, Start, Trained, train};
pub use memory::MemoryEstimate;
pub use options::{Method, Negatives, TrainOptions};
pub use reading::{Corpus, CorpusReport, read_corpus};
pub use tree::{Link, TOP, Tree, grow};
pub use vocabulary::Vocabulary;
pub use words::{WORD_PATTERN, Words};
