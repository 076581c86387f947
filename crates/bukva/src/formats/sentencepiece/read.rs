//! Model file → specification.

use super::KEPT;
use super::envelope::{Envelope, Part, Raw, is_usual, without_charsmap};
use super::message::{
    Algorithm, DENORMALIZER, NORMALIZER, PIECES, Piece, Rules, TRAINER, Trainer, read_piece, read_rules, read_trainer,
};
use super::pieces::{check, merges};
use super::wire::{Field, Fields, bad};
use crate::error::{Error, Kind, Result};
use crate::spec::{
    AddedToken, Alphabet, Bpe, Decoder, Model, Normalizer, PieceKind, Pieces, Spec, Unigram, Vocab, WordLevel,
};

/// Reads a SentencePiece model. O(size + splits of the pieces).
///
/// Ids are the places of the pieces. Fields that only training knows are kept in [`Spec::unknown_fields`], so that
/// [`super::write_sentencepiece`] gives back the same bytes.
///
/// # Errors
/// [`Kind::Format`] with the field and the byte where the file is damaged or contradicts itself;
/// [`Kind::Unsupported`] for an algorithm that is not known; [`Kind::Invariant`] if the tables do not fit together.
pub fn read_sentencepiece(bytes: &[u8]) -> Result<Spec> {
    let file = File::parse(bytes)?;
    let spec = spec_of(&file)?;
    // Merges are splits of pieces.
    spec.validate_but(&["merge-ids-defined", "merge-spells-product"])?;
    Ok(spec)
}

/// The parts of a file.
struct File<'a> {
    pieces: Vec<Piece<'a>>,
    trainer: Trainer,
    rules: Rules,
    denormalizer: Rules,
    envelope: Envelope,
}

impl<'a> File<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self> {
        let (mut pieces, mut raws) = (Vec::new(), Vec::new());
        let mut messages: [Option<Field<'a>>; 6] = [None; 6];
        let mut envelope = Envelope::default();
        for field in Fields::new(bytes, 0, "the file") {
            let field = field?;
            match field.number {
                PIECES => {
                    pieces.push(read_piece(&field, pieces.len())?);
                    raws.push(field.bytes("pieces")?);
                    count(&mut envelope.parts);
                }
                TRAINER | NORMALIZER | DENORMALIZER => {
                    if messages[field.number as usize].replace(field).is_some() {
                        return Err(bad(format!("field {} is there twice", field.number), field.at));
                    }
                    envelope.parts.push(message_part(&field)?);
                }
                _ => envelope.parts.push(Part::Other(Raw(field.raw.to_vec()))),
            }
        }
        if pieces.is_empty() {
            return Err(bad("it has no pieces", 0));
        }
        unusual_pieces(&pieces, &raws, &mut envelope);
        let (trainer, at) = content(messages[TRAINER as usize])?;
        let trainer = read_trainer(trainer, at)?;
        let (rules, at) = content(messages[NORMALIZER as usize])?;
        let rules = read_rules(rules, at, "normalizer_spec")?;
        let (denormalizer, at) = content(messages[DENORMALIZER as usize])?;
        let denormalizer = read_rules(denormalizer, at, "denormalizer_spec")?;
        Ok(File { pieces, trainer, rules, denormalizer, envelope })
    }
}

fn content<'a>(field: Option<Field<'a>>) -> Result<(&'a [u8], u64)> {
    field.map_or(Ok((&[], 0)), |field| Ok((field.bytes("a message")?, field.content_at())))
}

fn count(parts: &mut Vec<Part>) {
    match parts.last_mut() {
        Some(Part::Pieces(count)) => *count += 1,
        _ => parts.push(Part::Pieces(1)),
    }
}

fn message_part(field: &Field<'_>) -> Result<Part> {
    let bytes = field.bytes("a message")?;
    let kept = if field.number == TRAINER { Ok(bytes.to_vec()) } else { without_charsmap(bytes) };
    let kept = kept.map_err(|error| match error.place.byte_offset {
        Some(offset) => error.at_byte(field.content_at() + offset),
        None => error,
    })?;
    Ok(Part::Message(field.number, Raw(kept)))
}

