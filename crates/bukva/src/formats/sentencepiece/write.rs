//! Specification → model file.

use super::KEPT;
use super::envelope::{Envelope, Known, Part, filled, put_piece};
use super::message::{
    ADD_DUMMY_PREFIX, Algorithm, BYTE_FALLBACK, CHARSMAP, DEFAULT_SURFACE, DENORMALIZER, ESCAPE_WHITESPACES,
    MODEL_TYPE, NAME, NORMALIZER, PIECES, REMOVE_EXTRA_WHITESPACES, TRAINER, UNK_ID, UNK_PIECE, UNK_SURFACE,
    VOCAB_SIZE, WHITESPACE_AS_SUFFIX, read_piece, read_trainer,
};
use super::wire::{Fields, put_bytes};
use crate::error::{Error, Kind, Result};
use crate::formats::losses::unknown_fields;
use crate::formats::sentencepiece_hf::as_sentencepiece;
use crate::formats::{Loss, Written};
use crate::spec::{Decoder, Model, Normalizer, PieceKind, Pieces, Spec, Vocab};

/// Writes a SentencePiece model. O(size).
///
/// A model that was read and not changed gives the same bytes. A tokenizer of another origin is put as a SentencePiece
/// model first, where one gives the same ids; what differs is a named loss.
///
/// # Errors
/// [`Kind::Loss`] if the tokenizer cannot be such a model at all; [`Kind::Invariant`] if the specification is broken.
pub fn write_sentencepiece(spec: &Spec) -> Result<Written> {
    spec.validate()?;
    let (spec, mut losses) = as_sentencepiece(spec)?;
    losses.extend(beyond(&spec));
    let bytes = Output::of(&spec)?.bytes()?;
    Ok(Written::single("tokenizer.model", bytes, losses))
}

/// Stages that a model file has no place for.
fn beyond(spec: &Spec) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut lost = |is_lost: bool, what, detail: &str| {
        if is_lost {
            losses.push(Loss::new(what, detail));
        }
    };
    lost(spec.postprocessor.is_some(), "post-processor", "a SentencePiece model has no template");
    lost(spec.truncation.is_some(), "truncation", "a SentencePiece model has no truncation");
    lost(spec.padding.is_some(), "padding", "a SentencePiece model has no padding");
    losses.extend(unknown_fields(spec, &[KEPT]));
    losses
}

/// What the messages of a file are made of.
struct Output<'s> {
    vocab: &'s Vocab,
    pieces: &'s Pieces,
    algorithm: Algorithm,
    byte_fallback: bool,
    normalizer: &'s Normalizer,
    decoder: &'s Decoder,
    envelope: Envelope,
}

impl<'s> Output<'s> {
    fn of(spec: &'s Spec) -> Result<Self> {
        let (pieces, algorithm, byte_fallback) = match &spec.model {
            Model::Bpe(bpe) if bpe.merges.is_empty() => (&bpe.pieces, Algorithm::Char, bpe.byte_fallback),
            Model::Bpe(bpe) => (&bpe.pieces, Algorithm::Bpe, bpe.byte_fallback),
            Model::Unigram(unigram) => (&unigram.pieces, Algorithm::Unigram, unigram.byte_fallback),
            Model::WordLevel(words) => {
                let spelled = |pieces: &Pieces| pieces.kinds.contains(&PieceKind::Byte);
                (&words.pieces, Algorithm::Word, words.pieces.as_ref().is_some_and(spelled))
            }
            Model::WordPiece(_) => (&None, Algorithm::Unigram, false),
        };
        let (Some(pieces), Some(normalizer), Some(decoder)) = (pieces, &spec.normalizer, &spec.decoder) else {
            return Err(Error::new(
                Kind::Loss,
                "only a tokenizer with SentencePiece's stages is a SentencePiece model",
            ));
        };
        let envelope = match spec.unknown_fields.get(KEPT) {
            Some(kept) => Envelope::from_json(kept)?,
            None => Envelope::default(),
        };
        Ok(Output { vocab: spec.model.vocab(), pieces, algorithm, byte_fallback, normalizer, decoder, envelope })
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(self.vocab.joined_bytes().len() + 12 * self.vocab.len());
        let (mut next, mut done) = (0, [false; 6]);
        for part in &self.envelope.parts {
            match part {
                Part::Pieces(count) => {
                    let end = next + count.min(&(self.vocab.len() - next));
                    self.put_pieces(next..end, &mut out)?;
                    next = end;
                }
                Part::Message(number, raw) => {
                    put_bytes(*number, &self.message(*number, &raw.0)?, &mut out);
                    if let Some(done) = done.get_mut(*number as usize) {
                        *done = true;
                    }
                }
                Part::Other(raw) => out.extend_from_slice(&raw.0),
            }
        }
        self.put_pieces(next..self.vocab.len(), &mut out)?;
        for number in [TRAINER, NORMALIZER, DENORMALIZER] {
            let content = if done[number as usize] { Vec::new() } else { self.message(number, &[])? };
            if !content.is_empty() {
                put_bytes(number, &content, &mut out);
            }
        }
        Ok(out)
    }

