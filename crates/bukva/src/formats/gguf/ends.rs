//! The tokens before and after a text.

use super::metadata::Metadata;
use super::tokens::{Token, Tokens};
use super::wire::bad;
use crate::error::Result;
use crate::spec::{Postprocessor, Template, TemplateItem};

pub(super) const BOS: &str = "tokenizer.ggml.bos_token_id";
pub(super) const EOS: &str = "tokenizer.ggml.eos_token_id";
const ADD_BOS: &str = "tokenizer.ggml.add_bos_token";
const ADD_EOS: &str = "tokenizer.ggml.add_eos_token";

/// Whether tokens are put before and after a text where the file does not say.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defaults {
    pub(super) bos: bool,
    pub(super) eos: bool,
    /// Segment number of the second text of a pair.
    pub(super) second: u32,
}

/// The template of a file: `add_bos_token` and `add_eos_token`. Each text of a pair gets both.
///
/// # Errors
/// [`crate::Kind::Format`] if a token is to be added and its id is missing.
pub(super) fn template(
    metadata: &Metadata<'_>,
    tokens: &Tokens<'_>,
    defaults: Defaults,
) -> Result<Option<Postprocessor>> {
    let end = |flag: &str, default: bool, key: &str| {
        if !metadata.flag(flag, default)? {
            return Ok(None);
        }
        let missing = || bad(format!("{key} is missing, and {flag} asks for it"), 0);
        tokens.named(metadata, key)?.map(Some).ok_or_else(missing)
    };
    let bos = end(ADD_BOS, defaults.bos, BOS)?;
    let eos = end(ADD_EOS, defaults.eos, EOS)?;
    Ok(around(bos, eos, defaults.second))
}

fn around(bos: Option<&Token<'_>>, eos: Option<&Token<'_>>, second: u32) -> Option<Postprocessor> {
    if bos.is_none() && eos.is_none() {
        return None;
    }
    let one = |text: TemplateItem, type_id| {
        let special = |token: Option<&Token<'_>>| token.map(|token| special(token, type_id));
        special(bos).into_iter().chain([text]).chain(special(eos)).collect::<Vec<_>>()
    };
    let single = one(TemplateItem::A { type_id: 0 }, 0);
    let pair = [single.clone(), one(TemplateItem::B { type_id: second }, second)].concat();
    Some(Postprocessor::Template(Template { single, pair }))
}

/// The place of a token in a template.
pub(super) fn special(token: &Token<'_>, type_id: u32) -> TemplateItem {
    let text = token.text.to_owned();
    TemplateItem::Special { name: text.clone(), ids: vec![token.id], tokens: vec![text], type_id }
}
