//! The messages of `sentencepiece_model.proto`: those fields that decide what a tokenizer does.
//!
//! Source: `ModelProto`, `TrainerSpec` and `NormalizerSpec` of SentencePiece. Defaults are those of the definition.

use super::wire::{Field, Fields, Value, bad};
use crate::error::{Error, Kind, Result};
use crate::spec::PieceKind;

/// Numbers of the fields of `ModelProto`.
pub(super) const PIECES: u32 = 1;
pub(super) const TRAINER: u32 = 2;
pub(super) const NORMALIZER: u32 = 3;
pub(super) const DENORMALIZER: u32 = 5;

/// Numbers of the fields of `TrainerSpec`.
pub(super) const MODEL_TYPE: u32 = 3;
pub(super) const VOCAB_SIZE: u32 = 4;
pub(super) const WHITESPACE_AS_SUFFIX: u32 = 24;
pub(super) const BYTE_FALLBACK: u32 = 35;
pub(super) const UNK_ID: u32 = 40;
pub(super) const UNK_SURFACE: u32 = 44;
pub(super) const UNK_PIECE: u32 = 45;

/// Numbers of the fields of `NormalizerSpec`.
pub(super) const NAME: u32 = 1;
pub(super) const CHARSMAP: u32 = 2;
pub(super) const ADD_DUMMY_PREFIX: u32 = 3;
pub(super) const REMOVE_EXTRA_WHITESPACES: u32 = 4;
pub(super) const ESCAPE_WHITESPACES: u32 = 5;

/// What stands for unknown text where the file does not say.
pub(in crate::formats) const DEFAULT_SURFACE: &str = " \u{2047} ";

/// The algorithm of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Unigram,
    Bpe,
    Word,
    Char,
}

impl Algorithm {
    /// The number in the file.
    pub(super) fn number(self) -> u64 {
        match self {
            Algorithm::Unigram => 1,
            Algorithm::Bpe => 2,
            Algorithm::Word => 3,
            Algorithm::Char => 4,
        }
    }
}

/// One entry of the vocabulary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) score: f32,
    pub(super) kind: PieceKind,
    /// Where it stands in the file.
    pub(super) at: u64,
}

/// Reads the piece `index`.
pub(super) fn read_piece<'a>(field: &Field<'a>, index: usize) -> Result<Piece<'a>> {
    if let Some(piece) = plain_piece(field) {
        return Ok(piece);
    }
    let mut piece = Piece { text: "", score: 0.0, kind: PieceKind::Normal, at: field.at };
    for field in Fields::new(field.bytes("pieces")?, field.content_at(), "a piece") {
        let field = field.map_err(|error| of_piece(error, index))?;
        match field.number {
            1 => piece.text = text(&field, "piece").map_err(|error| of_piece(error, index))?,
            2 => piece.score = score(&field).map_err(|error| of_piece(error, index))?,
            3 => piece.kind = kind(&field).map_err(|error| of_piece(error, index))?,
            _ => {}
        }
    }
    if piece.text.is_empty() {
        return Err(bad(format!("pieces[{index}] is empty"), piece.at));
    }
    Ok(piece)
}

/// A piece as nearly all are written: a text of fewer than 128 bytes and a score, in this order.
fn plain_piece<'a>(field: &Field<'a>) -> Option<Piece<'a>> {
    const TEXT: u8 = 1 << 3 | 2;
    const SCORE: u8 = 2 << 3 | 5;
    let Value::Bytes([TEXT, length @ 1..0x80, rest @ ..]) = field.value else { return None };
    let (text, score) = rest.split_at_checked(usize::from(*length))?;
    let [SCORE, score @ ..] = score else { return None };
    let score = f32::from_le_bytes(score.try_into().ok()?);
    let text = std::str::from_utf8(text).ok()?;
    score.is_finite().then_some(Piece { text, score, kind: PieceKind::Normal, at: field.at })
}

fn of_piece(mut error: Error, index: usize) -> Error {
    error.message = format!("{} (pieces[{index}])", error.message);
    error
}

