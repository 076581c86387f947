//! Decoders of `tokenizer.json`, both ways.

use serde_json::{Value, json};

use super::fields::{Fields, Unknown, bad};
use super::metaspace::{self, Metaspace};
use super::pattern;
use crate::error::Result;
use crate::spec::Decoder;

/// What those have that stand without a type.
const FORMS: [(&str, &[&str]); 5] = [
    ("BPEDecoder", &["suffix"]),
    ("WordPiece", &["prefix", "cleanup"]),
    ("CTC", &["pad_token", "word_delimiter_token", "cleanup"]),
    ("Replace", &["pattern", "content"]),
    ("Strip", &["content", "start", "stop"]),
];

/// Reads the decoder at `at`.
pub(super) fn read(value: Value, at: &str, unknown: &mut Unknown) -> Result<Decoder> {
    let mut fields = Fields::of(value, at)?;
    let kind = fields.kind_or(&FORMS)?;
    let decoder = match kind.as_str() {
        "ByteLevel" => {
            // The library keeps the options of the pre-tokenizer here and does nothing with them.
            for option in ["add_prefix_space", "trim_offsets", "use_regex"] {
                fields.optional::<bool>(option)?;
            }
            Decoder::ByteLevel
        }
        "BPEDecoder" => Decoder::EndOfWord { suffix: fields.required("suffix")? },
        "WordPiece" => Decoder::WordPiece { prefix: fields.required("prefix")?, cleanup: fields.required("cleanup")? },
        "Metaspace" => {
            let Metaspace { replacement, prepend_scheme, split } = metaspace::read(&mut fields)?;
            Decoder::Metaspace { replacement, prepend_scheme, split }
        }
        "ByteFallback" => Decoder::ByteFallback,
        "Fuse" => Decoder::Fuse,
        "Strip" => Decoder::Strip {
            content: fields.required("content")?,
            start: fields.required("start")?,
            stop: fields.required("stop")?,
        },
        "Replace" => Decoder::Replace { pattern: pattern::read(&mut fields)?, content: fields.required("content")? },
        "CTC" => Decoder::Ctc {
            pad_token: fields.required("pad_token")?,
            word_delimiter_token: fields.required("word_delimiter_token")?,
            cleanup: fields.required("cleanup")?,
        },
        "Sequence" => {
            let items = fields.list("decoders")?;
            let items = items.into_iter().map(|(at, item)| read(item, &at, unknown)).collect::<Result<_>>()?;
            Decoder::Sequence { items }
        }
        _ => return Err(fields.unsupported(&kind)),
    };
    fields.finish(unknown);
    Ok(decoder)
}

/// Writes a decoder. [`Decoder::SpaceBetween`] is the lack of one, and can only stand alone.
pub(super) fn write(decoder: &Decoder) -> Result<Value> {
    Ok(match decoder {
        Decoder::ByteLevel => {
            json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true})
        }
        Decoder::EndOfWord { suffix } => json!({"type": "BPEDecoder", "suffix": suffix}),
        Decoder::WordPiece { prefix, cleanup } => json!({"type": "WordPiece", "prefix": prefix, "cleanup": cleanup}),
        Decoder::Metaspace { replacement, prepend_scheme, split } => {
            metaspace::write(&Metaspace { replacement: *replacement, prepend_scheme: *prepend_scheme, split: *split })
        }
        Decoder::ByteFallback => json!({"type": "ByteFallback"}),
        Decoder::Fuse => json!({"type": "Fuse"}),
        Decoder::Strip { content, start, stop } => {
            json!({"type": "Strip", "content": content, "start": start, "stop": stop})
        }
        Decoder::Replace { pattern, content } => {
            json!({"type": "Replace", "pattern": pattern::write(pattern)?, "content": content})
        }
        Decoder::Ctc { pad_token, word_delimiter_token, cleanup } => json!({
            "type": "CTC",
            "pad_token": pad_token,
            "word_delimiter_token": word_delimiter_token,
            "cleanup": cleanup,
        }),
        Decoder::Sequence { items } => {
            json!({"type": "Sequence", "decoders": items.iter().map(write).collect::<Result<Vec<_>>>()?})
        }
        Decoder::SpaceBetween => Value::Null,
        Decoder::Mapped => return Err(bad("only the first decoder of a byte-level model can see mapped characters")),
        Decoder::SentencePiece { .. } => {
            return Err(bad("the decoder of a SentencePiece model has to be put as stages of this format first"));
        }
    })
}
