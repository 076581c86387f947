//! What the sections of an image mean.
//!
//! `spec` and `unknown` are JSON; the big blocks are flat arrays: `vocab.ids` u32, `vocab.ends` u64, `vocab.bytes`,
//! `merges` four u32 each (rank, left, right, product), `scores` f64.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::layout::{Section, Sections, damaged};
use crate::error::{Error, Kind, Result, shown};
use crate::spec::{Bpe, Merge, Model, Spec, Unigram, Vocab, WordLevel, WordPiece};

const SPEC: &str = "spec";
const UNKNOWN: &str = "unknown";
const IDS: &str = "vocab.ids";
const ENDS: &str = "vocab.ends";
const BYTES: &str = "vocab.bytes";
const MERGES: &str = "merges";
const SCORES: &str = "scores";
const NAMES: &[&str] = &[SPEC, UNKNOWN, IDS, ENDS, BYTES, MERGES, SCORES];

/// The sections that hold `spec`.
pub(super) fn sections(spec: &Spec) -> Result<Vec<Section<Vec<u8>>>> {
    let vocab = spec.model.vocab();
    let mut sections = vec![
        Section { name: SPEC, bytes: json(&small_parts(spec))? },
        // Apart, so that a field nests no deeper here than in the file it came from.
        Section { name: UNKNOWN, bytes: json(&spec.unknown_fields)? },
        Section { name: IDS, bytes: vocab.ids().iter().flat_map(|id| id.to_le_bytes()).collect() },
        Section { name: ENDS, bytes: vocab.ends().iter().flat_map(|end| end.to_le_bytes()).collect() },
        Section { name: BYTES, bytes: vocab.joined_bytes().to_vec() },
    ];
    match &spec.model {
        Model::Bpe(model) => sections.push(Section { name: MERGES, bytes: merge_block(&model.merges) }),
        Model::Unigram(model) => {
            let bytes = model.scores.iter().flat_map(|score| score.to_le_bytes()).collect();
            sections.push(Section { name: SCORES, bytes });
        }
        Model::WordPiece(_) | Model::WordLevel(_) => {}
    }
    Ok(sections)
}

/// The specification that the sections hold.
pub(super) fn spec(sections: &Sections<'_>) -> Result<Spec> {
    if let Some(name) = sections.unknown(NAMES) {
        return Err(damaged(format!("section {} is not one that this version knows", shown(name))));
    }
    let mut spec: Spec = parsed(sections, SPEC)?;
    spec.unknown_fields = parsed(sections, UNKNOWN)?;
    let vocab = vocab(sections)?;
    match &mut spec.model {
        Model::Bpe(model) => {
            model.vocab = vocab;
            model.merges = merges(needed(sections, MERGES)?)?;
        }
        Model::Unigram(model) => {
            model.vocab = vocab;
            model.scores = numbers(sections, SCORES, f64::from_le_bytes)?;
        }
        Model::WordPiece(model) => model.vocab = vocab,
        Model::WordLevel(model) => model.vocab = vocab,
    }
    Ok(spec)
}

/// The specification without its big blocks.
fn small_parts(spec: &Spec) -> Spec {
    let model = match &spec.model {
        Model::Bpe(model) => Model::Bpe(Bpe {
            vocab: Vocab::new(),
            merges: Vec::new(),
            alphabet: model.alphabet,
            unk: model.unk,
            fuse_unk: model.fuse_unk,
            byte_fallback: model.byte_fallback,
            ignore_merges: model.ignore_merges,
            continuing_prefix: model.continuing_prefix.clone(),
            end_of_word: model.end_of_word.clone(),
            dropout: model.dropout,
            pieces: model.pieces.clone(),
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
            pieces: model.pieces.clone(),
        }),
        Model::WordLevel(model) => {
            Model::WordLevel(WordLevel { vocab: Vocab::new(), unk: model.unk, pieces: model.pieces.clone() })
        }
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

fn parsed<T: DeserializeOwned>(sections: &Sections<'_>, name: &str) -> Result<T> {
    serde_json::from_slice(needed(sections, name)?)
        .map_err(|error| damaged(format!("section {name:?} does not hold what it should: {error}")))
}

fn needed<'a>(sections: &Sections<'a>, name: &str) -> Result<&'a [u8]> {
    sections.get(name).ok_or_else(|| damaged(format!("section {name:?} is missing")))
}

fn vocab(sections: &Sections<'_>) -> Result<Vocab> {
    let ids = numbers(sections, IDS, u32::from_le_bytes)?;
    let ends = numbers(sections, ENDS, u64::from_le_bytes)?;
    Vocab::from_blocks(ids, ends, needed(sections, BYTES)?.to_vec()).map_err(|error| damaged(error.message))
}

/// The numbers of a section, N bytes each.
fn numbers<T, const N: usize>(sections: &Sections<'_>, name: &str, from: fn([u8; N]) -> T) -> Result<Vec<T>> {
    let (numbers, rest) = needed(sections, name)?.as_chunks::<N>();
    if rest.is_empty() {
        return Ok(numbers.iter().map(|bytes| from(*bytes)).collect());
    }
    let length = numbers.len() * N + rest.len();
    Err(damaged(format!("section {name:?} has {length} bytes, which is no multiple of {N}")))
}

fn merge_block(merges: &[Merge]) -> Vec<u8> {
    let words = |merge: &Merge| [merge.rank, merge.left, merge.right, merge.product];
    merges.iter().flat_map(words).flat_map(u32::to_le_bytes).collect()
}

fn merges(block: &[u8]) -> Result<Vec<Merge>> {
    let (words, rest) = block.as_chunks::<4>();
    let (merges, words) = words.as_chunks::<4>();
    if !rest.is_empty() || !words.is_empty() {
        return Err(damaged(format!("section {MERGES:?} has {} bytes, which is no multiple of 16", block.len())));
    }
    Ok(merges.iter().map(|words| words.map(u32::from_le_bytes)).map(merge).collect())
}

fn merge([rank, left, right, product]: [u32; 4]) -> Merge {
    Merge { rank, left, right, product }
}
