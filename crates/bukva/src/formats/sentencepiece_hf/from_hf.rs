//! From stages of `tokenizers` to SentencePiece's.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Losses, pipeline};
use crate::error::{Error, Kind, Result};
use crate::formats::Loss;
use crate::formats::sentencepiece::pieces::{byte_value, merges};
use crate::formats::tiktoken::same_ids::first_difference;
use crate::model::bpe::canonical_pairs;
use crate::spec::{AddedToken, Alphabet, Bpe, Model, Normalizer, PieceKind, Pieces, Spec, Unigram, Vocab};

/// The same tokenizer with SentencePiece's stages. O(size + splits of the tokens).
///
/// # Errors
/// [`Kind::Loss`] if no SentencePiece model gives the same ids: other stages or another model, ids with holes, no
/// unknown token.
pub(in crate::formats) fn as_sentencepiece(spec: &Spec) -> Result<(Spec, Vec<Loss>)> {
    let mut losses = Losses::default();
    if matches!(spec.normalizer, Some(Normalizer::SentencePiece { .. })) {
        return Ok((spec.clone(), losses.0));
    }
    let Some(rules) = pipeline::rules(spec, &mut losses) else {
        return Err(impossible("its stages before the model are not those of SentencePiece"));
    };
    let table = Table::of(spec)?;
    note_added(spec, &mut losses);
    let decoder = pipeline::decoder(spec.decoder.as_ref(), &rules, &table.unk, &mut losses);
    let added_tokens = spec.added_tokens.iter().map(as_piece).collect();
    let model = match &spec.model {
        Model::Bpe(bpe) => Model::Bpe(table.bpe(bpe, &mut losses)?),
        Model::Unigram(unigram) => Model::Unigram(table.unigram(unigram, &mut losses)),
        Model::WordPiece(_) | Model::WordLevel(_) => return Err(impossible("its model is not BPE or Unigram")),
    };
    let normalizer = Normalizer::SentencePiece {
        charsmap: rules.charsmap,
        add_dummy_prefix: rules.add_dummy_prefix,
        remove_extra_whitespaces: rules.remove_extra_whitespaces,
        escape_whitespaces: rules.escape_whitespaces,
        whitespace_as_suffix: false,
    };
    let (normalizer, decoder) = (Some(normalizer), Some(decoder));
    let spec = Spec { normalizer, pretokenizer: None, model, added_tokens, decoder, ..spec.clone() };
    spec.validate()?;
    Ok((spec, losses.0))
}

fn note_added(spec: &Spec, losses: &mut Losses) {
    let flags = spec.added_tokens.iter().any(|token| token.lstrip || token.rstrip || token.single_word);
    losses.note(flags, "added tokens", "lstrip, rstrip and single_word have no place in a SentencePiece model");
    let detail = "SentencePiece does not cut the text at them before it is normalized";
    losses.note(spec.added_tokens.iter().any(|token| !token.special), "user-defined pieces", detail);
}

fn as_piece(token: &AddedToken) -> AddedToken {
    let (special, normalized) = (token.special, !token.special);
    AddedToken { special, normalized, ..AddedToken::special(token.content.clone(), token.id) }
}

/// The pieces in the order of their ids, which must be 0, 1, 2, ….
struct Table {
    vocab: Vocab,
    kinds: Vec<PieceKind>,
    unk: String,
    unk_id: u32,
}

impl Table {
    fn of(spec: &Spec) -> Result<Self> {
        let model = spec.model.vocab();
        let mut entries: Vec<(u32, &[u8])> = model.iter().map(|entry| (entry.id, entry.bytes)).collect();
        let known: FxHashSet<u32> = model.ids().iter().copied().collect();
        let outside = spec.added_tokens.iter().filter(|token| !known.contains(&token.id));
        entries.extend(outside.map(|token| (token.id, token.content.as_bytes())));
        entries.sort_unstable();
        if let Some((id, entry)) = (0_u32..).zip(&entries).find(|(id, (found, _))| id != found) {
            let what = if entry.0 < id { "two names" } else { "no token" };
            return Err(impossible(&format!("id {} has {what}, and pieces are numbered from 0", id.min(entry.0))));
        }
        let (unk, byte_fallback) = match &spec.model {
            Model::Bpe(bpe) => (bpe.unk, bpe.byte_fallback),
            Model::Unigram(unigram) => (unigram.unk, unigram.byte_fallback),
            Model::WordPiece(_) | Model::WordLevel(_) => (None, false),
        };
        let unk_id = unk.ok_or_else(|| impossible("it has no unknown token, and one piece must be unknown"))?;
        let kinds = kinds(&entries, spec, unk_id, byte_fallback)?;
        let unk = entries.get(unk_id as usize).map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        Ok(Table { vocab: entries.into_iter().collect(), kinds, unk: unk.unwrap_or_default(), unk_id })
    }

