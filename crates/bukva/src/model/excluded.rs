//! Ids that a model never finds in a text: those of special tokens.

use rustc_hash::FxHashSet;

use crate::spec::{Spec, Vocab};

/// A set of ids that the text of a pre-token never becomes, though the vocabulary spells them. An unknown token among
/// them still stands for what has no token, and a byte token for its byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excluded(FxHashSet<u32>);

impl Excluded {
    /// No id: the model finds whatever it spells, as in the `tokenizers` library.
    pub fn none() -> Self {
        Self::default()
    }

    /// The special tokens of a specification. O(added tokens).
    pub fn special(spec: &Spec) -> Self {
        Excluded(spec.special_tokens().map(|token| token.id).collect())
    }

    /// Whether an id is never found. O(1).
    #[inline]
    pub fn has(&self, id: u32) -> bool {
        self.0.contains(&id)
    }

    /// Whether an entry of `vocab` is never found. O(entries).
    pub fn touches(&self, vocab: &Vocab) -> bool {
        !self.0.is_empty() && vocab.ids().iter().any(|&id| self.has(id))
    }

    /// Those that `keep` holds for.
    pub(in crate::model) fn filtered(&self, keep: impl Fn(u32) -> bool) -> Self {
        Excluded(self.0.iter().copied().filter(|&id| keep(id)).collect())
    }

    pub(in crate::model) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests;
