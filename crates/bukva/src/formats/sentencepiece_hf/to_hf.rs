//! From SentencePiece's stages to those of `tokenizers`.

use super::{Losses, MARK, runs};
use crate::error::{Error, Kind, Result};
use crate::formats::Loss;
use crate::formats::sentencepiece::KEPT;
use crate::formats::tiktoken::same_ids::first_difference;
use crate::spec::{
    AddedToken, Behavior, Bpe, Decoder, Model, Normalizer, Pattern, PieceKind, Pieces, Pretokenizer, Spec,
};

/// The same tokenizer without stages that only SentencePiece has. O(size).
///
/// # Errors
/// [`Kind::Loss`] if no stages of `tokenizers` give the same ids.
pub(in crate::formats) fn as_tokenizers_stages(spec: &Spec) -> Result<(Spec, Vec<Loss>)> {
    let mut losses = Losses::default();
    let mut spec = spec.clone();
    if let Some(normalizer) = spec.normalizer.take() {
        spec.normalizer = normalizer_of(normalizer, &mut losses)?;
    }
    if let Some(decoder) = spec.decoder.take() {
        spec.decoder = Some(decoder_of(decoder, has_byte_fallback(&spec.model), &mut losses));
    }
    model_of(&mut spec, &mut losses)?;
    let kept = spec.unknown_fields.remove(KEPT).is_some();
    losses.note(kept, "training fields", "trainer_spec and what else a .model file says of its training");
    Ok((spec, losses.0))
}

fn normalizer_of(normalizer: Normalizer, losses: &mut Losses) -> Result<Option<Normalizer>> {
    let Normalizer::SentencePiece {
        charsmap,
        add_dummy_prefix,
        remove_extra_whitespaces,
        escape_whitespaces,
        whitespace_as_suffix,
    } = normalizer
    else {
        return Ok(Some(normalizer));
    };
    if whitespace_as_suffix && add_dummy_prefix {
        let message = "tokenizer.json cannot hold this tokenizer: no stage puts a space behind the text \
                       (treat_whitespace_as_suffix); save it as .model or .bukva";
        return Err(Error::new(Kind::Loss, message));
    }
    let detail = "the library applies the map to whole grapheme clusters, SentencePiece to the longest match: \
                  marks and joined characters may become other text";
    losses.note(!charsmap.is_empty(), "character map", detail);
    let replace = |pattern, content: &str| Normalizer::Replace { pattern, content: content.to_owned() };
    let mut items = Vec::new();
    if !charsmap.is_empty() {
        items.push(Normalizer::Precompiled { charsmap });
    }
    if remove_extra_whitespaces {
        items.push(replace(Pattern::Regex(r"\A +| +\z".to_owned()), ""));
        items.push(replace(Pattern::Regex(" {2,}".to_owned()), " "));
    }
    if add_dummy_prefix {
        let content = if escape_whitespaces { MARK } else { " " };
        items.push(Normalizer::Prepend { content: content.to_owned() });
    }
    if escape_whitespaces {
        items.push(replace(Pattern::Literal(" ".to_owned()), MARK));
    }
    Ok(match items.len() {
        0 | 1 => items.pop(),
        _ => Some(Normalizer::Sequence { items }),
    })
}

fn decoder_of(decoder: Decoder, byte_fallback: bool, losses: &mut Losses) -> Decoder {
    let Decoder::SentencePiece { unk_surface, add_dummy_prefix, remove_extra_whitespaces, denormalizer, .. } = decoder
    else {
        return decoder;
    };
    losses.note(denormalizer.is_some(), "denormalizer", "the library has no character map for decoded text");
    let detail = format!("unknown text decodes to the unknown token itself, not to {unk_surface:?}");
    losses.note(!byte_fallback, "unknown surface", &detail);
    let content = " ".to_owned();
    let mut items = vec![Decoder::Replace { pattern: Pattern::Literal(MARK.to_owned()), content }];
    items.extend([Decoder::ByteFallback, Decoder::Fuse]);
    if add_dummy_prefix || remove_extra_whitespaces {
        items.push(Decoder::Strip { content: ' ', start: 1, stop: 0 });
    }
    Decoder::Sequence { items }
}

fn has_byte_fallback(model: &Model) -> bool {
    match model {
        Model::Bpe(bpe) => bpe.byte_fallback,
        Model::Unigram(unigram) => unigram.byte_fallback,
        Model::WordPiece(_) | Model::WordLevel(_) => false,
    }
}

fn model_of(spec: &mut Spec, losses: &mut Losses) -> Result<()> {
    let Some(pieces) = take_pieces(&mut spec.model) else { return Ok(()) };
    let has = |kind| pieces.kinds.contains(&kind);
    losses.note(has(PieceKind::Unused), "unused pieces", "the library has ordinary tokens only, and will emit them");
    let detail = "the library cuts the text at them before it is normalized, SentencePiece does not";
    losses.note(has(PieceKind::UserDefined), "user-defined pieces", detail);
    spec.added_tokens.iter_mut().for_each(cut_out);
    match &mut spec.model {
        Model::Bpe(bpe) => rank_alone(bpe, losses)?,
        Model::Unigram(unigram) => {
            let detail = "the library adds scores in double precision and takes control and byte tokens for text";
            losses.note(true, "scores", detail);
            unigram.scores = pieces.scores.iter().map(|&score| f64::from(score)).collect();
        }
        Model::WordLevel(_) => {
            losses.note(true, "unknown words", "each is a token of its own, where SentencePiece makes one of a run");
            losses.note(has(PieceKind::Byte), "byte pieces", "the library does not spell unknown words in bytes");
            spec.pretokenizer = Some(words());
        }
        Model::WordPiece(_) => {}
    }
    Ok(())
}

/// The words of a word model: each begins with the mark of a space.
fn words() -> Pretokenizer {
    let pattern = Pattern::Literal("\u{2581}".to_owned());
    Pretokenizer::Split { pattern, behavior: Behavior::MergedWithNext, invert: false }
}

fn take_pieces(model: &mut Model) -> Option<Pieces> {
    match model {
        Model::Bpe(bpe) => bpe.pieces.take(),
        Model::Unigram(unigram) => unigram.pieces.take(),
        Model::WordLevel(words) => words.pieces.take(),
        Model::WordPiece(_) => None,
    }
}

/// A user-defined piece, matched as it stands.
fn cut_out(token: &mut AddedToken) {
    token.normalized = false;
}

/// Gives each merge a rank of its own, as a list of merges has them.
fn rank_alone(bpe: &mut Bpe, losses: &mut Losses) -> Result<()> {
    let mut merges = bpe.merges.to_vec();
    let (mut lost, mut shared) = (false, false);
    for group in merges.chunk_by_mut(|left, right| left.rank == right.rank) {
        if group.iter().all(|merge| merge.product == group[0].product) {
            continue;
        }
        shared = true;
        lost |= !runs::grow_from_the_left(group, &bpe.vocab);
    }
    (0..).zip(&mut merges).for_each(|(rank, merge)| merge.rank = rank);
    let detail = "pieces of equal score are merged from the left; in the library each merge has its own rank";
    losses.note(lost, "merges", detail);
    let alone = Bpe { merges: merges.into(), ..bpe.clone() };
    if !shared && first_difference(bpe, &alone)?.is_some() {
        losses.note(true, "merges", "a piece can be made in several ways, and the library takes another one first");
    }
    *bpe = alone;
    Ok(())
}