    /// A piece scores by the place of the one merge that makes it; what no merge makes comes last.
    fn bpe(&self, bpe: &Bpe, losses: &mut Losses) -> Result<Bpe> {
        let plain = bpe.alphabet == Alphabet::Chars && bpe.continuing_prefix.is_none() && bpe.end_of_word.is_none();
        if !plain {
            return Err(impossible("its BPE merges bytes, or marks the ends of words"));
        }
        losses.note(bpe.ignore_merges, "ignore_merges", "a piece that is a whole text is merged like any other");
        losses.note(bpe.dropout.is_some(), "dropout", "a SentencePiece model has no dropout");
        let unfused = !bpe.fuse_unk && !bpe.byte_fallback;
        losses.note(unfused, "fuse_unk", "a run of unknown characters is one unknown piece");
        let canonical = canonical_pairs(bpe)?;
        let mut place = FxHashMap::default();
        for merge in &canonical {
            let next = place.len() as u32;
            place.entry(merge.product).or_insert(next);
        }
        let (mut last, mut scores) = (place.len() as u32, Vec::with_capacity(self.kinds.len()));
        for (id, kind) in (0_u32..).zip(&self.kinds) {
            let place = match kind {
                PieceKind::Normal => place.get(&id).copied().unwrap_or_else(|| {
                    last += 1;
                    last - 1
                }),
                _ => 0,
            };
            scores.push(-(place as f32));
        }
        let merges = merges(&self.vocab, &self.kinds, &scores)?;
        let model =
            |merges| Bpe { byte_fallback: bpe.byte_fallback, ..Bpe::new(Alphabet::Chars, self.vocab.clone(), merges) };
        let ours = model(bpe.merges.to_vec());
        let difference = first_difference(&ours, &model(merges.clone()))?;
        let detail =
            "SentencePiece merges every pair that makes a piece, by the score of the piece: ids of some texts change";
        losses.note(difference.is_some(), "merges", detail);
        let pieces = Some(Pieces { kinds: self.kinds.clone(), scores });
        Ok(Bpe { unk: Some(self.unk_id), fuse_unk: true, pieces, ..model(merges) })
    }

    fn unigram(&self, unigram: &Unigram, losses: &mut Losses) -> Unigram {
        losses.note(true, "scores", "SentencePiece adds scores in single precision");
        let by_id: FxHashMap<u32, f64> =
            unigram.vocab.ids().iter().copied().zip(unigram.scores.iter().copied()).collect();
        let score = |id: &u32| by_id.get(id).copied().unwrap_or_default() as f32;
        let scores: Vec<f32> = self.vocab.ids().iter().map(score).collect();
        Unigram {
            vocab: self.vocab.clone(),
            scores: scores.iter().map(|&score| f64::from(score)).collect(),
            unk: Some(self.unk_id),
            byte_fallback: unigram.byte_fallback,
            pieces: Some(Pieces { kinds: self.kinds.clone(), scores }),
        }
    }
}

fn kinds(entries: &[(u32, &[u8])], spec: &Spec, unk: u32, byte_fallback: bool) -> Result<Vec<PieceKind>> {
    let special: FxHashMap<u32, bool> = spec.added_tokens.iter().map(|token| (token.id, token.special)).collect();
    let mut bytes = FxHashSet::default();
    let mut kinds = Vec::with_capacity(entries.len());
    for &(id, text) in entries {
        let Ok(text) = std::str::from_utf8(text) else {
            return Err(impossible(&format!("the token of id {id} is not text")));
        };
        let byte = byte_value(text).filter(|_| byte_fallback);
        bytes.extend(byte);
        kinds.push(match special.get(&id) {
            _ if id == unk => PieceKind::Unknown,
            Some(true) => PieceKind::Control,
            Some(false) => PieceKind::UserDefined,
            None if byte.is_some() => PieceKind::Byte,
            None => PieceKind::Normal,
        });
    }
    if byte_fallback && bytes.len() < 256 {
        return Err(impossible(&format!("of its byte tokens <0x00> to <0xFF> it has {}", bytes.len())));
    }
    Ok(kinds)
}

fn impossible(reason: &str) -> Error {
    let message =
        format!("a SentencePiece model cannot hold this tokenizer: {reason}; save it as tokenizer.json or .bukva");
    Error::new(Kind::Loss, message)
}
