//! `tokenizer.ggml.model` = `llama` or `t5`: the tables of a SentencePiece model, BPE or Unigram.
//!
//! Rules are those of a `.model` file, see `docs/formats/sentencepiece.md`.

use super::ends::{self, Defaults};
use super::metadata::Metadata;
use super::tokens::{SCORES, TOKENS, TYPES, Token, Tokens};
use super::wire::{Array, Type, bad};
use crate::error::{Result, quoted};
use crate::formats::sentencepiece::{DEFAULT_SURFACE, pieces};
use crate::spec::{AddedToken, Alphabet, Bpe, Decoder, Model, Normalizer, PieceKind, Pieces, Spec, Unigram, Vocab};

pub(super) const CHARSMAP: &str = "tokenizer.ggml.precompiled_charsmap";
const ADD_PREFIX: &str = "tokenizer.ggml.add_space_prefix";
const REMOVE_EXTRA: &str = "tokenizer.ggml.remove_extra_whitespaces";
const UNKNOWN: &str = "tokenizer.ggml.unknown_token_id";

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Bpe,
    Unigram,
}

/// The specification of a SentencePiece vocabulary.
///
/// # Errors
/// [`crate::Kind::Format`] with the key and the byte: no scores, no unknown token or two, byte tokens that are
/// missing or misnamed; [`crate::Kind::Unsupported`] for a token with a character that is no token.
pub(super) fn spec(metadata: &Metadata<'_>, tokens: &Tokens<'_>, algorithm: Algorithm) -> Result<Spec> {
    if metadata.array(SCORES)?.is_none() {
        return Err(bad(format!("{SCORES} is missing"), 0));
    }
    let bpe = algorithm == Algorithm::Bpe;
    let charsmap = charsmap(metadata)?;
    let add_dummy_prefix = metadata.flag(ADD_PREFIX, bpe)?;
    let remove_extra_whitespaces = metadata.flag(REMOVE_EXTRA, false)?;
    let unk = unknown(metadata, tokens)?;
    let defaults = Defaults { bos: bpe, eos: !bpe, second: u32::from(bpe) };
    Ok(Spec {
        normalizer: Some(Normalizer::SentencePiece {
            charsmap,
            add_dummy_prefix,
            remove_extra_whitespaces,
            escape_whitespaces: true,
            whitespace_as_suffix: false,
        }),
        added_tokens: added(tokens),
        postprocessor: ends::template(metadata, tokens, defaults)?,
        decoder: Some(Decoder::SentencePiece {
            unk_surface: DEFAULT_SURFACE.to_owned(),
            add_dummy_prefix,
            remove_extra_whitespaces,
            whitespace_as_suffix: false,
            denormalizer: None,
        }),
        ..Spec::new(model(tokens, unk, algorithm)?)
    })
}

/// As in a `.model`: user-defined symbols are the model's own, and the text is not cut at them.
fn added(tokens: &Tokens<'_>) -> Vec<AddedToken> {
    let added = tokens.added().into_iter();
    added.map(|token| AddedToken { normalized: !token.special, ..token }).collect()
}

/// The only token of the type unknown; where none has the type, the one that the file names.
fn unknown(metadata: &Metadata<'_>, tokens: &Tokens<'_>) -> Result<u32> {
    let mut unknown = tokens.list.iter().filter(|token| token.kind == PieceKind::Unknown);
    match (unknown.next(), unknown.next()) {
        (Some(token), None) => Ok(token.id),
        (Some(first), Some(second)) => {
            let message = format!("{TYPES} has two unknown tokens (2): {} and {}", first.id, second.id);
            Err(bad(message, second.at))
        }
        (None, _) => {
            let named = tokens.named(metadata, UNKNOWN)?.map(|token| token.id);
            named.ok_or_else(|| bad(format!("no token has the type unknown (2), and {UNKNOWN} is missing"), 0))
        }
    }
}

fn model(tokens: &Tokens<'_>, unk: u32, algorithm: Algorithm) -> Result<Model> {
    let byte_fallback = has_bytes(tokens)?;
    let vocab: Vocab = tokens.list.iter().map(|token| (token.id, token.text.as_bytes())).collect();
    let kind = |token: &Token<'_>| if token.id == unk { PieceKind::Unknown } else { token.kind };
    let kinds: Vec<PieceKind> = tokens.list.iter().map(kind).collect();
    let scores: Vec<f32> = tokens.list.iter().map(|token| token.score).collect();
    Ok(match algorithm {
        Algorithm::Bpe => {
            let merges = pieces::merges(&vocab, &kinds, &scores)?;
            Model::Bpe(Bpe {
                unk: Some(unk),
                fuse_unk: true,
                byte_fallback,
                pieces: Some(Pieces { kinds, scores }),
                ..Bpe::new(Alphabet::Chars, vocab, merges)
            })
        }
        Algorithm::Unigram => {
            let doubles = scores.iter().map(|&score| f64::from(score)).collect();
            let pieces = Some(Pieces { kinds, scores });
            Model::Unigram(Unigram { vocab, scores: doubles, unk: Some(unk), byte_fallback, pieces })
        }
    })
}

/// Whether there are tokens for all bytes; some but not all is an error.
fn has_bytes(tokens: &Tokens<'_>) -> Result<bool> {
    let mut found = [false; 256];
    for token in tokens.list.iter().filter(|token| token.kind == PieceKind::Byte) {
        let Some(byte) = pieces::byte_value(token.text) else {
            let text = quoted(token.text);
            let message = format!("{TOKENS}[{}] has the type byte, and {text} is not <0x00> to <0xFF>", token.id);
            return Err(bad(message, token.at));
        };
        found[usize::from(byte)] = true;
    }
    match found.iter().position(|found| !found) {
        Some(byte) if found.contains(&true) => {
            Err(bad(format!("{TYPES} has tokens of the type byte, and <0x{byte:02X}> is not one of them"), 0))
        }
        missing => Ok(missing.is_none()),
    }
}

/// The compiled character map, an array of bytes.
fn charsmap(metadata: &Metadata<'_>) -> Result<Vec<u8>> {
    match metadata.array(CHARSMAP)? {
        None => Ok(Vec::new()),
        Some(Array { of: Type::U8 | Type::I8, bytes, .. }) => Ok(bytes.to_vec()),
        Some(array) => Err(bad(format!("{CHARSMAP} must be an array of bytes"), array.at)),
    }
}
