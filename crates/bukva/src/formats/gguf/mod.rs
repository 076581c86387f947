//! The vocabulary of a `.gguf` file, the model format of llama.cpp. Read only.
//!
//! `docs/formats/gguf.md` describes what is read. [`wire`] reads values with every length checked, [`metadata`] finds
//! keys, [`tokens`] reads the table of tokens. Then one module for each kind of tokenizer: [`byte_bpe`],
//! [`sentencepiece`], [`wordpiece`].

mod byte_bpe;
mod ends;
mod kept;
mod metadata;
mod patterns;
mod read;
mod sentencepiece;
#[cfg(test)]
mod tests;
mod tokens;
mod wire;
mod wordpiece;

pub use read::{open_gguf, read_gguf};

/// How every file of the format begins.
pub const MAGIC: [u8; 4] = *b"GGUF";

/// The key of [`crate::Spec::unknown_fields`] under which the other fields of the tokenizer are kept.
const KEPT: &str = "gguf";
