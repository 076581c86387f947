//! Vectors as text: a word and its numbers a line, as word2vec, GloVe and fastText write them.
//!
//! word2vec and fastText state rows and numbers in a first line; GloVe does not. Words may hold spaces: a line is
//! taken apart from its right end. The forms are described in `docs/formats/vectors-text.md`.

mod form;
mod line;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use form::{Form, Header, sniff};
pub use read::{TextTable, read};
pub use write::write_row;
