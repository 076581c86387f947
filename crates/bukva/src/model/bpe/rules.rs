//! What a model asks for beside merging: places to cut, pieces that are taken before, ties between merges.

use super::general::General;
use crate::model::cuts::{Cuts, MARK};
use crate::model::ids::IdSet;
use crate::model::lookup::MediumKey;
use crate::model::trie::Trie;
use crate::model::{Excluded, Span, byte_of_token, char_len};
use crate::spec::{Alphabet, Bpe, PieceKind};

/// The rules of one model.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Where a long piece can be cut.
    cuts: Option<Cuts>,
    /// User-defined pieces: the longest at each place is taken whole, before any merge.
    frozen: Option<Trie>,
    /// Merging where the table of pairs does not serve.
    pub general: Option<General>,
}

impl Rules {
    /// The rules of a model; `excluded` pieces are not taken whole. O(vocabulary + merges).
    pub(super) fn of(bpe: &Bpe, excluded: &Excluded) -> Self {
        let general = General::needed(bpe).then(|| General::of(bpe, excluded));
        let cuts = can_be_cut(bpe).then(|| cuts(bpe));
        Rules { cuts, frozen: frozen(bpe, excluded), general }
    }

    /// Whether merges give way to these rules, so that they cannot be shown step by step.
    pub(super) fn hide_steps(&self) -> bool {
        self.general.is_some() || self.frozen.is_some()
    }

    /// Whether pieces can be cut, and nothing is taken before merges.
    pub(super) fn only_merge(&self) -> bool {
        self.cuts.is_some() && self.frozen.is_none()
    }

    /// Whether a piece may have several parts.
    #[inline]
    pub(super) fn divide(&self, piece: &[u8]) -> bool {
        self.frozen.is_some() || self.cuts.is_some() && piece.len() > MediumKey::LONGEST
    }

    /// The parts of `piece`, valid UTF-8, which merge apart from each other.
    pub(super) fn parts<'a>(&'a self, piece: &'a [u8]) -> Parts<'a> {
        let mut parts = Parts { rules: self, piece, at: 0, frozen: None };
        parts.find_frozen();
        parts
    }

    /// Whether a user-defined piece is somewhere in `token`, other than all of it.
    pub(super) fn breaks(&self, token: &[u8]) -> bool {
        self.frozen.is_some() && self.parts(token).next().is_some_and(|part| part != (0, token.len()))
    }

    /// The id of a piece that is user-defined.
    pub(super) fn frozen_id(&self, piece: &[u8]) -> Option<u32> {
        self.frozen.as_ref()?.get(piece)
    }
}

/// The parts of a piece in order: user-defined pieces, and what lies between them, cut further where that is possible.
pub(super) struct Parts<'a> {
    rules: &'a Rules,
    piece: &'a [u8],
    at: usize,
    /// The next user-defined piece.
    frozen: Option<Span>,
}

impl Parts<'_> {
    /// Looks for a user-defined piece from the current place on.
    fn find_frozen(&mut self) {
        let Some(trie) = &self.rules.frozen else { return };
        let mut start = self.at;
        while start < self.piece.len() {
            let mut longest = 0;
            trie.prefixes(&self.piece[start..], |length, _| longest = length);
            if longest > 0 {
                self.frozen = Some((start, start + longest));
                return;
            }
            start += char_len(self.piece, start);
        }
        self.frozen = None;
    }
}

impl Iterator for Parts<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let start = self.at;
        if start >= self.piece.len() {
            return None;
        }
        if let Some(place) = self.frozen.filter(|place| place.0 == start) {
            self.at = place.1;
            self.find_frozen();
            return Some(place);
        }
        let stretch = &self.piece[..self.frozen.map_or(self.piece.len(), |place| place.0)];
        self.at = self.rules.cuts.as_ref().map_or(stretch.len(), |cuts| cuts.next(stretch, start));
        Some((start, self.at))
    }
}

fn frozen(bpe: &Bpe, excluded: &Excluded) -> Option<Trie> {
    let kinds = &bpe.pieces.as_ref()?.kinds;
    let found = bpe.vocab.iter().zip(kinds).filter(|(_, kind)| **kind == PieceKind::UserDefined);
    let found = found.filter(|(entry, _)| !excluded.has(entry.id));
    let keys: Vec<_> = found.map(|(entry, _)| (entry.bytes, entry.id)).collect();
    (!keys.is_empty()).then(|| Trie::build(keys))
}

/// Whether what is on one side of a cut never changes what is on the other. A symbol must depend on its character
/// alone. The mark must have a token, so that no run of unknown characters goes on across a cut; what stands for
/// unknown characters must not be merged; no piece may be looked up whole; and no unused piece may be resegmented, for
/// SentencePiece does that as the last pair of the whole text says.
fn can_be_cut(bpe: &Bpe) -> bool {
    let unused = bpe.pieces.as_ref().is_some_and(|pieces| pieces.kinds.contains(&PieceKind::Unused));
    let plain = bpe.continuing_prefix.is_none() && bpe.end_of_word.is_none() && !bpe.ignore_merges;
    if bpe.alphabet != Alphabet::Chars || !plain || unused {
        return false;
    }
    let mut mark = false;
    let mut substitutes: IdSet = bpe.unk.into_iter().collect();
    for entry in bpe.vocab.iter() {
        mark |= entry.bytes == MARK;
        if bpe.byte_fallback && byte_of_token(entry.bytes).is_some() {
            substitutes.insert(entry.id);
        }
    }
    let clean = |id: u32| !substitutes.contains(id);
    mark && (substitutes.is_empty() || bpe.merges.iter().all(|merge| clean(merge.left) && clean(merge.right)))
}

/// A merge joins the last character of its left part with the first of its right part, and no other merge changes what
/// stands on both sides of a place between two characters. So a place is never inside a token if no merge joins the two.
fn cuts(bpe: &Bpe) -> Cuts {
    let marked = bpe.vocab.iter().filter(|entry| entry.bytes.starts_with(MARK)).map(|entry| entry.id);
    let marked: IdSet = marked.collect();
    let before = bpe.merges.iter().filter(|merge| marked.contains(merge.right)).map(|merge| merge.left);
    let before: IdSet = before.collect();
    let joined = bpe.vocab.iter().filter(|entry| before.contains(entry.id));
    Cuts::new(joined.filter_map(|entry| std::str::from_utf8(entry.bytes).ok()?.chars().next_back()))
}
