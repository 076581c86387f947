//! Whole pre-tokens: each is one token, or unknown.

use rustc_hash::FxHashMap;

use crate::error::{Error, Kind, Result, shown};
use crate::spec::WordLevel;

/// A compiled word-level model.
#[derive(Debug)]
pub struct WordLevelEncoder {
    ids: FxHashMap<Box<[u8]>, u32>,
    unk: Option<u32>,
}

impl WordLevelEncoder {
    /// Compiles a model. O(bytes of the vocabulary).
    pub fn compile(model: &WordLevel) -> Self {
        let ids = model.vocab.iter().map(|entry| (entry.bytes.into(), entry.id)).collect();
        WordLevelEncoder { ids, unk: model.unk }
    }

    /// The id of the pre-token `text[from..to]`, or the unknown token's. O(bytes).
    ///
    /// # Errors
    /// [`Kind::UnknownCharacter`] if the pre-token has no token and the model no unknown token; its offset is `from`.
    pub fn encode(&self, text: &[u8], from: usize, to: usize) -> Result<u32> {
        let piece = &text[from..to];
        self.ids.get(piece).copied().or(self.unk).ok_or_else(|| {
            let message = format!("{} has no token and the tokenizer has no unknown token", shown(piece));
            Error::new(Kind::UnknownCharacter, message).at_byte(from as u64)
        })
    }
}
