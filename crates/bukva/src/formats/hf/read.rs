//! `tokenizer.json` → specification.

use super::fields::{Fields, Unknown, bad};
use super::raw::RawFile;
use super::{decoder, end_of_word, model, normalizer, options, postprocessor, pretokenizer, raw, stages, unicode};
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::{AddedToken, Spec};

/// Invariants that hold by construction: merges are found by their texts, and the map of bytes is one of characters.
const RESOLVED: &[&str] = &["merge-ids-defined", "merge-spells-product"];

/// Reads a `tokenizer.json` of version 1.0. O(size).
///
/// Fields that no component asks for are kept in [`Spec::unknown_fields`] under their JSON pointer.
///
/// # Errors
/// [`Kind::Format`] where the file is damaged or contradicts itself, with the field; [`Kind::Unsupported`] for a
/// component that the specification has no place for; [`Kind::Invariant`] if the tables do not fit together.
pub fn read_tokenizer_json(bytes: &[u8]) -> Result<Spec> {
    spec_of(raw::parse(bytes)?)
}

/// The specification of a file, parsed or made from others that say the same.
pub(super) fn spec_of(file: RawFile) -> Result<Spec> {
    let Some(raw_model) = file.model else { return Err(bad("/model is missing")) };
    let mut fields = Fields::of(file.fields.into(), "")?;
    check_version(&mut fields)?;
    let mut unknown = Unknown::new();
    let mut added_tokens = match fields.take("added_tokens") {
        None => Vec::new(),
        Some(list) => {
            let list: Vec<serde_json::Value> = Fields::list_of(list, "/added_tokens")?;
            let read = |(index, token)| options::read_added(token, &format!("/added_tokens/{index}"), &mut unknown);
            let list: Vec<AddedToken> = list.into_iter().enumerate().map(read).collect::<Result<_>>()?;
            // The library takes no notice of an empty one.
            list.into_iter().filter(|token| !token.content.is_empty()).collect()
        }
    };
    let mut component = |name: &str| (fields.take(name), format!("/{name}"));
    let (mut value, at) = component("normalizer");
    let versions = unicode::take(value.as_mut())?;
    let normalizer = value.map(|value| normalizer::read(value, &at, &mut unknown)).transpose()?;
    let (value, at) = component("pre_tokenizer");
    let pretokenizer = value.map(|value| pretokenizer::read(value, &at, &mut unknown)).transpose()?;
    let (value, at) = component("post_processor");
    let postprocessor = value.map(|value| postprocessor::read(value, &at, &mut unknown)).transpose()?;
    let (value, at) = component("decoder");
    let decoder = value.map(|value| decoder::read(value, &at, &mut unknown)).transpose()?;
    let (value, at) = component("truncation");
    let truncation = value.map(|value| options::read_truncation(value, &at, &mut unknown)).transpose()?;
    let (value, at) = component("padding");
    let padding = value.map(|value| options::read_padding(value, &at, &mut unknown)).transpose()?;
    let mapped = stages::ends_in_byte_level(pretokenizer.as_ref());
    let model = model::read(raw_model, mapped, &mut added_tokens, &mut unknown)?;
    let byte_level = model.sees_bytes();
    let pretokenizer = if byte_level { stages::without_byte_level(pretokenizer) } else { pretokenizer };
    fields.finish(&mut unknown);
    let unicode = versions.consulted_by(normalizer.as_ref());
    let mut spec = Spec {
        normalizer,
        pretokenizer,
        added_tokens,
        postprocessor,
        decoder: stages::decoder_from_file(decoder, byte_level),
        truncation,
        padding,
        unicode,
        unknown_fields: unknown,
        ..Spec::new(model)
    };
    match end_of_word::take(&mut spec) {
        true => spec.validate()?,
        false => spec.validate_but(RESOLVED)?,
    }
    Ok(spec)
}

fn check_version(fields: &mut Fields) -> Result<()> {
    let version: Option<String> = fields.optional("version")?;
    match version.as_deref() {
        None | Some("1.0") => Ok(()),
        Some(other) => {
            let message = format!("tokenizer.json: version {}; this bukva reads version \"1.0\"", quoted(other));
            Err(Error::new(Kind::Unsupported, message))
        }
    }
}
