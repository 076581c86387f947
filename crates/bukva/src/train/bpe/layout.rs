//! From a training run to a vocabulary: which id is which token.

use super::engine::Chosen;
use super::options::BpeOptions;
use super::stop::StopReason;
use super::tokens::Tokens;
use crate::spec::{Merge, Vocab};

/// A trained vocabulary.
///
/// Ids are dense from 0. Under `huggingface` and `sentencepiece`: special tokens, alphabet, products; the special
/// tokens are entries of the vocabulary. Under `first_seen` and `raw_bytes`: alphabet, products, special tokens; the
/// special tokens are not entries of the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trained {
    /// Tokens and ids, by id.
    pub vocab: Vocab,
    /// Merges in the order in which they were chosen; the rank is the index.
    pub merges: Vec<Merge>,
    /// Occurrences of each merge's pair when it was chosen, overlapping ones included.
    pub counts: Vec<u64>,
    /// Special tokens with their ids.
    pub special_tokens: Vec<(String, u32)>,
    /// Id of the unknown token.
    pub unk: Option<u32>,
    /// Why training ended.
    pub stopped: StopReason,
}

pub(super) fn lay_out(options: &BpeOptions, tokens: &Tokens, chosen: &[Chosen], stopped: StopReason) -> Trained {
    let vocab: Vocab = (0..tokens.len() as u32).map(|id| (id, tokens.bytes(id))).collect();
    let merge = |(rank, chosen): (usize, &Chosen)| Merge {
        rank: rank as u32,
        left: chosen.pair.left,
        right: chosen.pair.right,
        product: chosen.product,
    };
    let first = if options.tie_break.specials_first() { 0 } else { tokens.len() as u32 };
    let specials = options.specials();
    let special_tokens: Vec<_> = specials.iter().map(|token| token.to_string()).zip(first..).collect();
    let unk = options.unk_token.as_ref().and_then(|unk| special_tokens.iter().find(|token| token.0 == *unk));
    Trained {
        vocab,
        merges: chosen.iter().enumerate().map(merge).collect(),
        counts: chosen.iter().map(|chosen| chosen.count).collect(),
        unk: unk.map(|token| token.1),
        special_tokens,
        stopped,
    }
}
