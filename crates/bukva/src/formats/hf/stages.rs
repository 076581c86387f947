//! What the byte-level stages of a file mean for the specification, where the model sees raw bytes.
//!
//! There the ByteLevel pre-tokenizer only splits (if `use_regex`), and is left out if it does not. So the
//! specification of a byte-level tokenizer has its pattern alone, and a writer adds the stage again.

use super::fields::bad;
use crate::error::{Error, Kind, Result};
use crate::spec::{Behavior, Decoder, NamedPattern, Normalizer, Pattern, Pretokenizer};

/// A pre-tokenizer without its ByteLevel stage, and whether it had one.
///
/// # Errors
/// [`Kind::Unsupported`] if another stage follows it: that one would see the mapped characters.
pub(super) fn without_byte_level(pretokenizer: Option<Pretokenizer>) -> Result<(Option<Pretokenizer>, bool)> {
    let Some(pretokenizer) = pretokenizer else { return Ok((None, false)) };
    if !has_byte_level(&pretokenizer) {
        return Ok((Some(pretokenizer), false));
    }
    Ok((strip(pretokenizer)?.and_then(simplified), true))
}

/// The same without sequences of one or none.
fn simplified(pretokenizer: Pretokenizer) -> Option<Pretokenizer> {
    match pretokenizer {
        Pretokenizer::Sequence { items } => {
            let mut items: Vec<Pretokenizer> = items.into_iter().filter_map(simplified).collect();
            if items.len() > 1 { Some(Pretokenizer::Sequence { items }) } else { items.pop() }
        }
        other => Some(other),
    }
}

fn has_byte_level(pretokenizer: &Pretokenizer) -> bool {
    match pretokenizer {
        Pretokenizer::ByteLevel { .. } => true,
        Pretokenizer::Sequence { items } => items.iter().any(has_byte_level),
        _ => false,
    }
}

fn strip(pretokenizer: Pretokenizer) -> Result<Option<Pretokenizer>> {
    match pretokenizer {
        Pretokenizer::ByteLevel { add_prefix_space: false, use_regex, .. } => {
            Ok(use_regex.then(|| Pretokenizer::isolated(Pattern::Named(NamedPattern::Gpt2))))
        }
        Pretokenizer::Sequence { mut items } => {
            let last = items.pop();
            if items.iter().any(has_byte_level) {
                let message = "tokenizer.json: a pre-tokenizer after ByteLevel, which sees mapped characters, \
                               is not supported";
                return Err(Error::new(Kind::Unsupported, message));
            }
            items.extend(last.map(strip).transpose()?.flatten());
            Ok(Some(Pretokenizer::Sequence { items }))
        }
        other => Ok(Some(other)),
    }
}

/// The pre-tokenizer of a byte-level file.
pub(super) fn with_byte_level(pretokenizer: Option<&Pretokenizer>) -> Pretokenizer {
    let mut items = match pretokenizer {
        None => Vec::new(),
        Some(Pretokenizer::Sequence { items }) => items.clone(),
        Some(other) => vec![other.clone()],
    };
    if items.last().is_some_and(has_byte_level) {
        return if items.len() > 1 { Pretokenizer::Sequence { items } } else { items.remove(0) };
    }
    let use_regex = items.last().is_some_and(is_gpt2);
    if use_regex {
        items.pop();
    }
    items.push(Pretokenizer::ByteLevel { add_prefix_space: false, use_regex, trim_offsets: true });
    if items.len() > 1 { Pretokenizer::Sequence { items } } else { items.remove(0) }
}

fn is_gpt2(pretokenizer: &Pretokenizer) -> bool {
    let gpt2 = Pattern::Named(NamedPattern::Gpt2);
    matches!(pretokenizer,
        Pretokenizer::Split { pattern, behavior: Behavior::Isolated, invert: false } if *pattern == gpt2)
}

/// Refuses a ByteLevel normalizer, and a ByteLevel decoder whose text never became bytes.
pub(super) fn check(normalizer: Option<&Normalizer>, byte_level: bool, decoder: Option<&Decoder>) -> Result<()> {
    if normalizer.is_some_and(normalizes_to_bytes) {
        let message = "tokenizer.json: the normalizer ByteLevel is not supported by this version";
        return Err(Error::new(Kind::Unsupported, message));
    }
    if !byte_level && decoder.is_some_and(decodes_bytes) {
        return Err(bad("the decoder is ByteLevel, and no pre-tokenizer is: the text never becomes bytes"));
    }
    Ok(())
}

fn normalizes_to_bytes(normalizer: &Normalizer) -> bool {
    match normalizer {
        Normalizer::ByteLevel => true,
        Normalizer::Sequence { items } => items.iter().any(normalizes_to_bytes),
        _ => false,
    }
}

fn decodes_bytes(decoder: &Decoder) -> bool {
    match decoder {
        Decoder::ByteLevel => true,
        Decoder::Sequence { items } => items.iter().any(decodes_bytes),
        _ => false,
    }
}

/// What the file's decoder means. No decoder joins with spaces. The tokens of a byte-level model are bytes for the
/// decoder ByteLevel, and mapped characters for any other.
pub(super) fn decoder_from_file(decoder: Option<Decoder>, byte_level: bool) -> Option<Decoder> {
    let decoder = match decoder {
        Some(Decoder::Fuse) if !byte_level => return None,
        other => other.unwrap_or(Decoder::SpaceBetween),
    };
    if !byte_level || starts_with_bytes(&decoder) {
        return Some(decoder);
    }
    Some(Decoder::Sequence { items: vec![Decoder::Mapped, decoder] })
}

fn starts_with_bytes(decoder: &Decoder) -> bool {
    match decoder {
        Decoder::ByteLevel => true,
        Decoder::Sequence { items } => items.first().is_some_and(starts_with_bytes),
        _ => false,
    }
}

/// The decoder to write; `None` is the lack of one.
pub(super) fn decoder_to_file(decoder: Option<&Decoder>, byte_level: bool) -> Option<Decoder> {
    match decoder {
        None if byte_level => Some(Decoder::ByteLevel),
        None => Some(Decoder::Fuse),
        Some(Decoder::SpaceBetween) => None,
        Some(Decoder::Sequence { items }) if items.first() == Some(&Decoder::Mapped) => match &items[1..] {
            [Decoder::SpaceBetween] => None,
            [one] => Some(one.clone()),
            several => Some(Decoder::Sequence { items: several.to_vec() }),
        },
        Some(other) => Some(other.clone()),
    }
}
