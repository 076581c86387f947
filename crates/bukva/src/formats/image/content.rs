//! What the sections that hold a specification mean.
//!
//! `spec` and `unknown` are JSON; the big blocks are flat arrays: `vocab.ids` u32, `vocab.ends` u64, `vocab.bytes`,
//! `merges` four u32 each (rank, left, right, product), `scores` f64, `piece.kinds` u8, `piece.scores` f32.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::block::{Block, Bytes, Sections, damaged};
use crate::error::{Error, Kind, Result};
use crate::formats::hf::SIDE_FILE;
use crate::spec::{Bpe, Model, PieceKind, Pieces, Spec, Unigram, Vocab, WordLevel, WordPiece};

const SPEC: &str = "spec";
const UNKNOWN: &str = "unknown";
const IDS: &str = "vocab.ids";
const ENDS: &str = "vocab.ends";
const BYTES: &str = "vocab.bytes";
pub(super) const MERGES: &str = "merges";
const SCORES: &str = "scores";
const KINDS: &str = "piece.kinds";
const PIECE_SCORES: &str = "piece.scores";

/// The sections that a specification may have.
pub(super) const NAMES: &[&str] = &[SPEC, UNKNOWN, IDS, ENDS, BYTES, MERGES, SCORES, KINDS, PIECE_SCORES];

/// The number that stands for a kind is its place in this list.
const KIND_NUMBERS: [PieceKind; 6] = [
    PieceKind::Normal,
    PieceKind::Unknown,
    PieceKind::Control,
    PieceKind::UserDefined,
    PieceKind::Byte,
    PieceKind::Unused,
];

/// The sections that hold `spec`.
pub(super) fn sections(spec: &Spec) -> Result<Vec<Bytes<'_>>> {
    let vocab = spec.model.vocab();
    let mut sections = vec![
        (SPEC, Cow::Owned(json(&small_parts(spec))?)),
        // Apart, so that a field nests no deeper here than in the file it came from.
        (UNKNOWN, Cow::Owned(json(&spec.unknown_fields)?)),
        (IDS, Cow::Borrowed(bytemuck::cast_slice(vocab.ids()))),
        (ENDS, Cow::Borrowed(bytemuck::cast_slice(vocab.ends()))),
        (BYTES, Cow::Borrowed(vocab.joined_bytes())),
    ];
    let pieces = match &spec.model {
        Model::Bpe(model) => {
            sections.push((MERGES, Cow::Borrowed(bytemuck::cast_slice(&model.merges))));
            &model.pieces
        }
        Model::Unigram(model) => {
            sections.push((SCORES, Cow::Borrowed(bytemuck::cast_slice(&model.scores))));
            &model.pieces
        }
        Model::WordLevel(model) => &model.pieces,
        Model::WordPiece(_) => &None,
    };
    if let Some(pieces) = pieces {
        let number = |kind| KIND_NUMBERS.iter().position(|known| known == kind).unwrap_or_default() as u8;
        sections.push((KINDS, Cow::Owned(pieces.kinds.iter().map(number).collect())));
        sections.push((PIECE_SCORES, Cow::Borrowed(bytemuck::cast_slice(&pieces.scores))));
    }
    Ok(sections)
}

/// The sections without the side files of a folder.
pub(super) fn sections_alone(spec: &Spec) -> Result<Vec<Bytes<'_>>> {
    let mut fields = spec.unknown_fields.clone();
    fields.retain(|name, _| !name.starts_with(SIDE_FILE));
    let alone = json(&fields)?;
    let mut sections = sections(spec)?;
    sections.retain(|(name, _)| *name != UNKNOWN);
    // In its usual place.
    sections.insert(1, (UNKNOWN, Cow::Owned(alone)));
    Ok(sections)
}

