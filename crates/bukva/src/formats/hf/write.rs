//! Specification → `tokenizer.json`.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::end_of_word::Mark;
use super::folder::SIDE_FILE;
use super::model::UNK_NAME;
use super::tokens::{Tokens, cannot_hold, place_added};
use super::write_model::{ModelFile, ModelOutput};
use super::{decoder, normalizer, options, postprocessor, pretokenizer, stages, unicode};
use crate::error::Result;
use crate::formats::losses::side_file;
use crate::formats::sentencepiece_hf::as_tokenizers_stages;
use crate::formats::{Loss, Written};
use crate::spec::{Alphabet, Model, Spec};

/// Writes a `tokenizer.json` that `tokenizers` loads with the same ids. O(size).
///
/// # Errors
/// [`Kind::Loss`] if the format cannot hold the tokenizer at all; [`Kind::Unsupported`] for a regular expression that
/// Oniguruma may read otherwise; [`Kind::Invariant`] if the specification is broken.
///
/// [`Kind::Loss`]: crate::Kind::Loss
/// [`Kind::Unsupported`]: crate::Kind::Unsupported
/// [`Kind::Invariant`]: crate::Kind::Invariant
pub fn write_tokenizer_json(spec: &Spec) -> Result<Written> {
    spec.validate()?;
    let (spec, mut losses) = as_tokenizers_stages(spec)?;
    let spec = &spec;
    let mark = Mark::of(spec)?;
    let mut tokens = Tokens::of(&spec.model, &spec.added_tokens, mark.as_ref())?;
    let (added, added_losses) = place_added(spec, &mut tokens)?;
    losses.extend(added_losses);
    let (model, model_losses) = ModelFile::of(spec, &tokens)?;
    losses.extend(model_losses);
    let mut file = head(spec, mark.as_ref())?;
    file.insert("added_tokens".into(), added.into_iter().map(options::write_added).collect());
    file.insert("model".into(), model.fields.clone());
    let mut file = Value::Object(file);
    losses.extend(put_unknown(spec, &mut file));
    let bytes =
        serde_json::to_vec(&Output { file: &file, model: &model }).map_err(|error| cannot_hold(&error.to_string()))?;
    Ok(Written::single("tokenizer.json", bytes, losses))
}

/// Every field but the model, in the order in which the library writes them.
fn head(spec: &Spec, mark: Option<&Mark>) -> Result<Map<String, Value>> {
    let byte_level = matches!(&spec.model, Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes);
    let normalizer = match mark {
        Some(mark) => Some(mark.normalizer(spec.normalizer.as_ref())),
        None => spec.normalizer.clone(),
    };
    let pretokenizer = match byte_level {
        true => Some(stages::with_byte_level(spec.pretokenizer.as_ref())),
        false => spec.pretokenizer.clone(),
    };
    let decoder = stages::decoder_to_file(spec.decoder.as_ref(), byte_level);
    let decoder = if let Some(mark) = mark { mark.decoder(decoder) } else { decoder };
    let mut head = Map::new();
    let mut put = |name: &str, value: Option<Value>| head.insert(name.into(), value.unwrap_or(Value::Null));
    put("version", Some(json!("1.0")));
    put("truncation", spec.truncation.as_ref().map(options::write_truncation));
    put("padding", spec.padding.as_ref().map(options::write_padding));
    put("added_tokens", None);
    let mut written = normalizer.as_ref().map(normalizer::write).transpose()?;
    written.as_mut().into_iter().for_each(|value| unicode::put(spec, value));
    put("normalizer", written);
    put("pre_tokenizer", pretokenizer.as_ref().map(pretokenizer::write).transpose()?);
    put("post_processor", spec.postprocessor.as_ref().map(postprocessor::write));
    put("decoder", decoder.as_ref().map(decoder::write).transpose()?);
    Ok(head)
}

/// Puts fields that no version knows back in their places.
fn put_unknown(spec: &Spec, file: &mut Value) -> Vec<Loss> {
    let mut losses = Vec::new();
    for (pointer, value) in &spec.unknown_fields {
        if pointer.starts_with(SIDE_FILE) {
            losses.push(side_file(pointer));
            continue;
        }
        if pointer == UNK_NAME {
            set_missing_unk(spec, file, value);
            continue;
        }
        if pointer.rfind('/') == Some(0) {
            losses.push(Loss::new("unknown field", format!("{pointer}; the library refuses a file that has it")));
            continue;
        }
        let place = pointer.rsplit_once('/').and_then(|(parent, name)| Some((file.pointer_mut(parent)?, name)));
        match place {
            Some((Value::Object(fields), name)) => {
                let name = name.replace("~1", "/").replace("~0", "~");
                fields.entry(name).or_insert_with(|| value.clone());
            }
            _ => losses.push(Loss::new("unknown field", format!("{pointer} has no place in the file"))),
        }
    }
    losses
}

/// Names the unknown token that no token has: the library then refuses unknown text, and without the name drops it.
fn set_missing_unk(spec: &Spec, file: &mut Value, name: &Value) {
    let missing = match &spec.model {
        Model::Bpe(model) => model.unk.is_none(),
        Model::WordLevel(model) => model.unk.is_none(),
        Model::WordPiece(model) => model.unk.is_none(),
        Model::Unigram(_) => false,
    };
    if let Some(unk) = file.pointer_mut(UNK_NAME).filter(|_| missing) {
        *unk = name.clone();
    }
}

/// The file, with the big tables written straight from the tokens.
struct Output<'a> {
    file: &'a Value,
    model: &'a ModelFile<'a>,
}

impl Serialize for Output<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.file.as_object().into_iter().flatten() {
            match (name.as_str(), value) {
                ("model", Value::Object(fields)) => {
                    map.serialize_entry(name, &ModelOutput { fields, model: self.model })?;
                }
                _ => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}
