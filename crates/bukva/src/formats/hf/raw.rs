//! `tokenizer.json` as it stands: the big tables of the model in blocks, the rest as JSON values.
//!
//! [`parse`] and [`read_vocab`] try [`super::scan`] first, which reads files of the usual shape and no other. What is here
//! reads every file, and says what is wrong with one.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::fields::bad;
use super::merge_texts::MergeTexts;
use super::scan;
use super::texts::{Entries, Texts};
use crate::error::Result;

/// The vocabulary: `{"token": id}` or `[["token", score]]`.
pub(super) enum RawVocab {
    Ids(Entries),
    Scores(Texts, Vec<f64>),
}

/// The model: tables apart, other fields as values.
#[derive(Default)]
pub(super) struct RawModel {
    pub(super) vocab: Option<RawVocab>,
    pub(super) merges: Option<MergeTexts>,
    pub(super) fields: Map<String, Value>,
}

/// The whole file.
#[derive(Default)]
pub(super) struct RawFile {
    pub(super) model: Option<RawModel>,
    pub(super) fields: Map<String, Value>,
}

impl RawModel {
    /// A model made of tables and an object with its other fields.
    pub(super) fn of(vocab: RawVocab, merges: Option<MergeTexts>, fields: Value) -> Self {
        RawModel { vocab: Some(vocab), merges, fields: object(fields) }
    }
}

impl RawFile {
    /// A file made of a model and an object with its other fields.
    pub(super) fn of(model: RawModel, fields: Value) -> Self {
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
pub(super) fn parse(bytes: &[u8]) -> Result<RawFile> {
    scan::file(bytes).map_or_else(|| from_json(bytes), Ok)
}

/// Parses a vocabulary that is a file of its own. O(size).
pub(super) fn read_vocab(bytes: &[u8]) -> Result<RawVocab> {
    scan::vocab_file(bytes).map_or_else(|| from_json(bytes), Ok)
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

impl<'de> Deserialize<'de> for RawFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = RawFile;

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

impl<'de> Deserialize<'de> for RawModel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ModelVisitor)
    }
}

struct ModelVisitor;

impl<'de> Visitor<'de> for ModelVisitor {
    type Value = RawModel;

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

impl<'de> Deserialize<'de> for RawVocab {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VocabVisitor)
    }
}

struct VocabVisitor;

impl<'de> Visitor<'de> for VocabVisitor {
    type Value = RawVocab;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a vocabulary: an object of token and id, or a list of token and score")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut texts, mut ids) = (Texts::default(), Vec::new());
        while map.next_key_seed(TextInto(&mut texts))?.is_some() {
            ids.push(map.next_value()?);
        }
        Ok(RawVocab::Ids(Entries::of(texts, ids)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut texts, mut scores) = (Texts::default(), Vec::new());
        while let Some(score) = seq.next_element_seed(ScoredInto(&mut texts))? {
            scores.push(score);
        }
        Ok(RawVocab::Scores(texts, scores))
    }
}

impl<'de> Deserialize<'de> for MergeTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(MergesVisitor)
    }
}

struct MergesVisitor;

impl<'de> Visitor<'de> for MergesVisitor {
    type Value = MergeTexts;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of merges")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut merges = MergeTexts::default();
        while seq.next_element_seed(MergeInto(&mut merges))?.is_some() {}
        Ok(merges)
    }
}

/// Puts one merge, `"a b"` or `["a", "b"]`, behind those before it.
struct MergeInto<'m>(&'m mut MergeTexts);

impl<'de> DeserializeSeed<'de> for MergeInto<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MergeInto<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a merge: \"left right\" or [\"left\", \"right\"]")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.0.push_joined(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut halves = Texts::default();
        while seq.next_element_seed(TextInto(&mut halves))?.is_some() {
            if halves.len() > 2 {
                break;
            }
        }
        if halves.len() != 2 {
            return Err(A::Error::custom("a merge has two tokens"));
        }
        self.0.push_pair(halves.get(0), halves.get(1));
        Ok(())
    }
}

/// Puts a token behind those before it, and gives its score.
struct ScoredInto<'t>(&'t mut Texts);

impl<'de> DeserializeSeed<'de> for ScoredInto<'_> {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for ScoredInto<'_> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a tuple of size 2")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<f64, A::Error> {
        let token = seq.next_element_seed(TextInto(self.0))?;
        token.ok_or_else(|| A::Error::invalid_length(0, &"a tuple of size 2"))?;
        seq.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &"a tuple of size 2"))
    }
}

/// Puts a text behind those before it.
struct TextInto<'t>(&'t mut Texts);

impl<'de> DeserializeSeed<'de> for TextInto<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for TextInto<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.0.push(text);
        Ok(())
    }
}
