//! The folder that `AutoTokenizer` loads.

use serde_json::{Map, Value, json};

use super::write_tokenizer_json;
use crate::error::Result;
use crate::formats::{File, Written};
use crate::spec::{Model, Spec};

/// Writes `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json`.
///
/// # Errors
/// Those of [`write_tokenizer_json`].
pub fn write_folder(spec: &Spec) -> Result<Written> {
    let mut written = write_tokenizer_json(spec)?;
    let roles = roles(spec);
    let mut config = Map::new();
    config.insert("tokenizer_class".into(), json!("PreTrainedTokenizerFast"));
    // Decoding is what the file's decoder says, with nothing added.
    config.insert("clean_up_tokenization_spaces".into(), json!(false));
    if let Some(truncation) = &spec.truncation {
        config.insert("model_max_length".into(), json!(truncation.max_length));
    }
    config.extend(roles.clone());
    written.files.push(File { name: "tokenizer_config.json", bytes: pretty(config) });
    written.files.push(File { name: "special_tokens_map.json", bytes: pretty(roles) });
    Ok(written)
}

/// The roles that the specification states: the unknown and the padding token. Other special tokens are only named:
/// which of them opens or closes a text, it does not say.
fn roles(spec: &Spec) -> Map<String, Value> {
    let unk = match &spec.model {
        Model::Bpe(model) => model.unk,
        Model::WordPiece(model) => Some(model.unk),
        Model::Unigram(model) => model.unk,
        Model::WordLevel(model) => model.unk,
    };
    let unk = unk.and_then(|unk| spec.special_tokens().find(|token| token.id == unk)).map(|token| &token.content);
    let pad = spec.padding.as_ref().map(|padding| &padding.pad_token);
    let mut roles = Map::new();
    roles.extend(unk.map(|unk| ("unk_token".to_owned(), json!(unk))));
    roles.extend(pad.map(|pad| ("pad_token".to_owned(), json!(pad))));
    let others = spec
        .special_tokens()
        .map(|token| &token.content)
        .filter(|&content| Some(content) != unk && Some(content) != pad);
    let others: Vec<Value> = others.map(|content| json!(content)).collect();
    if !others.is_empty() {
        roles.insert("additional_special_tokens".into(), Value::Array(others));
    }
    roles
}

fn pretty(fields: Map<String, Value>) -> Vec<u8> {
    format!("{:#}\n", Value::Object(fields)).into_bytes()
}
