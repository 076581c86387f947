//! SentencePiece's stages as stages of the `tokenizers` library, and the reverse.

use super::Loss;
use crate::error::{Error, Kind, Result};
use crate::spec::{Normalizer, Spec};

/// The same tokenizer with SentencePiece's stages.
///
/// # Errors
/// [`Kind::Loss`] if no such stages give the same ids.
pub(super) fn as_sentencepiece(spec: &Spec) -> Result<(Spec, Vec<Loss>)> {
    match &spec.normalizer {
        Some(Normalizer::SentencePiece { .. }) => Ok((spec.clone(), Vec::new())),
        _ => Err(Error::new(Kind::Loss, "a SentencePiece model cannot hold this tokenizer: it has other stages")),
    }
}
