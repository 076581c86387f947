//! Training: documents → weighted pre-tokens → a vocabulary.
//!
//! - [`table`]: counts pre-tokens; [`words`]: the result, the only thing that training sees of a corpus.

pub mod table;
pub mod words;

pub use table::WordTable;
pub use words::{Word, Words};
