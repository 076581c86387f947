//! The compiled vocabulary of a Unigram model.

use super::json_score::as_read;
use crate::model::Excluded;
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
    /// What each entry adds to a sum in the search for the best path.
    pub scores: Box<[f64]>,
    /// The same in the lattice of all paths, where that is something else: SentencePiece counts the characters of a
    /// user-defined piece there, and its bytes in the search.
    lattice_scores: Option<Box<[f64]>>,
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
    /// Compiles a vocabulary without the `excluded` ids, whose scores still count for the unknown one. Of equal pieces the
    /// last counts. O(n log n) for n bytes.
    pub(super) fn compile(model: &Unigram, excluded: &Excluded) -> Self {
        let kind = |index: usize| match &model.pieces {
            Some(pieces) => pieces.kinds.get(index).copied().unwrap_or(PieceKind::Normal),
            None => PieceKind::Normal,
        };
        let found = |index: &usize| matches!(kind(*index), PieceKind::Normal | PieceKind::UserDefined);
        let sentencepiece = model.pieces.is_some();
        let read = |score: f64| if sentencepiece { score } else { as_read(score) };
        let numbers: Vec<f64> = model.scores.iter().map(|&score| read(score)).collect();
        let scored = (0..model.vocab.len()).filter(|&index| kind(index) == PieceKind::Normal);
        let low = lowest(scored.filter_map(|index| numbers.get(index).copied()));
        let keys = (0..model.vocab.len()).filter(found).filter(|&index| !excluded.has(model.vocab.ids()[index]));
        let keys = keys.map(|index| (model.vocab.entry(index).bytes, index as u32));
        let scores = |user_defined: &dyn Fn(&[u8]) -> f64| -> Box<[f64]> {
            let score = |index: usize| match kind(index) {
                PieceKind::UserDefined => user_defined(model.vocab.entry(index).bytes),
                _ => numbers.get(index).copied().unwrap_or(0.0),
            };
            (0..model.vocab.len()).map(score).collect()
        };
        let has_user_defined = (0..model.vocab.len()).any(|index| kind(index) == PieceKind::UserDefined);
        let unk_entry = model.vocab.iter().position(|entry| Some(entry.id) == model.unk);
        Entries {
            trie: Trie::build(keys.collect()),
            ids: model.vocab.ids().into(),
            scores: scores(&|piece| user_defined_score(piece.len())),
            lattice_scores: has_user_defined.then(|| scores(&|piece| user_defined_score(chars(piece)))),
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

    /// What an entry adds to a sum in the lattice.
    #[inline]
    pub(super) fn lattice_score(&self, entry: u32) -> f64 {
        self.lattice_scores.as_ref().unwrap_or(&self.scores)[entry as usize]
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

/// SentencePiece's score of a user-defined piece, which makes it win over any other way to spell it where scores are
/// logarithms of probabilities. Release 0.2.3 was asked; earlier ones had other numbers.
fn user_defined_score(length: usize) -> f64 {
    f64::from((0.1 * (length as f64 - 1.0)) as f32)
}

/// The number of characters of a piece.
fn chars(piece: &[u8]) -> usize {
    piece.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// The lowest score; the highest number there is where there are none.
fn lowest(scores: impl Iterator<Item = f64>) -> f64 {
    let low = scores.fold(f64::INFINITY, f64::min);
    if low.is_finite() { low } else { f64::from(f32::MAX) }
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