/// The specification that the sections hold; its big blocks stay where they are. O(entries).
pub(super) fn spec(sections: &Sections) -> Result<Spec> {
    let mut spec: Spec = parsed(sections, SPEC)?;
    spec.unknown_fields = parsed(sections, UNKNOWN)?;
    let vocab = vocab(sections)?;
    let pieces = pieces(sections)?;
    match &mut spec.model {
        Model::Bpe(model) => {
            (model.vocab, model.pieces) = (vocab, pieces);
            model.merges = sections.block(MERGES)?;
        }
        Model::Unigram(model) => {
            (model.vocab, model.pieces) = (vocab, pieces);
            model.scores = sections.block::<f64>(SCORES)?.to_vec();
        }
        Model::WordPiece(model) => model.vocab = vocab,
        Model::WordLevel(model) => (model.vocab, model.pieces) = (vocab, pieces),
    }
    Ok(spec)
}

fn pieces(sections: &Sections) -> Result<Option<Pieces>> {
    if !sections.has(KINDS) {
        return Ok(None);
    }
    let kind = |number: &u8| {
        let kind = KIND_NUMBERS.get(usize::from(*number)).copied();
        kind.ok_or_else(|| damaged(format!("section {KINDS:?} has the kind {number}, which is none")))
    };
    let kinds = sections.bytes(KINDS)?.iter().map(kind).collect::<Result<_>>()?;
    Ok(Some(Pieces { kinds, scores: sections.block::<f32>(PIECE_SCORES)?.to_vec() }))
}

/// The specification without its big blocks.
fn small_parts(spec: &Spec) -> Spec {
    let model = match &spec.model {
        Model::Bpe(model) => Model::Bpe(Bpe {
            vocab: Vocab::new(),
            merges: Block::default(),
            alphabet: model.alphabet,
            unk: model.unk,
            fuse_unk: model.fuse_unk,
            byte_fallback: model.byte_fallback,
            ignore_merges: model.ignore_merges,
            continuing_prefix: model.continuing_prefix.clone(),
            end_of_word: model.end_of_word.clone(),
            dropout: model.dropout,
            pieces: None,
        }),
        Model::WordPiece(model) => Model::WordPiece(WordPiece {
            vocab: Vocab::new(),
            unk: model.unk,
            continuing_prefix: model.continuing_prefix.clone(),
            max_chars_per_word: model.max_chars_per_word,
        }),
        Model::Unigram(model) => Model::Unigram(Unigram {
            vocab: Vocab::new(),
            scores: Vec::new(),
            unk: model.unk,
            byte_fallback: model.byte_fallback,
            pieces: None,
        }),
        Model::WordLevel(model) => Model::WordLevel(WordLevel { vocab: Vocab::new(), unk: model.unk, pieces: None }),
    };
    Spec {
        normalizer: spec.normalizer.clone(),
        pretokenizer: spec.pretokenizer.clone(),
        model,
        added_tokens: spec.added_tokens.clone(),
        postprocessor: spec.postprocessor.clone(),
        decoder: spec.decoder.clone(),
        truncation: spec.truncation.clone(),
        padding: spec.padding.clone(),
        unicode: spec.unicode,
        unknown_fields: BTreeMap::new(),
    }
}

/// JSON that reads back as the same value: an image that could not be read again is never made.
fn json<T: serde::Serialize + DeserializeOwned + PartialEq>(value: &T) -> Result<Vec<u8>> {
    let bytes = serde_json::to_vec(value).map_err(|error| unwritable(&error.to_string()))?;
    match serde_json::from_slice::<T>(&bytes) {
        Ok(again) if again == *value => Ok(bytes),
        Ok(_) => Err(unwritable("a number is not finite")),
        Err(error) => Err(unwritable(&error.to_string())),
    }
}

fn unwritable(reason: &str) -> Error {
    Error::new(Kind::Invariant, format!("the specification cannot be written as an image: {reason}"))
}

fn parsed<T: DeserializeOwned>(sections: &Sections, name: &str) -> Result<T> {
    serde_json::from_slice(sections.bytes(name)?)
        .map_err(|error| damaged(format!("section {name:?} does not hold what it should: {error}")))
}

fn vocab(sections: &Sections) -> Result<Vocab> {
    let (ids, ends, bytes) = (sections.block(IDS)?, sections.block(ENDS)?, sections.block(BYTES)?);
    Vocab::from_blocks(ids, ends, bytes).map_err(|error| damaged(error.message))
}
