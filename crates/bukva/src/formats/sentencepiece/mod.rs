//! Models of SentencePiece (`.model`): one `ModelProto` message of Protocol Buffers.
//!
//! `docs/formats/sentencepiece.md` describes the format and what it cannot hold. [`wire`] reads fields, [`message`]
//! knows their meaning, [`envelope`] keeps what has no place in a specification, so that an unchanged model is
//! written back byte for byte.

mod envelope;
pub(super) mod folder;
mod message;
pub(super) mod pieces;
mod read;
#[cfg(test)]
mod tests;
mod wire;
mod write;

pub(super) use message::DEFAULT_SURFACE;
pub use read::read_sentencepiece;
pub use write::write_sentencepiece;

/// The key of [`crate::Spec::unknown_fields`] under which the rest of a model is kept.
pub(super) const KEPT: &str = "sentencepiece";
