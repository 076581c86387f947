//! The folder that `AutoTokenizer` loads.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::write_tokenizer_json;
use crate::error::Result;
use crate::formats::{File, Written};
use crate::spec::{Model, Spec};

/// Fields of a folder's side files in [`Spec::unknown_fields`] have this before the file's name.
pub const SIDE_FILE: &str = "file:";

/// The side files that a folder is known to have.
pub(in crate::formats) const SIDE_FILES: [&str; 5] = [
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
];

/// The folder of further chat templates, each a file `NAME.jinja`, as `transformers` writes them.
pub(in crate::formats) const TEMPLATES: &str = "additional_chat_templates";

/// Whether a side file is one of [`TEMPLATES`]: a plain name in that folder, and nothing that leads out of it.
pub(in crate::formats) fn is_template(name: &str) -> bool {
    let file = name.strip_prefix(TEMPLATES).and_then(|rest| rest.strip_prefix('/'));
    let stem = file.and_then(|file| file.strip_suffix(".jinja"));
    stem.is_some_and(|stem| !stem.is_empty() && !stem.starts_with('.') && !stem.contains(['/', '\\', ':', '\0']))
}

/// Writes `tokenizer.json`, `tokenizer_config.json` and `special_tokens_map.json`, and the other side files that the
/// tokenizer came with. A side file that was read is written back as it was.
///
/// # Errors
/// Those of [`write_tokenizer_json`].
pub fn write_folder(spec: &Spec) -> Result<Written> {
    let mut alone = spec.clone();
    alone.unknown_fields.retain(|name, _| !name.starts_with(SIDE_FILE));
    let mut written = write_tokenizer_json(&alone)?;
    let kept = spec.unknown_fields.keys().filter_map(|key| key.strip_prefix(SIDE_FILE));
    for name in SIDE_FILES.into_iter().chain(kept.filter(|name| is_template(name))) {
        let kept = spec.unknown_fields.get(&format!("{SIDE_FILE}{name}"));
        let bytes = match kept.cloned().or_else(|| own_side_file(spec, name)) {
            Some(Value::String(text)) if name.ends_with(".jinja") => text.into_bytes(),
            Some(value) => pretty(&value),
            None => continue,
        };
        written.files.push(File { name: name.to_owned(), bytes });
    }
    Ok(written)
}

/// The side file that is written where none was read.
pub(in crate::formats) fn own_side_file(spec: &Spec, name: &str) -> Option<Value> {
    match name {
        "tokenizer_config.json" => Some(config(spec)),
        "special_tokens_map.json" => Some(Value::Object(roles(spec))),
        _ => None,
    }
}

/// What `AutoTokenizer` needs besides the tokenizer itself.
fn config(spec: &Spec) -> Value {
    let mut config = Map::new();
    config.insert("tokenizer_class".into(), json!("PreTrainedTokenizerFast"));
    // Decoding is what the file's decoder says, with nothing added.
    config.insert("clean_up_tokenization_spaces".into(), json!(false));
    if let Some(truncation) = &spec.truncation {
        config.insert("model_max_length".into(), json!(truncation.max_length));
    }
    config.extend(roles(spec));
    Value::Object(config)
}

/// The roles that the specification states: the unknown and the padding token. Other special tokens are only named:
/// which of them opens or closes a text, it does not say.
fn roles(spec: &Spec) -> Map<String, Value> {
    let unk = match &spec.model {
        Model::Bpe(model) => model.unk,
        Model::WordPiece(model) => model.unk,
        Model::Unigram(model) => model.unk,
        Model::WordLevel(model) => model.unk,
    };
    let unk = unk.and_then(|unk| spec.special_tokens().find(|token| token.id == unk)).map(|token| &token.content);
    let pad = spec.padding.as_ref().map(|padding| &padding.pad_token);
    let mut roles = Map::new();
    roles.extend(unk.map(|unk| ("unk_token".to_owned(), json!(unk))));
    roles.extend(pad.map(|pad| ("pad_token".to_owned(), json!(pad))));
    // Of an id with several names the file keeps the first: another would get an id of its own on loading.
    let mut ids = FxHashSet::default();
    let others = spec
        .special_tokens()
        .filter(|token| ids.insert(token.id))
        .map(|token| &token.content)
        .filter(|&content| Some(content) != unk && Some(content) != pad);
    let others: Vec<Value> = others.map(|content| json!(content)).collect();
    if !others.is_empty() {
        roles.insert("additional_special_tokens".into(), Value::Array(others));
    }
    roles
}

fn pretty(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}