fn text<'a>(field: &Field<'a>, name: &str) -> Result<&'a str> {
    std::str::from_utf8(field.bytes(name)?)
        .map_err(|error| bad(format!("{name} is not UTF-8"), field.content_at() + error.valid_up_to() as u64))
}

fn score(field: &Field<'_>) -> Result<f32> {
    let score = field.float("score")?;
    if score.is_finite() { Ok(score) } else { Err(bad(format!("score is {score}, which is no number"), field.at)) }
}

/// The kinds in the order of their numbers, from 1.
const KINDS: [PieceKind; 6] = [
    PieceKind::Normal,
    PieceKind::Unknown,
    PieceKind::Control,
    PieceKind::UserDefined,
    PieceKind::Unused,
    PieceKind::Byte,
];

fn kind(field: &Field<'_>) -> Result<PieceKind> {
    let number = field.varint("type")?;
    let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let kind = index.and_then(|index| KINDS.get(index)).copied();
    kind.ok_or_else(|| bad(format!("type is {number}; the types of a piece are 1 to 6"), field.at))
}

/// The number of a kind in the file.
pub(super) fn kind_number(kind: PieceKind) -> u64 {
    (1..).zip(KINDS).find(|(_, other)| *other == kind).map_or(1, |(number, _)| number)
}

/// What `TrainerSpec` says that matters after training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trainer {
    pub(super) algorithm: Algorithm,
    pub(super) byte_fallback: bool,
    pub(super) whitespace_as_suffix: bool,
    pub(super) unk_surface: String,
}

/// Reads a `TrainerSpec` that stands at `at`.
pub(super) fn read_trainer(bytes: &[u8], at: u64) -> Result<Trainer> {
    let mut trainer = Trainer {
        algorithm: Algorithm::Unigram,
        byte_fallback: false,
        whitespace_as_suffix: false,
        unk_surface: DEFAULT_SURFACE.to_owned(),
    };
    for field in Fields::new(bytes, at, "trainer_spec") {
        let field = field?;
        match field.number {
            MODEL_TYPE => trainer.algorithm = algorithm(&field)?,
            BYTE_FALLBACK => trainer.byte_fallback = field.flag("byte_fallback")?,
            WHITESPACE_AS_SUFFIX => trainer.whitespace_as_suffix = field.flag("treat_whitespace_as_suffix")?,
            UNK_SURFACE => trainer.unk_surface = text(&field, "unk_surface")?.to_owned(),
            _ => {}
        }
    }
    Ok(trainer)
}

fn algorithm(field: &Field<'_>) -> Result<Algorithm> {
    Ok(match field.varint("model_type")? {
        1 => Algorithm::Unigram,
        2 => Algorithm::Bpe,
        3 => Algorithm::Word,
        4 => Algorithm::Char,
        other => {
            let message = format!("SentencePiece model: model_type is {other}; 1 to 4 are known");
            return Err(Error::new(Kind::Unsupported, message).at_byte(field.at));
        }
    })
}

/// What `NormalizerSpec` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) charsmap: Vec<u8>,
    pub(super) add_dummy_prefix: bool,
    pub(super) remove_extra_whitespaces: bool,
    pub(super) escape_whitespaces: bool,
}

/// Reads a `NormalizerSpec` that stands at `at`.
pub(super) fn read_rules(bytes: &[u8], at: u64, message: &'static str) -> Result<Rules> {
    let mut rules = Rules {
        charsmap: Vec::new(),
        add_dummy_prefix: true,
        remove_extra_whitespaces: true,
        escape_whitespaces: true,
    };
    for field in Fields::new(bytes, at, message) {
        let field = field?;
        match field.number {
            CHARSMAP => rules.charsmap = field.bytes("precompiled_charsmap")?.to_vec(),
            ADD_DUMMY_PREFIX => rules.add_dummy_prefix = field.flag("add_dummy_prefix")?,
            REMOVE_EXTRA_WHITESPACES => rules.remove_extra_whitespaces = field.flag("remove_extra_whitespaces")?,
            ESCAPE_WHITESPACES => rules.escape_whitespaces = field.flag("escape_whitespaces")?,
            _ => {}
        }
    }
    Ok(rules)
}
