//! What the byte-level stages of a file mean for the specification, where the model sees raw bytes.
//!
//! There a ByteLevel at the end of the pre-tokenizer only splits (if `use_regex`), and is left out if it does not. So
//! the specification of a byte-level tokenizer has its pattern alone, and a writer adds the stage again. A ByteLevel that
//! puts spaces stays, and so does one with other stages after it, which see the mapped characters.

use crate::spec::{Behavior, Decoder, NamedPattern, Pattern, Pretokenizer};

/// Whether the last stage is ByteLevel: what comes to the model are characters that stand for bytes.
pub(super) fn ends_in_byte_level(pretokenizer: Option<&Pretokenizer>) -> bool {
    stages(pretokenizer).last().is_some_and(|last| is_byte_level(last))
}

/// A pre-tokenizer that ends in ByteLevel, without that stage where the pattern says all.
pub(super) fn without_byte_level(pretokenizer: Option<Pretokenizer>) -> Option<Pretokenizer> {
    let mut items: Vec<Pretokenizer> = stages(pretokenizer.as_ref()).into_iter().cloned().collect();
    if let Some(Pretokenizer::ByteLevel { add_prefix_space: false, use_regex, .. }) = items.last() {
        let pattern = use_regex.then(|| Pretokenizer::isolated(Pattern::Named(NamedPattern::Gpt2)));
        let rest = &items[..items.len() - 1];
        // A ByteLevel that would then be the last must not be taken for the stage that was.
        if pattern.is_some() || !rest.last().is_some_and(is_byte_level) {
            items.pop();
            items.extend(pattern);
        }
    }
    if items.len() > 1 { Some(Pretokenizer::Sequence { items }) } else { items.pop() }
}

/// The stages of nested sequences, in order.
fn stages(pretokenizer: Option<&Pretokenizer>) -> Vec<&Pretokenizer> {
    match pretokenizer {
        None => Vec::new(),
        Some(Pretokenizer::Sequence { items }) => items.iter().flat_map(|item| stages(Some(item))).collect(),
        Some(other) => vec![other],
    }
}

fn is_byte_level(pretokenizer: &Pretokenizer) -> bool {
    matches!(pretokenizer, Pretokenizer::ByteLevel { .. })
}

/// The pre-tokenizer of a byte-level file.
pub(super) fn with_byte_level(pretokenizer: Option<&Pretokenizer>) -> Pretokenizer {
    let mut items: Vec<Pretokenizer> = stages(pretokenizer).into_iter().cloned().collect();
    if items.last().is_some_and(is_byte_level) {
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
