//! Losses that formats without a pipeline share: rank files, and `vocab.json` with `merges.txt`.

use super::Loss;
use super::encodings::{Encoding, NAMES};
use super::hf::SIDE_FILE;
use crate::normalize;
use crate::spec::{AddedToken, Behavior, Normalizer, Pattern, Pretokenizer, Spec};

/// What is lost where a file holds the model alone.
///
/// Such files are always read together with the name of an encoding, or of a pattern, and what the name says is no
/// loss: a whole encoding, or else the pattern. A pattern without a name is one, and so is every other stage. Unknown
/// fields in `kept` are no loss.
pub(super) fn beyond_model(spec: &Spec, kept: &[&str]) -> Vec<Loss> {
    let mut losses = if is_named_encoding(spec) { Vec::new() } else { front_losses(spec) };
    if spec.postprocessor.is_some() {
        losses.push(Loss::new("post-processor", "the file has no template"));
    }
    if spec.truncation.is_some() {
        losses.push(Loss::new("truncation", "the file has no truncation"));
    }
    if spec.padding.is_some() {
        losses.push(Loss::new("padding", "the file has no padding"));
    }
    losses.extend(unknown_fields(spec, kept));
    losses
}

/// Unknown fields but those in `kept`, and the side files of a folder.
pub(super) fn unknown_fields(spec: &Spec, kept: &[&str]) -> Vec<Loss> {
    let keys = spec.unknown_fields.keys().map(String::as_str).filter(|key| !kept.contains(key));
    let (files, names): (Vec<&str>, Vec<&str>) = keys.partition(|key| key.starts_with(SIDE_FILE));
    let mut losses: Vec<Loss> = files.into_iter().map(side_file).collect();
    if !names.is_empty() {
        losses.push(Loss::new("unknown fields", names.join(", ")));
    }
    losses
}

/// The loss of the side file that is kept under `key`.
pub(super) fn side_file(key: &str) -> Loss {
    let name = key.strip_prefix(SIDE_FILE).unwrap_or(key);
    Loss::new("side file", format!("{name} stands beside this file; save a folder or an image to keep it"))
}

fn is_named_encoding(spec: &Spec) -> bool {
    let found = Encoding {
        normalizer: spec.normalizer.clone(),
        pretokenizer: spec.pretokenizer.clone(),
        added_tokens: spec.added_tokens.clone(),
        bert: None,
        empty_token: false,
    };
    let named = |name: &&str| Encoding::named(name).map(|named| Encoding { empty_token: false, ..named });
    NAMES.iter().any(|name| named(name).as_ref() == Ok(&found))
}

/// Losses before the model.
fn front_losses(spec: &Spec) -> Vec<Loss> {
    let mut losses = Vec::new();
    if let Some(normalizer) = &spec.normalizer {
        losses.push(Loss::new("normalizer", format!("{}; the file has no normalizer", normalizer_text(normalizer))));
    }
    losses.extend(pattern_loss(spec.pretokenizer.as_ref()));
    losses.extend(added_tokens_loss(&spec.added_tokens));
    losses
}

fn pattern_loss(pretokenizer: Option<&Pretokenizer>) -> Option<Loss> {
    let detail = match pretokenizer {
        Some(Pretokenizer::Words | Pretokenizer::Whitespace) => return None,
        Some(Pretokenizer::Split { pattern: Pattern::Named(_), behavior: Behavior::Isolated, invert: false }) => {
            return None;
        }
        Some(Pretokenizer::Split { pattern: Pattern::Regex(regex), behavior: Behavior::Isolated, invert: false }) => {
            format!("the regular expression {regex:?}; give it again when you load the file")
        }
        Some(other) => format!("{other:?}; the file has no pre-tokenizer"),
        None => "the whole text is one pre-token; the file does not say so".to_owned(),
    };
    Some(Loss::new("pattern", detail))
}

fn added_tokens_loss(tokens: &[AddedToken]) -> Option<Loss> {
    const SHOWN: usize = 8;
    if tokens.is_empty() {
        return None;
    }
    let mut named: Vec<String> =
        tokens.iter().take(SHOWN).map(|token| format!("{:?} = {}", token.content, token.id)).collect();
    if tokens.len() > SHOWN {
        named.push(format!("{} more", tokens.len() - SHOWN));
    }
    let detail = format!("{}; give them, or the name of an encoding, when you load the file", named.join(", "));
    Some(Loss::new("special tokens", detail))
}

fn normalizer_text(normalizer: &Normalizer) -> String {
    let named = normalize::NAMES.iter().find(|name| normalize::from_name(name).as_ref() == Ok(normalizer));
    named.map_or_else(|| format!("{normalizer:?}"), |name| (*name).to_owned())
}
