//! Normalizers of `tokenizer.json`, both ways.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::fields::{Fields, Unknown, bad};
use super::pattern;
use crate::error::Result;
use crate::spec::{Form, Normalizer, Pattern};

/// Every run of white space, as this format writes it.
const WHITESPACE_RUN: &str = r"\s+";

/// What those have that stand without a type.
const FORMS: [(&str, &[&str]); 5] = [
    ("BertNormalizer", &["clean_text", "handle_chinese_chars", "lowercase"]),
    ("Strip", &["strip_left", "strip_right"]),
    ("Sequence", &["normalizers"]),
    ("Replace", &["pattern", "content"]),
    ("Prepend", &["prepend"]),
];

/// Reads the normalizer at `at`.
pub(super) fn read(value: Value, at: &str, unknown: &mut Unknown) -> Result<Normalizer> {
    let mut fields = Fields::of(value, at)?;
    let kind = fields.kind_or(&FORMS)?;
    let normalizer = match kind.as_str() {
        "NFC" => Normalizer::Unicode { form: Form::Nfc },
        "NFD" => Normalizer::Unicode { form: Form::Nfd },
        "NFKC" => Normalizer::Unicode { form: Form::Nfkc },
        "NFKD" => Normalizer::Unicode { form: Form::Nfkd },
        "Lowercase" => Normalizer::Lowercase,
        "StripAccents" => Normalizer::StripAccents,
        "Nmt" => Normalizer::Nmt,
        "ByteLevel" => Normalizer::ByteLevel,
        "Strip" => Normalizer::Strip { left: fields.required("strip_left")?, right: fields.required("strip_right")? },
        "Prepend" => Normalizer::Prepend { content: fields.required("prepend")? },
        "Replace" => read_replace(&mut fields)?,
        "BertNormalizer" => Normalizer::Bert {
            clean_text: fields.required("clean_text")?,
            handle_chinese_chars: fields.required("handle_chinese_chars")?,
            strip_accents: fields.optional("strip_accents")?,
            lowercase: fields.required("lowercase")?,
        },
        "Precompiled" => read_precompiled(&mut fields)?,
        "Sequence" => {
            let items = fields.list("normalizers")?;
            let items = items.into_iter().map(|(at, item)| read(item, &at, unknown)).collect::<Result<_>>()?;
            Normalizer::Sequence { items }
        }
        _ => return Err(fields.unsupported(&kind)),
    };
    fields.finish(unknown);
    Ok(normalizer)
}

fn read_replace(fields: &mut Fields) -> Result<Normalizer> {
    let pattern = pattern::read(fields)?;
    let content: String = fields.required("content")?;
    if pattern == Pattern::Regex(WHITESPACE_RUN.to_owned()) && content == " " {
        return Ok(Normalizer::CollapseWhitespace);
    }
    Ok(Normalizer::Replace { pattern, content })
}

fn read_precompiled(fields: &mut Fields) -> Result<Normalizer> {
    let text: String = fields.required("precompiled_charsmap")?;
    let charsmap = STANDARD
        .decode(text)
        .map_err(|error| bad(format!("{} is not base64: {error}", fields.place("precompiled_charsmap"))))?;
    Ok(Normalizer::Precompiled { charsmap })
}

/// Writes a normalizer.
pub(super) fn write(normalizer: &Normalizer) -> Result<Value> {
    Ok(match normalizer {
        Normalizer::Unicode { form } => json!({"type": form_name(*form)}),
        Normalizer::Lowercase => json!({"type": "Lowercase"}),
        Normalizer::CollapseWhitespace => {
            json!({"type": "Replace", "pattern": {"Regex": WHITESPACE_RUN}, "content": " "})
        }
        Normalizer::Strip { left, right } => json!({"type": "Strip", "strip_left": left, "strip_right": right}),
        Normalizer::StripAccents => json!({"type": "StripAccents"}),
        Normalizer::Replace { pattern, content } => {
            json!({"type": "Replace", "pattern": pattern::write(pattern)?, "content": content})
        }
        Normalizer::Prepend { content } => json!({"type": "Prepend", "prepend": content}),
        Normalizer::ByteLevel => json!({"type": "ByteLevel"}),
        Normalizer::Bert { clean_text, handle_chinese_chars, strip_accents, lowercase } => json!({
            "type": "BertNormalizer",
            "clean_text": clean_text,
            "handle_chinese_chars": handle_chinese_chars,
            "strip_accents": strip_accents,
            "lowercase": lowercase,
        }),
        Normalizer::Nmt => json!({"type": "Nmt"}),
        Normalizer::Precompiled { charsmap } => {
            json!({"type": "Precompiled", "precompiled_charsmap": STANDARD.encode(charsmap)})
        }
        Normalizer::SentencePiece { .. } => {
            return Err(bad("the normalizer of a SentencePiece model has to be put as stages of this format first"));
        }
        Normalizer::Sequence { items } => {
            json!({"type": "Sequence", "normalizers": items.iter().map(write).collect::<Result<Vec<_>>>()?})
        }
    })
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::Nfc => "NFC",
        Form::Nfd => "NFD",
        Form::Nfkc => "NFKC",
        Form::Nfkd => "NFKD",
    }
}
