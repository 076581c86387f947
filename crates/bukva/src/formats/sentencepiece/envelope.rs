//! What a model file holds beside the specification: the order of its fields, and those that only training knows.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::message::{CHARSMAP, Piece, kind_number};
use super::wire::{Field, Fields, Value, put_bytes, put_float, put_number, put_varint};
use crate::error::{Error, Kind, Result};
use crate::spec::PieceKind;

/// One stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    /// So many pieces.
    Pieces(usize),
    /// A message of the specification, without what the specification has.
    Message(u32, Raw),
    /// A field that nobody knows, with its tag.
    Other(Raw),
}

/// Everything that is needed to write the same file again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Envelope {
    pub(super) parts: Vec<Part>,
    /// Ordinary pieces say that they are.
    pub(super) explicit_kinds: bool,
    /// Pieces that are written otherwise than usual, as they stand.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(super) pieces: BTreeMap<usize, Raw>,
}

impl Envelope {
    /// From [`super::KEPT`].
    pub(super) fn from_json(value: &serde_json::Value) -> Result<Self> {
        Envelope::deserialize(value).map_err(|error| {
            let message = format!("the kept fields of a SentencePiece model do not fit: {error}");
            Error::new(Kind::Format, message)
        })
    }
}

/// Bytes, written in base64.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Raw(pub(super) Vec<u8>);

impl From<Raw> for String {
    fn from(raw: Raw) -> String {
        STANDARD.encode(raw.0)
    }
}

impl TryFrom<String> for Raw {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        STANDARD.decode(text).map(Raw)
    }
}

/// The content of a piece as it is usually written.
pub(super) fn put_piece(text: &str, score: f32, kind: PieceKind, explicit_kind: bool, out: &mut Vec<u8>) {
    put_bytes(1, text.as_bytes(), out);
    put_float(2, score, out);
    if explicit_kind || kind != PieceKind::Normal {
        put_number(3, kind_number(kind), out);
    }
}

/// Whether `raw` is the usual way to write `piece`; `scratch` is any buffer.
pub(super) fn is_usual(raw: &[u8], piece: &Piece<'_>, explicit_kind: bool, scratch: &mut Vec<u8>) -> bool {
    scratch.clear();
    put_piece(piece.text, piece.score, piece.kind, explicit_kind, scratch);
    scratch == raw
}

/// A message without the bytes of its character map.
pub(super) fn without_charsmap(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for field in Fields::new(bytes, 0, "normalizer_spec") {
        let field = field?;
        if field.number == CHARSMAP { put_bytes(CHARSMAP, &[], &mut out) } else { out.extend_from_slice(field.raw) }
    }
    Ok(out)
}

/// A field that the specification decides.
pub(super) struct Known<'a> {
    number: u32,
    value: Value<'a>,
    /// Left out where the template has no such field.
    is_default: bool,
    /// Only whether the number is zero counts.
    is_flag: bool,
}

impl<'a> Known<'a> {
    /// A number with its default.
    pub(super) fn number(number: u32, value: u64, default: u64) -> Self {
        Known { number, value: Value::Varint(value), is_default: value == default, is_flag: false }
    }

    /// A flag with its default.
    pub(super) fn flag(number: u32, value: bool, default: bool) -> Self {
        Known { number, value: Value::Varint(u64::from(value)), is_default: value == default, is_flag: true }
    }

    /// Bytes with their default.
    pub(super) fn bytes(number: u32, value: &'a [u8], default: &[u8]) -> Self {
        Known { number, value: Value::Bytes(value), is_default: value == default, is_flag: false }
    }

    /// Whether the field has this value; a flag may be any number.
    fn is_said_by(&self, field: &Field<'_>) -> bool {
        match (self.value, field.value) {
            (Value::Varint(ours), Value::Varint(theirs)) => {
                ours == theirs || (self.is_flag && (ours != 0) == (theirs != 0))
            }
            (ours, theirs) => ours == theirs,
        }
    }
}

/// `template` with the values of `known`: each in its last place there, which is the one that counts, or else at the
/// end. A value that is there already stays as it is written.
pub(super) fn filled(template: &[u8], known: &[Known<'_>]) -> Result<Vec<u8>> {
    let fields: Vec<Field<'_>> = Fields::new(template, 0, "a kept message").collect::<Result<_>>()?;
    let place = |known: &Known<'_>| fields.iter().rposition(|field| field.number == known.number);
    let places: Vec<Option<usize>> = known.iter().map(place).collect();
    let mut out = Vec::with_capacity(template.len());
    for (index, field) in fields.iter().enumerate() {
        match places.iter().position(|&place| place == Some(index)) {
            Some(at) if !known[at].is_said_by(field) => put(&known[at], &mut out),
            _ => out.extend_from_slice(field.raw),
        }
    }
    let missing = known.iter().zip(places).filter(|(known, place)| place.is_none() && !known.is_default);
    missing.for_each(|(known, _)| put(known, &mut out));
    Ok(out)
}

fn put(known: &Known<'_>, out: &mut Vec<u8>) {
    match known.value {
        Value::Varint(value) => put_number(known.number, value, out),
        Value::Bytes(bytes) => put_bytes(known.number, bytes, out),
        Value::Fixed32(bytes) => put_float(known.number, f32::from_le_bytes(bytes), out),
        Value::Fixed64(bytes) => {
            put_varint(u64::from(known.number) << 3 | 1, out);
            out.extend_from_slice(&bytes);
        }
    }
}
