//! The compiled vocabulary of a Unigram model.

use crate::model::trie::Trie;
use crate::spec::{PieceKind, Unigram};

/// Stands for a character without a piece of its own, where an entry is expected.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// How much less an unknown character scores than the lowest piece. The same in both libraries.
const PENALTY: f64 = 10.0;

/// The pieces that are found in text, with their scores and ids.
#[derive(Debug)]
pub(super) struct Entries {
    /// Piece → index of the entry.
    pub trie: Trie,
    pub ids: Box<[u32]>,
    /// What each entry adds to a sum.
    pub scores: Box<[f64]>,
    pub unknown_score: f64,
    pub unk: Option<u32>,
    /// The entry that the unknown token is, where its text is found like any other.
    pub unk_entry: Option<u32>,
    /// Ids of the byte pieces, where the model falls back to them and all are there.
    pub bytes: Option<Box<[Option<u32>; 256]>>,
    /// SentencePiece's rules.
    pub sentencepiece: bool,
}

impl Entries {
    /// Compiles a vocabulary. Of equal pieces the last counts. O(n log n) for n bytes.
    pub(super) fn compile(model: &Unigram) -> Self {
        let kind = |index: usize| match &model.pieces {
            Some(pieces) => pieces.kinds.get(index).copied().unwrap_or(PieceKind::Normal),
            None => PieceKind::Normal,
        };
        let found = |index: &usize| matches!(kind(*index), PieceKind::Normal | PieceKind::UserDefined);
        let scored = (0..model.vocab.len()).filter(|&index| kind(index) == PieceKind::Normal);
        let (low, high) = range(scored.filter_map(|index| model.scores.get(index).copied()));
        let keys = (0..model.vocab.len()).filter(found).map(|index| (model.vocab.entry(index).bytes, index as u32));
        let score = |index: usize| match kind(index) {
            PieceKind::UserDefined => user_defined_score(model.vocab.entry(index).bytes.len(), high),
            _ => model.scores.get(index).copied().unwrap_or(0.0),
        };
        let sentencepiece = model.pieces.is_some();
        let unk_entry = model.vocab.iter().position(|entry| Some(entry.id) == model.unk);
        Entries {
            trie: Trie::build(keys.collect()),
            ids: model.vocab.ids().into(),
            scores: (0..model.vocab.len()).map(score).collect(),
            unknown_score: sum(sentencepiece, low, -PENALTY),
            unk: model.unk,
            unk_entry: unk_entry.map(|index| index as u32).filter(|_| !sentencepiece),
            bytes: model.byte_fallback.then(|| byte_pieces(model)),
            sentencepiece,
        }
    }

    /// Adds a score to a sum, in the precision of the rules.
    #[inline]
    pub(super) fn add(&self, total: f64, score: f64) -> f64 {
        sum(self.sentencepiece, total, score)
    }

    /// Whether an entry of a path stands for an unknown character.
    #[inline]
    pub(super) fn is_unknown(&self, entry: u32) -> bool {
        entry == UNKNOWN || Some(entry) == self.unk_entry
    }
}

/// A sum, rounded to single precision with SentencePiece's rules. Adding two single numbers in double precision and
/// rounding once gives the single sum, so one function serves both.
#[inline]
pub(super) fn sum(single: bool, left: f64, right: f64) -> f64 {
    let total = left + right;
    if single { f64::from(total as f32) } else { total }
}

/// SentencePiece's bonus, which makes a user-defined piece win over any other way to spell it.
fn user_defined_score(bytes: usize, high: f64) -> f64 {
    f64::from((f64::from(bytes as f32 * high as f32) - 0.1) as f32)
}

/// The lowest and the highest score. SentencePiece starts the search for the highest at the smallest positive number,
/// so that is the highest where all are negative.
fn range(scores: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::from(f32::MIN_POSITIVE));
    let (low, high) = scores.fold(start, |(low, high), score| (score.min(low), score.max(high)));
    (if low.is_finite() { low } else { f64::from(f32::MAX) }, high)
}

fn byte_pieces(model: &Unigram) -> Box<[Option<u32>; 256]> {
    let mut ids = Box::new([None; 256]);
    for entry in model.vocab.iter() {
        if let Some(byte) = crate::model::byte_of_token(entry.bytes) {
            ids[usize::from(byte)] = Some(entry.id);
        }
    }
    ids
}
