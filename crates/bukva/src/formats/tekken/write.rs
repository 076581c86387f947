//! Specification → `tekken.json`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::KEPT;
use super::special::filler;
use crate::error::{Error, Kind, Result};
use crate::formats::losses::unknown_fields;
use crate::formats::tiktoken::same_ids::first_difference;
use crate::formats::{Loss, Written};
use crate::model::bpe::all_pairs_by_rank;
use crate::spec::{Alphabet, Behavior, Bpe, Model, Pattern, Pretokenizer, Spec};

/// Writes a `tekken.json`. O(size + splits of the tokens).
///
/// # Errors
/// [`Kind::Loss`] if the format cannot hold the tokenizer: another model than BPE over bytes, no single pattern, ids
/// that are not special tokens first and then tokens without a hole, the 256 bytes first. [`Kind::Invariant`] if the
/// specification is broken.
pub fn write_tekken(spec: &Spec) -> Result<Written> {
    spec.validate()?;
    let bpe = byte_level(spec)?;
    let pattern = pattern(spec.pretokenizer.as_ref())?;
    let count = spec.added_tokens.len();
    check_ids(spec, bpe)?;
    let theirs = Bpe { ignore_merges: true, merges: all_pairs_by_rank(&bpe.vocab).into(), ..bpe.clone() };
    let mut losses = losses(spec);
    if first_difference(bpe, &theirs)?.is_some() {
        losses.push(Loss::new("merges", "the file merges by the rank of the product; ids of some texts change"));
    }
    let mut file = match spec.unknown_fields.get(KEPT) {
        Some(Value::Object(kept)) => kept.clone(),
        _ => Map::new(),
    };
    let mut config = match file.remove("config") {
        Some(Value::Object(config)) => config,
        _ => Map::from_iter([("version".to_owned(), json!("v3"))]),
    };
    config.insert("pattern".into(), json!(pattern));
    config.insert("num_vocab_tokens".into(), json!(bpe.vocab.len()));
    config.insert("default_vocab_size".into(), json!(bpe.vocab.len() + count));
    config.insert("default_num_special_tokens".into(), json!(count));
    let special = file.remove("special_tokens").unwrap_or_else(|| special_tokens(spec));
    if !special.is_null() {
        file.insert("special_tokens".into(), special);
    }
    file.insert("config".into(), config.into());
    file.insert("vocab".into(), vocab(bpe));
    Ok(Written::single("tekken.json", Value::Object(file).to_string().into_bytes(), losses))
}

fn byte_level(spec: &Spec) -> Result<&Bpe> {
    match &spec.model {
        Model::Bpe(bpe)
            if bpe.alphabet == Alphabet::Bytes && bpe.end_of_word.is_none() && bpe.continuing_prefix.is_none() =>
        {
            Ok(bpe)
        }
        _ => Err(impossible("the model is not BPE over bytes")),
    }
}

fn pattern(pretokenizer: Option<&Pretokenizer>) -> Result<&str> {
    match pretokenizer {
        Some(Pretokenizer::Split { pattern, behavior: Behavior::Isolated, invert: false }) => match pattern {
            Pattern::Named(named) => Ok(named.regex()),
            Pattern::Regex(regex) => Ok(regex),
            Pattern::Literal(_) => Err(impossible("it cuts at a literal text")),
        },
        _ => Err(impossible("it does not cut by one pattern")),
    }
}

fn check_ids(spec: &Spec, bpe: &Bpe) -> Result<()> {
    let special = spec.added_tokens.iter().map(|token| token.id);
    let ids = special.chain(bpe.vocab.ids().iter().copied());
    if (0_u32..).zip(ids).any(|(expected, id)| expected != id) {
        return Err(impossible("its ids are not the special tokens from 0 and then the tokens, in order"));
    }
    let bytes = bpe.vocab.iter().zip(0_u8..=255).take_while(|(entry, byte)| entry.bytes == [*byte]).count();
    if bytes == 256 { Ok(()) } else { Err(impossible("its first tokens are not the 256 bytes in order")) }
}

fn losses(spec: &Spec) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut lost = |is_lost: bool, what, detail: &str| {
        if is_lost {
            losses.push(Loss::new(what, detail));
        }
    };
    lost(spec.normalizer.is_some(), "normalizer", "the file has no normalizer");
    let flags =
        spec.added_tokens.iter().any(|token| !token.special || token.lstrip || token.rstrip || token.single_word);
    lost(flags, "added tokens", "all of them are plain special tokens in the file");
    lost(spec.postprocessor.is_some(), "post-processor", "the file has no template");
    lost(spec.truncation.is_some(), "truncation", "the file has no truncation");
    lost(spec.padding.is_some(), "padding", "the file has no padding");
    losses.extend(unknown_fields(spec, &[KEPT]));
    losses
}

/// Every special token but the fill at the end.
fn special_tokens(spec: &Spec) -> Value {
    let named = spec.added_tokens.iter().rposition(|token| token.content != filler(token.id));
    let named = &spec.added_tokens[..named.map_or(0, |last| last + 1)];
    named.iter().map(|token| json!({"rank": token.id, "token_str": token.content, "is_control": true})).collect()
}

fn vocab(bpe: &Bpe) -> Value {
    let entry = |(rank, bytes): (u32, &[u8])| {
        let text = std::str::from_utf8(bytes).ok();
        json!({"rank": rank, "token_bytes": STANDARD.encode(bytes), "token_str": text})
    };
    (0..).zip(bpe.vocab.iter().map(|entry| entry.bytes)).map(entry).collect()
}

fn impossible(reason: &str) -> Error {
    let message = format!("tekken.json cannot hold this tokenizer: {reason}; save it as tokenizer.json or .bukva");
    Error::new(Kind::Loss, message)
}
