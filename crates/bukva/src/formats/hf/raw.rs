//! `tokenizer.json` as it stands: the big tables of the model without copies, the rest as JSON values.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::fields::bad;
use crate::error::Result;

/// A text that borrows from the file where it has no escapes.
pub(super) type Text<'a> = Cow<'a, str>;

/// One merge: `"a b"` or `["a", "b"]`.
pub(super) enum RawMerge<'a> {
    Joined(Text<'a>),
    Pair(Text<'a>, Text<'a>),
}

/// The vocabulary: `{"token": id}` or `[["token", score]]`.
pub(super) enum RawVocab<'a> {
    Ids(Vec<(Text<'a>, u32)>),
    Scores(Vec<(Text<'a>, f64)>),
}

/// The model: tables apart, other fields as values.
#[derive(Default)]
pub(super) struct RawModel<'a> {
    pub(super) vocab: Option<RawVocab<'a>>,
    pub(super) merges: Option<Vec<RawMerge<'a>>>,
    pub(super) fields: Map<String, Value>,
}

/// The whole file.
#[derive(Default)]
pub(super) struct RawFile<'a> {
    pub(super) model: Option<RawModel<'a>>,
    pub(super) fields: Map<String, Value>,
}

impl<'a> RawModel<'a> {
    /// A model made of tables and an object with its other fields.
    pub(super) fn of(vocab: RawVocab<'a>, merges: Option<Vec<RawMerge<'a>>>, fields: Value) -> Self {
        RawModel { vocab: Some(vocab), merges, fields: object(fields) }
    }
}

impl<'a> RawFile<'a> {
    /// A file made of a model and an object with its other fields.
    pub(super) fn of(model: RawModel<'a>, fields: Value) -> Self {
        RawFile { model: Some(model), fields: object(fields) }
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Parses the file. O(size); nesting is limited to 128.
pub(super) fn parse(bytes: &[u8]) -> Result<RawFile<'_>> {
    from_json(bytes)
}

/// Parses any JSON, with the place of the first error.
pub(super) fn from_json<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        bad(reason).at_line(error.line() as u64).at_byte(offset(bytes, error.line(), error.column()))
    })
}

/// Byte offset of a line and column, both from 1.
pub(in crate::formats) fn offset(bytes: &[u8], line: usize, column: usize) -> u64 {
    let start =
        bytes.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum::<usize>();
    (start + column.saturating_sub(1)) as u64
}

impl<'de> Deserialize<'de> for RawFile<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = RawFile<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with the field \"model\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut file = RawFile::default();
        while let Some(name) = map.next_key::<String>()? {
            if name == "model" {
                once(&mut file.model, &name, map.next_value()?)?;
            } else {
                insert(&mut file.fields, name, map.next_value()?)?;
            }
        }
        Ok(file)
    }
}

impl<'de> Deserialize<'de> for RawModel<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ModelVisitor)
    }
}

struct ModelVisitor;

impl<'de> Visitor<'de> for ModelVisitor {
    type Value = RawModel<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a model: an object with the field \"vocab\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut model = RawModel::default();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "vocab" => once(&mut model.vocab, &name, map.next_value()?)?,
                "merges" => once(&mut model.merges, &name, map.next_value()?)?,
                _ => insert(&mut model.fields, name, map.next_value()?)?,
            }
        }
        Ok(model)
    }
}

fn once<T, E: serde::de::Error>(slot: &mut Option<T>, name: &str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        Some(_) => Err(E::custom(format!("field {name:?} is there twice"))),
        None => Ok(()),
    }
}

fn insert<E: serde::de::Error>(fields: &mut Map<String, Value>, name: String, value: Value) -> Result<(), E> {
    match fields.insert(name.clone(), value) {
        Some(_) => Err(E::custom(format!("field {name:?} is there twice"))),
        None => Ok(()),
    }
}

impl<'de> Deserialize<'de> for RawVocab<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VocabVisitor)
    }
}

struct VocabVisitor;

impl<'de> Visitor<'de> for VocabVisitor {
    type Value = RawVocab<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a vocabulary: an object of token and id, or a list of token and score")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut ids = Vec::new();
        while let Some(OwnedOrBorrowed(token)) = map.next_key()? {
            ids.push((token, map.next_value()?));
        }
        Ok(RawVocab::Ids(ids))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut scores = Vec::new();
        while let Some((OwnedOrBorrowed(token), score)) = seq.next_element()? {
            scores.push((token, score));
        }
        Ok(RawVocab::Scores(scores))
    }
}

impl<'de> Deserialize<'de> for RawMerge<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MergeVisitor)
    }
}

struct MergeVisitor;

impl<'de> Visitor<'de> for MergeVisitor {
    type Value = RawMerge<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a merge: \"left right\" or [\"left\", \"right\"]")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(RawMerge::Joined(Cow::Borrowed(text)))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(RawMerge::Joined(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut next = || seq.next_element_seed(TextSeed);
        match (next()?, next()?, next()?) {
            (Some(left), Some(right), None) => Ok(RawMerge::Pair(left, right)),
            _ => Err(A::Error::custom("a merge has two tokens")),
        }
    }
}

/// A string key or value, borrowed where it can be.
struct OwnedOrBorrowed<'a>(Text<'a>);

impl<'de> Deserialize<'de> for OwnedOrBorrowed<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        TextSeed.deserialize(deserializer).map(OwnedOrBorrowed)
    }
}

struct TextSeed;

impl<'de> DeserializeSeed<'de> for TextSeed {
    type Value = Text<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for TextSeed {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}