    fn put_pieces(&self, range: std::ops::Range<usize>, out: &mut Vec<u8>) -> Result<()> {
        let mut scratch = Vec::new();
        for index in range {
            let text = std::str::from_utf8(self.vocab.entry(index).bytes)
                .map_err(|_| Error::new(Kind::Loss, format!("a piece must be text, and that of id {index} is not")))?;
            let (score, kind) = (self.pieces.scores[index], self.pieces.kinds[index]);
            match self.envelope.pieces.get(&index) {
                Some(raw) if self.says(&raw.0, index)? => put_bytes(PIECES, &raw.0, out),
                _ => {
                    scratch.clear();
                    put_piece(text, score, kind, self.envelope.explicit_kinds, &mut scratch);
                    put_bytes(PIECES, &scratch, out);
                }
            }
        }
        Ok(())
    }

    /// Whether a piece that was kept as it stands is still the piece `index`.
    fn says(&self, raw: &[u8], index: usize) -> Result<bool> {
        let mut field = Vec::new();
        put_bytes(PIECES, raw, &mut field);
        let Some(field) = Fields::new(&field, 0, "a kept piece").next().transpose()? else { return Ok(false) };
        let piece = read_piece(&field, index)?;
        let same = piece.text.as_bytes() == self.vocab.entry(index).bytes;
        Ok(same && piece.score == self.pieces.scores[index] && piece.kind == self.pieces.kinds[index])
    }

    fn message(&self, number: u32, template: &[u8]) -> Result<Vec<u8>> {
        match number {
            TRAINER => self.trainer(template),
            NORMALIZER => self.rules(template),
            _ => self.denormalizer(template),
        }
    }

    /// Whether the model comes from another format: nothing says what else its file had.
    fn is_new(&self) -> bool {
        self.envelope.parts.is_empty()
    }

    fn trainer(&self, template: &[u8]) -> Result<Vec<u8>> {
        let Decoder::SentencePiece { unk_surface, whitespace_as_suffix, .. } = self.decoder else {
            return Err(no_stage("decoder"));
        };
        let algorithm = match read_trainer(template, 0)?.algorithm {
            // A model of characters that calls itself BPE.
            Algorithm::Bpe if self.algorithm == Algorithm::Char => Algorithm::Bpe,
            _ => self.algorithm,
        };
        let mut known = vec![Known::number(MODEL_TYPE, algorithm.number(), Algorithm::Unigram.number())];
        known.push(Known::flag(WHITESPACE_AS_SUFFIX, *whitespace_as_suffix, false));
        known.push(Known::flag(BYTE_FALLBACK, self.byte_fallback, false));
        known.push(Known::bytes(UNK_SURFACE, unk_surface.as_bytes(), DEFAULT_SURFACE.as_bytes()));
        let unk = self.pieces.kinds.iter().position(|&kind| kind == PieceKind::Unknown);
        let unk = unk.map(|index| self.vocab.entry(index)).filter(|_| self.is_new());
        if let Some(unk) = unk {
            known.push(Known::number(VOCAB_SIZE, self.vocab.len() as u64, 0));
            known.push(Known::number(UNK_ID, u64::from(unk.id), 0));
            known.push(Known::bytes(UNK_PIECE, unk.bytes, b"<unk>"));
        }
        filled(template, &known)
    }

    fn rules(&self, template: &[u8]) -> Result<Vec<u8>> {
        let Normalizer::SentencePiece { charsmap, .. } = self.normalizer else { return Err(no_stage("normalizer")) };
        let mut known = Vec::new();
        if self.is_new() {
            let name: &[u8] = if charsmap.is_empty() { b"identity" } else { b"user_defined" };
            known.push(Known::bytes(NAME, name, b""));
        }
        known.extend(known_rules(self.normalizer));
        filled(template, &known)
    }

    fn denormalizer(&self, template: &[u8]) -> Result<Vec<u8>> {
        let Decoder::SentencePiece { denormalizer, .. } = self.decoder else { return Err(no_stage("decoder")) };
        match denormalizer {
            Some(denormalizer) => filled(template, &known_rules(denormalizer)),
            None => filled(template, &[Known::bytes(CHARSMAP, b"", b"")]),
        }
    }
}

/// The fields of a `NormalizerSpec` that a normalizer decides.
fn known_rules(normalizer: &Normalizer) -> Vec<Known<'_>> {
    let Normalizer::SentencePiece { charsmap, add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces, .. } =
        normalizer
    else {
        return Vec::new();
    };
    vec![
        Known::bytes(CHARSMAP, charsmap, b""),
        Known::flag(ADD_DUMMY_PREFIX, *add_dummy_prefix, true),
        Known::flag(REMOVE_EXTRA_WHITESPACES, *remove_extra_whitespaces, true),
        Known::flag(ESCAPE_WHITESPACES, *escape_whitespaces, true),
    ]
}

fn no_stage(stage: &str) -> Error {
    Error::new(Kind::Loss, format!("a SentencePiece model has its own {stage}, and this tokenizer has another"))
}
