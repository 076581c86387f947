//! Training: documents → weighted pre-tokens → a vocabulary.
//!
//! - [`count`]: documents → weighted pre-tokens, on any number of threads;
//! - [`table`]: counts pre-tokens; [`words`]: the result, the only thing that training sees of a corpus.

pub mod count;
pub mod table;
pub mod words;

pub use count::{CountReport, Counted, Split, count};
pub use table::WordTable;
pub use words::{Word, Words};
