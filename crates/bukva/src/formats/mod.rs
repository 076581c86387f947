//! Bytes ↔ [`crate::Spec`], with every loss named.
//!
//! - [`image`]: bukva's own file, lossless and checked;
//! - [`tiktoken`]: rank files, with [`encodings`] that supply what those do not hold;
//! - [`hf`]: `tokenizer.json`, its folder, and `vocab.json` with `merges.txt`;
//! - [`sentencepiece`]: models of SentencePiece;
//! - [`gguf`]: the vocabulary of a model file of llama.cpp, read only;
//! - [`tekken`]: `tekken.json` of Mistral;
//! - [`detect`]: which reader a file needs; [`load`]: from a path to a specification, [`open`]: to a tokenizer;
//! - [`save`]: files written whole or not at all.
//!
//! Readers take bytes and return a specification or an error that names the place. Writers return [`Written`]: the
//! files and what they could not hold. Nothing is guessed.

#[cfg(test)]
mod arbitrary;
pub mod detect;
pub mod encodings;
mod folder;
pub mod gguf;
pub mod hf;
pub mod image;
mod json;
pub mod load;
mod losses;
mod open;
pub mod save;
pub mod sentencepiece;
mod sentencepiece_hf;
pub mod store;
pub mod tekken;
pub mod tiktoken;
mod written;

pub use load::load;
pub use open::open;
pub use store::save;
pub use written::{File, Loss, Written};
