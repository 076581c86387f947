//! Specification → `tokenizer.json`.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};

use super::end_of_word::Mark;
use super::tokens::{Tokens, cannot_hold, mapped, place_added};
use super::{decoder, normalizer, options, postprocessor, pretokenizer, stages};
use crate::error::{Error, Kind, Result};
use crate::formats::tiktoken::same_ids::first_difference;
use crate::formats::{Loss, Written};
use crate::spec::{Alphabet, Bpe, Merge, Model, Spec};

/// Writes a `tokenizer.json` that `tokenizers` loads with the same ids. O(size).
///
/// # Errors
/// [`Kind::Loss`] if the format cannot hold the tokenizer at all; [`Kind::Unsupported`] for a regular expression that
/// Oniguruma may read otherwise, and for models other than BPE; [`Kind::Invariant`] if the specification is broken.
pub fn write_tokenizer_json(spec: &Spec) -> Result<Written> {
    spec.validate()?;
    let Model::Bpe(bpe) = &spec.model else {
        return Err(Error::new(Kind::Unsupported, "this version writes tokenizer.json for BPE only"));
    };
    let mark = Mark::of(spec, bpe)?;
    let mut tokens = Tokens::of(bpe, &spec.added_tokens, mark.as_ref())?;
    let (added, mut losses) = place_added(spec, &mut tokens)?;
    let model = model_fields(bpe, &tokens, spec)?;
    tokens.check_merges(bpe, model["continuing_subword_prefix"].as_str().unwrap_or(""))?;
    losses.extend(equal_ranks_loss(bpe)?);
    let mut file = head(spec, mark.as_ref())?;
    file.insert("added_tokens".into(), added.into_iter().map(options::write_added).collect());
    file.insert("model".into(), model);
    let mut file = Value::Object(file);
    losses.extend(put_unknown(spec, &mut file));
    let bytes = serde_json::to_vec(&Output { file: &file, tokens: &tokens, merges: &bpe.merges })
        .map_err(|error| cannot_hold(&error.to_string()))?;
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
    stages::check(normalizer.as_ref(), byte_level, decoder.as_ref())?;
    let mut head = Map::new();
    let mut put = |name: &str, value: Option<Value>| head.insert(name.into(), value.unwrap_or(Value::Null));
    put("version", Some(json!("1.0")));
    put("truncation", spec.truncation.as_ref().map(options::write_truncation));
    put("padding", spec.padding.as_ref().map(options::write_padding));
    put("added_tokens", None);
    put("normalizer", normalizer.as_ref().map(normalizer::write).transpose()?);
    put("pre_tokenizer", pretokenizer.as_ref().map(pretokenizer::write).transpose()?);
    put("post_processor", spec.postprocessor.as_ref().map(postprocessor::write));
    put("decoder", decoder.as_ref().map(decoder::write).transpose()?);
    Ok(head)
}

/// The model without its tables.
fn model_fields(bpe: &Bpe, tokens: &Tokens, spec: &Spec) -> Result<Value> {
    let affix = |text: &str| match bpe.alphabet {
        Alphabet::Bytes => mapped(text.as_bytes()),
        Alphabet::Chars => text.to_owned(),
    };
    let unk = bpe.unk.map(|id| {
        let added = || spec.added_tokens.iter().find(|token| token.id == id).map(|token| token.content.as_str());
        tokens.text(id).or_else(added).unwrap_or_default().to_owned()
    });
    let suffix = bpe.end_of_word.as_ref().filter(|end| end.attached).map(|end| affix(&end.marker));
    Ok(json!({
        "type": "BPE",
        "dropout": bpe.dropout,
        "unk_token": unk,
        "continuing_subword_prefix": bpe.continuing_prefix.as_deref().map(affix),
        "end_of_word_suffix": suffix,
        "fuse_unk": bpe.fuse_unk,
        "byte_fallback": bpe.byte_fallback,
        "ignore_merges": bpe.ignore_merges,
    }))
}

/// The format gives every merge a rank of its own. Where several share one, that may change ids: it is checked.
fn equal_ranks_loss(bpe: &Bpe) -> Result<Option<Loss>> {
    if bpe.merges.windows(2).all(|pair| pair[0].rank < pair[1].rank) {
        return Ok(None);
    }
    let mut ranked = bpe.clone();
    (0..).zip(&mut ranked.merges).for_each(|(rank, merge)| merge.rank = rank);
    let depends_on_place = bpe.end_of_word.is_some() || bpe.continuing_prefix.is_some();
    let same = !depends_on_place && first_difference(bpe, &ranked)?.is_none();
    let detail = "several merges have one rank, and in the file each has its own; ids of some texts may change";
    Ok((!same).then(|| Loss::new("merges", detail)))
}

/// Puts fields that no version knows back in their places.
fn put_unknown(spec: &Spec, file: &mut Value) -> Vec<Loss> {
    let mut losses = Vec::new();
    for (pointer, value) in &spec.unknown_fields {
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

/// The file, with the big tables written straight from the tokens.
struct Output<'a> {
    file: &'a Value,
    tokens: &'a Tokens,
    merges: &'a [Merge],
}

impl Serialize for Output<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.file.as_object().into_iter().flatten() {
            if name == "model" {
                map.serialize_entry(name, &ModelOutput { fields: value, output: self })?;
            } else {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

struct ModelOutput<'a> {
    fields: &'a Value,
    output: &'a Output<'a>,
}

impl Serialize for ModelOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.fields.as_object().into_iter().flatten() {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry("vocab", &VocabOutput(&self.output.tokens.entries))?;
        map.serialize_entry("merges", &MergesOutput(self.output))?;
        map.end()
    }
}

/// `{"token": id}`.
pub(super) struct VocabOutput<'a>(pub(super) &'a [(String, u32)]);

impl Serialize for VocabOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(text, id)| (text, id)))
    }
}

struct MergesOutput<'a>(&'a Output<'a>);

impl Serialize for MergesOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Output { tokens, merges, .. } = self.0;
        let text = |id| tokens.text(id).unwrap_or_default();
        let mut seq = serializer.serialize_seq(Some(merges.len()))?;
        for merge in *merges {
            seq.serialize_element(&[text(merge.left), text(merge.right)])?;
        }
        seq.end()
    }
}
