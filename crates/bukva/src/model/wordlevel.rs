//! Whole words: each is one token, or unknown.

use memchr::memmem;
use rustc_hash::FxHashMap;

use super::cuts::MARK;
use super::text::{byte_of_token, no_token};
use super::{Excluded, TokenSpan};
use crate::error::Result;
use crate::spec::{PieceKind, WordLevel};

/// A compiled word-level model.
#[derive(Debug)]
pub struct WordLevelEncoder {
    ids: FxHashMap<Box<[u8]>, u32>,
    unk: Option<u32>,
    /// SentencePiece's rules, where the model follows them.
    sentences: Option<Sentences>,
}

/// SentencePiece's rules: a pre-token is a sentence, and each U+2581 in it begins a word.
#[derive(Debug)]
struct Sentences {
    /// Ids of the byte pieces, which spell unknown words where the model has them.
    bytes: Option<Box<[Option<u32>; 256]>>,
}

impl WordLevelEncoder {
    /// Compiles a model that finds no `excluded` id. O(bytes of the vocabulary).
    pub fn compile(model: &WordLevel, excluded: &Excluded) -> Self {
        let in_text = |index: usize| {
            let kind = model.pieces.as_ref().and_then(|pieces| pieces.kinds.get(index));
            !matches!(kind, Some(PieceKind::Control | PieceKind::Unknown | PieceKind::Byte))
        };
        let found = model.vocab.iter().enumerate().filter(|&(index, _)| in_text(index));
        let found = found.filter(|(_, entry)| !excluded.has(entry.id));
        let ids = found.map(|(_, entry)| (entry.bytes.into(), entry.id)).collect();
        let has_bytes = |kinds: &[PieceKind]| kinds.contains(&PieceKind::Byte);
        let sentences = model
            .pieces
            .as_ref()
            .map(|pieces| Sentences { bytes: has_bytes(&pieces.kinds).then(|| byte_pieces(model)) });
        WordLevelEncoder { ids, unk: model.unk, sentences }
    }

    /// Tells `emit` the tokens of a pre-token with their places: one, or with SentencePiece's rules one a word, where a
    /// run of unknown words is one unknown token, or is spelled in byte pieces. O(bytes).
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] if a word has no token and the model no unknown token, with the word's offset.
    pub fn tokens(&self, piece: &[u8], emit: &mut impl FnMut(TokenSpan)) -> Result<()> {
        let Some(sentences) = &self.sentences else {
            let id = self.ids.get(piece).copied().map_or_else(|| self.unknown(piece, 0), Ok)?;
            emit(token(id, 0, piece.len()));
            return Ok(());
        };
        let mut unknown: Option<(u32, usize, usize)> = None;
        let close = |unknown: &mut Option<(u32, usize, usize)>, emit: &mut dyn FnMut(TokenSpan)| {
            unknown.take().into_iter().for_each(|(id, start, end)| emit(token(id, start, end)));
        };
        let mut start = 0;
        while start < piece.len() {
            let end = word_end(piece, start);
            let word = &piece[start..end];
            match (self.ids.get(word), &sentences.bytes) {
                (Some(&id), _) => {
                    close(&mut unknown, emit);
                    emit(token(id, start, end));
                }
                (_, Some(bytes)) => self.spell(word, start, bytes, emit)?,
                (_, None) => {
                    let first = unknown.map_or(start, |run| run.1);
                    unknown = Some((self.unknown(word, start)?, first, end));
                }
            }
            start = end;
        }
        close(&mut unknown, emit);
        Ok(())
    }

    /// Spells a word in byte pieces; the last one has its place, and the others an empty one before it.
    fn spell(
        &self,
        word: &[u8],
        start: usize,
        bytes: &[Option<u32>; 256],
        emit: &mut impl FnMut(TokenSpan),
    ) -> Result<()> {
        for (number, &byte) in (1..).zip(word) {
            let id = bytes[usize::from(byte)].map_or_else(|| self.unknown(word, start), Ok)?;
            emit(token(id, start, if number < word.len() { start } else { start + word.len() }));
        }
        Ok(())
    }

    fn unknown(&self, word: &[u8], at: usize) -> Result<u32> {
        self.unk.ok_or_else(|| no_token(word, at))
    }
}

/// The end of the word that begins at `start`: the next mark behind that place.
fn word_end(sentence: &[u8], start: usize) -> usize {
    let from = start + 1;
    memmem::find(&sentence[from..], MARK).map_or(sentence.len(), |at| from + at)
}

fn byte_pieces(model: &WordLevel) -> Box<[Option<u32>; 256]> {
    let mut ids = Box::new([None; 256]);
    for entry in model.vocab.iter() {
        if let Some(byte) = byte_of_token(entry.bytes) {
            ids[usize::from(byte)] = Some(entry.id);
        }
    }
    ids
}

fn token(id: u32, start: usize, end: usize) -> TokenSpan {
    TokenSpan { id, start: start as u32, end: end as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Pieces, Vocab};

    fn places(kinds: Option<&[PieceKind]>, text: &str) -> Vec<(u32, u32, u32)> {
        let words: [&[u8]; 4] = ["<unk>".as_bytes(), "▁a".as_bytes(), b"<0x62>", "<0xE2>".as_bytes()];
        let vocab: Vocab = (0..).zip(words).collect();
        let pieces = kinds.map(|kinds| Pieces { kinds: kinds.to_vec(), scores: vec![0.0; 4] });
        let encoder = WordLevelEncoder::compile(&WordLevel { vocab, unk: Some(0), pieces }, &Excluded::none());
        let mut found = Vec::new();
        encoder.tokens(text.as_bytes(), &mut |token| found.push((token.id, token.start, token.end))).unwrap();
        found
    }

    #[test]
    fn a_pre_token_is_one_token() {
        assert_eq!(places(None, "▁a"), [(1, 0, 4)]);
        assert_eq!(places(None, "▁a▁a"), [(0, 0, 8)]);
    }

    #[test]
    fn a_sentence_has_words_and_runs_of_unknown_ones() {
        use PieceKind::{Byte, Normal, Unknown};
        let words = [Unknown, Normal, Normal, Normal];
        assert_eq!(places(Some(&words), "b▁a▁b▁▁a▁c"), [(0, 0, 1), (1, 1, 5), (0, 5, 12), (1, 12, 16), (0, 16, 20)]);
        assert_eq!(places(Some(&words), ""), []);
        assert_eq!(places(Some(&[Unknown, Normal, PieceKind::Control, Normal]), "<0x62>"), [(0, 0, 6)]);
        let bytes = [Unknown, Normal, Byte, Byte];
        assert_eq!(places(Some(&bytes), "bb▁a"), [(2, 0, 0), (2, 0, 2), (1, 2, 6)]);
    }
}