/// Notes how the file writes its pieces.
fn unusual_pieces(pieces: &[Piece<'_>], raws: &[&[u8]], envelope: &mut Envelope) {
    let mut scratch = Vec::new();
    let ordinary = pieces.iter().zip(raws).find(|(piece, _)| piece.kind == PieceKind::Normal);
    envelope.explicit_kinds = ordinary.is_some_and(|(piece, raw)| is_usual(raw, piece, true, &mut scratch));
    for (index, (piece, raw)) in pieces.iter().zip(raws).enumerate() {
        if !is_usual(raw, piece, envelope.explicit_kinds, &mut scratch) {
            envelope.pieces.insert(index, Raw(raw.to_vec()));
        }
    }
}

fn spec_of(file: &File<'_>) -> Result<Spec> {
    let unk = check(&file.pieces, file.trainer.byte_fallback)?;
    let Rules { charsmap, add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces } = file.rules.clone();
    let whitespace_as_suffix = file.trainer.whitespace_as_suffix;
    let kept = serde_json::to_value(&file.envelope).map_err(|error| Error::new(Kind::Format, error.to_string()))?;
    Ok(Spec {
        normalizer: Some(Normalizer::SentencePiece {
            charsmap,
            add_dummy_prefix,
            remove_extra_whitespaces,
            escape_whitespaces,
            whitespace_as_suffix,
        }),
        added_tokens: added_tokens(&file.pieces),
        decoder: Some(Decoder::SentencePiece {
            unk_surface: file.trainer.unk_surface.clone(),
            add_dummy_prefix,
            remove_extra_whitespaces,
            whitespace_as_suffix,
            denormalizer: denormalizer(&file.denormalizer).map(Box::new),
        }),
        unknown_fields: [(KEPT.to_owned(), kept)].into(),
        ..Spec::new(model(file, unk)?)
    })
}

/// What rewrites decoded text; without a map SentencePiece takes no notice of the rules.
fn denormalizer(rules: &Rules) -> Option<Normalizer> {
    let Rules { charsmap, add_dummy_prefix, remove_extra_whitespaces, escape_whitespaces } = rules.clone();
    (!charsmap.is_empty()).then_some(Normalizer::SentencePiece {
        charsmap,
        add_dummy_prefix,
        remove_extra_whitespaces,
        escape_whitespaces,
        whitespace_as_suffix: false,
    })
}

fn added_tokens(pieces: &[Piece<'_>]) -> Vec<AddedToken> {
    let token = |(id, piece): (u32, &Piece<'_>)| {
        let token = || AddedToken::special(piece.text, id);
        match piece.kind {
            PieceKind::Control | PieceKind::Unknown => Some(token()),
            PieceKind::UserDefined => Some(AddedToken { special: false, normalized: true, ..token() }),
            _ => None,
        }
    };
    (0..).zip(pieces).filter_map(token).collect()
}

fn model(file: &File<'_>, unk: u32) -> Result<Model> {
    let vocab: Vocab = (0..).zip(&file.pieces).map(|(id, piece)| (id, piece.text.as_bytes())).collect();
    let kinds: Vec<PieceKind> = file.pieces.iter().map(|piece| piece.kind).collect();
    let scores: Vec<f32> = file.pieces.iter().map(|piece| piece.score).collect();
    let byte_fallback = file.trainer.byte_fallback;
    let bpe = |vocab, merges, pieces| Bpe {
        unk: Some(unk),
        fuse_unk: true,
        byte_fallback,
        pieces: Some(pieces),
        ..Bpe::new(Alphabet::Chars, vocab, merges)
    };
    Ok(match file.trainer.algorithm {
        Algorithm::Bpe => {
            let merges = merges(&vocab, &kinds, &scores)?;
            Model::Bpe(bpe(vocab, merges, Pieces { kinds, scores }))
        }
        Algorithm::Char => Model::Bpe(bpe(vocab, Vec::new(), Pieces { kinds, scores })),
        Algorithm::Unigram => {
            let doubles = scores.iter().map(|&score| f64::from(score)).collect();
            let pieces = Some(Pieces { kinds, scores });
            Model::Unigram(Unigram { vocab, scores: doubles, unk: Some(unk), byte_fallback, pieces })
        }
        Algorithm::Word => {
            Model::WordLevel(WordLevel { vocab, unk: Some(unk), pieces: Some(Pieces { kinds, scores }) })
        }
    })
}
