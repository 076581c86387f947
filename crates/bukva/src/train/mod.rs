//! Training: documents → weighted pre-tokens → a vocabulary.
//!
//! - [`count`]: the blocks of a corpus → pre-tokens, on many threads; [`table`] holds the counts of each;
//! - [`words`]: the result, and the only thing that training sees of a corpus;
//! - [`tie_break`]: which of several pairs with the same count comes first;
//! - [`bpe`]: byte-pair encoding; [`wordlevel`]: whole pre-tokens;
//! - [`spec`]: from the result to a whole tokenizer.

pub mod bpe;
pub mod count;
pub mod spec;
pub mod table;
pub mod tie_break;
pub mod wordlevel;
pub mod words;

pub use bpe::{BpeOptions, Limit, StopReason, Trained, train_bpe};
pub use spec::assemble;
pub use table::{Batch, WordTable};
pub use tie_break::TieBreak;
pub use words::{Word, Words};
