//! Pre-tokenizers of `tokenizer.json`, both ways.

use serde_json::{Value, json};

use super::fields::{Fields, Unknown, bad};
use super::metaspace::{self, Metaspace};
use super::pattern;
use crate::error::Result;
use crate::spec::{Behavior, Pretokenizer};

/// Reads the pre-tokenizer at `at`, as it stands in the file.
pub(super) fn read(value: Value, at: &str, unknown: &mut Unknown) -> Result<Pretokenizer> {
    let mut fields = Fields::of(value, at)?;
    let kind = fields.kind()?;
    let pretokenizer = match kind.as_str() {
        "Split" => Pretokenizer::Split {
            pattern: pattern::read(&mut fields)?,
            behavior: read_behavior(&mut fields, None)?,
            invert: fields.required("invert")?,
        },
        "Whitespace" => Pretokenizer::Words,
        "WhitespaceSplit" => Pretokenizer::Whitespace,
        "ByteLevel" => Pretokenizer::ByteLevel {
            add_prefix_space: fields.required("add_prefix_space")?,
            use_regex: fields.or("use_regex", true)?,
            trim_offsets: fields.required("trim_offsets")?,
        },
        "BertPreTokenizer" => Pretokenizer::Bert,
        "Metaspace" => {
            let Metaspace { replacement, prepend_scheme, split } = metaspace::read(&mut fields)?;
            Pretokenizer::Metaspace { replacement, prepend_scheme, split }
        }
        "Digits" => Pretokenizer::Digits { individual: fields.required("individual_digits")? },
        "Punctuation" => Pretokenizer::Punctuation { behavior: read_behavior(&mut fields, Some(Behavior::Isolated))? },
        "UnicodeScripts" => Pretokenizer::UnicodeScripts,
        "CharDelimiterSplit" => Pretokenizer::CharDelimiter { delimiter: fields.required("delimiter")? },
        "FixedLength" => Pretokenizer::FixedLength { length: fields.or("length", DEFAULT_LENGTH)? },
        "Sequence" => {
            let items = fields.list("pretokenizers")?;
            let items = items.into_iter().map(|(at, item)| read(item, &at, unknown)).collect::<Result<_>>()?;
            Pretokenizer::Sequence { items }
        }
        _ => return Err(fields.unsupported(&kind)),
    };
    fields.finish(unknown);
    Ok(pretokenizer)
}

/// Characters a piece where the file does not say.
const DEFAULT_LENGTH: usize = 5;

const BEHAVIORS: [(&str, Behavior); 5] = [
    ("Removed", Behavior::Removed),
    ("Isolated", Behavior::Isolated),
    ("MergedWithPrevious", Behavior::MergedWithPrevious),
    ("MergedWithNext", Behavior::MergedWithNext),
    ("Contiguous", Behavior::Contiguous),
];

fn read_behavior(fields: &mut Fields, default: Option<Behavior>) -> Result<Behavior> {
    let name: Option<String> = fields.optional("behavior")?;
    let place = fields.place("behavior");
    let Some(name) = name else {
        return default.ok_or_else(|| bad(format!("{place} is missing")));
    };
    let found = BEHAVIORS.iter().find(|(known, _)| *known == name).map(|(_, behavior)| *behavior);
    found.ok_or_else(|| {
        let known: Vec<&str> = BEHAVIORS.iter().map(|(known, _)| *known).collect();
        bad(format!("{place} is {name:?}; expected one of {}", known.join(", ")))
    })
}

/// Writes a pre-tokenizer as it is.
pub(super) fn write(pretokenizer: &Pretokenizer) -> Result<Value> {
    Ok(match pretokenizer {
        Pretokenizer::Split { pattern, behavior, invert } => json!({
            "type": "Split",
            "pattern": pattern::write(pattern)?,
            "behavior": behavior_name(*behavior),
            "invert": invert,
        }),
        Pretokenizer::Words => json!({"type": "Whitespace"}),
        Pretokenizer::Whitespace => json!({"type": "WhitespaceSplit"}),
        Pretokenizer::ByteLevel { add_prefix_space, use_regex, trim_offsets } => json!({
            "type": "ByteLevel",
            "add_prefix_space": add_prefix_space,
            "trim_offsets": trim_offsets,
            "use_regex": use_regex,
        }),
        Pretokenizer::Bert => json!({"type": "BertPreTokenizer"}),
        Pretokenizer::Metaspace { replacement, prepend_scheme, split } => {
            metaspace::write(&Metaspace { replacement: *replacement, prepend_scheme: *prepend_scheme, split: *split })
        }
        Pretokenizer::Digits { individual } => json!({"type": "Digits", "individual_digits": individual}),
        Pretokenizer::Punctuation { behavior } => {
            json!({"type": "Punctuation", "behavior": behavior_name(*behavior)})
        }
        Pretokenizer::UnicodeScripts => json!({"type": "UnicodeScripts"}),
        Pretokenizer::CharDelimiter { delimiter } => json!({"type": "CharDelimiterSplit", "delimiter": delimiter}),
        Pretokenizer::FixedLength { length } => json!({"type": "FixedLength", "length": length}),
        Pretokenizer::Sequence { items } => {
            json!({"type": "Sequence", "pretokenizers": items.iter().map(write).collect::<Result<Vec<_>>>()?})
        }
    })
}

fn behavior_name(behavior: Behavior) -> &'static str {
    BEHAVIORS.iter().find(|(_, known)| *known == behavior).map_or("Isolated", |(name, _)| name)
}
