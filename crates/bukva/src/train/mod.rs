//! Training: documents → weighted pre-tokens → a vocabulary.
//!
//! - [`table`] counts pre-tokens; [`words`] is the result, and the only thing that training sees of a corpus;
//! - [`tie_break`]: which of several pairs with the same count comes first;
//! - [`bpe`]: byte-pair encoding.

pub mod bpe;
pub mod table;
pub mod tie_break;
pub mod words;

pub use bpe::{BpeOptions, Limit, StopReason, Trained, train_bpe};
pub use table::WordTable;
pub use tie_break::TieBreak;
pub use words::{Word, Words};
