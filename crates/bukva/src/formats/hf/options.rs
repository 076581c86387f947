//! Truncation, padding and added tokens of `tokenizer.json`, both ways.

use serde_json::{Value, json};

use super::fields::{Fields, Unknown, bad};
use crate::error::Result;
use crate::spec::{AddedToken, Padding, Side, Truncation, TruncationStrategy};

/// Reads `truncation`.
pub(super) fn read_truncation(value: Value, at: &str, unknown: &mut Unknown) -> Result<Truncation> {
    let mut fields = Fields::of(value, at)?;
    let strategy: String = fields.or("strategy", "LongestFirst".to_owned())?;
    let strategy = match strategy.as_str() {
        "LongestFirst" => TruncationStrategy::LongestFirst,
        "OnlyFirst" => TruncationStrategy::OnlyFirst,
        "OnlySecond" => TruncationStrategy::OnlySecond,
        _ => return Err(bad(format!("{at}/strategy is {strategy:?}; expected LongestFirst, OnlyFirst or OnlySecond"))),
    };
    let truncation = Truncation {
        max_length: fields.required("max_length")?,
        stride: fields.or("stride", 0)?,
        strategy,
        side: read_side(&mut fields)?,
    };
    fields.finish(unknown);
    Ok(truncation)
}

/// Writes `truncation`.
pub(super) fn write_truncation(truncation: &Truncation) -> Value {
    let strategy = match truncation.strategy {
        TruncationStrategy::LongestFirst => "LongestFirst",
        TruncationStrategy::OnlyFirst => "OnlyFirst",
        TruncationStrategy::OnlySecond => "OnlySecond",
    };
    json!({
        "direction": side_name(truncation.side),
        "max_length": truncation.max_length,
        "strategy": strategy,
        "stride": truncation.stride,
    })
}

/// Reads `padding`.
pub(super) fn read_padding(value: Value, at: &str, unknown: &mut Unknown) -> Result<Padding> {
    let mut fields = Fields::of(value, at)?;
    let padding = Padding {
        length: read_length(&mut fields)?,
        side: read_side(&mut fields)?,
        multiple_of: fields.optional("pad_to_multiple_of")?,
        pad_id: fields.required("pad_id")?,
        pad_type_id: fields.required("pad_type_id")?,
        pad_token: fields.required("pad_token")?,
    };
    fields.finish(unknown);
    Ok(padding)
}

/// `"BatchLongest"` or `{"Fixed": length}`.
fn read_length(fields: &mut Fields) -> Result<Option<usize>> {
    let at = fields.place("strategy");
    match fields.required("strategy")? {
        Value::String(name) if name == "BatchLongest" => Ok(None),
        value @ Value::Object(_) => {
            let mut fixed = Fields::of(value, &at)?;
            let length = fixed.required("Fixed")?;
            fixed.finish_closed()?;
            Ok(Some(length))
        }
        other => Err(bad(format!("{at} is {other}; expected \"BatchLongest\" or {{\"Fixed\": length}}"))),
    }
}

/// Writes `padding`.
pub(super) fn write_padding(padding: &Padding) -> Value {
    let strategy = match padding.length {
        Some(length) => json!({"Fixed": length}),
        None => json!("BatchLongest"),
    };
    json!({
        "strategy": strategy,
        "direction": side_name(padding.side),
        "pad_to_multiple_of": padding.multiple_of,
        "pad_id": padding.pad_id,
        "pad_type_id": padding.pad_type_id,
        "pad_token": padding.pad_token,
    })
}

fn read_side(fields: &mut Fields) -> Result<Side> {
    let name: String = fields.or("direction", "Right".to_owned())?;
    match name.as_str() {
        "Left" => Ok(Side::Left),
        "Right" => Ok(Side::Right),
        _ => Err(bad(format!("{} is {name:?}; expected Left or Right", fields.place("direction")))),
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "Left",
        Side::Right => "Right",
    }
}

/// Reads one entry of `added_tokens`.
pub(super) fn read_added(value: Value, at: &str, unknown: &mut Unknown) -> Result<AddedToken> {
    let mut fields = Fields::of(value, at)?;
    let token = AddedToken {
        id: fields.required("id")?,
        content: fields.required("content")?,
        special: fields.required("special")?,
        normalized: fields.required("normalized")?,
        lstrip: fields.required("lstrip")?,
        rstrip: fields.required("rstrip")?,
        single_word: fields.required("single_word")?,
    };
    fields.finish(unknown);
    Ok(token)
}

/// Writes one entry of `added_tokens`.
pub(super) fn write_added(token: &AddedToken) -> Value {
    json!({
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    })
}
