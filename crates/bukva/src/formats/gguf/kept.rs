//! What a file says of its tokenizer beside the specification.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::KEPT;
use super::metadata::{Metadata, utf8};
use super::sentencepiece::CHARSMAP;
use super::tokens::{SCORES, TOKENS, TYPES, Tokens};
use super::wire::{Array, Value};
use crate::error::Result;
use crate::formats::hf::SIDE_FILE;

const OF_TOKENIZER: &str = "tokenizer.";
const CHAT_TEMPLATE: &str = "tokenizer.chat_template";
/// The tables of the specification.
const TABLES: [&str; 5] = [TOKENS, SCORES, TYPES, CHARSMAP, "tokenizer.ggml.merges"];
/// Longer lists are left out: they would take many times the memory of the file.
const LONGEST: u64 = 65_536;

/// The tokens that a chat template can ask for, and the keys of their ids.
const NAMED: [(&str, &str); 6] = [
    ("bos_token", "tokenizer.ggml.bos_token_id"),
    ("eos_token", "tokenizer.ggml.eos_token_id"),
    ("unk_token", "tokenizer.ggml.unknown_token_id"),
    ("sep_token", "tokenizer.ggml.seperator_token_id"),
    ("pad_token", "tokenizer.ggml.padding_token_id"),
    ("mask_token", "tokenizer.ggml.mask_token_id"),
];

/// Everything under `tokenizer.` that is no table; the chat template as the side file of a folder, with the tokens
/// that it can ask for.
pub(super) fn kept(metadata: &Metadata<'_>, tokens: &Tokens<'_>) -> Result<BTreeMap<String, Json>> {
    let mut fields = Map::new();
    for field in metadata.fields() {
        let of_tokenizer = field.key.starts_with(OF_TOKENIZER) && field.key != CHAT_TEMPLATE;
        if of_tokenizer
            && !TABLES.contains(&field.key)
            && let Some(value) = json_of(field.value, field.key, field.at)?
        {
            fields.insert(field.key.to_owned(), value);
        }
    }
    let mut kept = BTreeMap::from([(KEPT.to_owned(), fields.into())]);
    if let Some(template) = metadata.text(CHAT_TEMPLATE)? {
        kept.insert(format!("{SIDE_FILE}chat_template.jinja"), template.into());
        kept.insert(format!("{SIDE_FILE}tokenizer_config.json"), named(metadata, tokens)?);
    }
    Ok(kept)
}

fn named(metadata: &Metadata<'_>, tokens: &Tokens<'_>) -> Result<Json> {
    let mut config = Map::new();
    for (name, key) in NAMED {
        if let Some(token) = tokens.named(metadata, key)? {
            config.insert(name.to_owned(), token.text.into());
        }
    }
    Ok(config.into())
}

fn json_of(value: Value<'_>, key: &str, at: u64) -> Result<Option<Json>> {
    Ok(Some(match value {
        Value::Unsigned(number) => json!(number),
        Value::Signed(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        Value::Text(bytes) => json!(utf8(bytes, key, at)?),
        Value::Array(Array { len, .. }) if len > LONGEST => return Ok(None),
        Value::Array(array) => {
            let item = |value: Result<(Value<'_>, u64)>| value.and_then(|(value, at)| json_of(value, key, at));
            Json::Array(array.values().filter_map(|value| item(value).transpose()).collect::<Result<_>>()?)
        }
    }))
}
