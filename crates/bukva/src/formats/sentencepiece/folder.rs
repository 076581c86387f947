//! A model with the files that stand beside it in a folder: added tokens and a template.

use crate::error::{Error, Kind, Result, quoted};
use crate::formats::hf::classes::template;
use crate::formats::hf::config::Config;
use crate::formats::hf::texts::Entries;
use crate::spec::{AddedToken, Postprocessor, Spec};

/// Adds what the side files say: tokens with their flags, and the template of `add_bos_token` and `add_eos_token`.
///
/// Such a token is looked for in the text as it stands, and the text between two of them is a text of its own for the
/// model, as in `transformers`.
///
/// # Errors
/// [`Kind::Format`] for a token that is damaged, or that the model has with another id.
pub(in crate::formats) fn add_side_files(spec: &mut Spec, config: &Config<'_>) -> Result<()> {
    let vocab = spec.model.vocab();
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    let entries: Entries = vocab.iter().map(|entry| (text(entry.bytes), entry.id)).collect();
    for token in config.tokens_beside(&entries)? {
        let token = AddedToken { normalized: false, ..token };
        match spec.added_tokens.iter_mut().find(|known| known.content == token.content) {
            Some(known) => *known = token,
            None => spec.added_tokens.push(token),
        }
    }
    let bos = asked(spec, config, "add_bos_token", "bos_token", "<s>")?;
    let eos = asked(spec, config, "add_eos_token", "eos_token", "</s>")?;
    if bos.is_some() || eos.is_some() {
        spec.postprocessor = Some(Postprocessor::Template(template(bos.as_ref(), eos.as_ref())));
    }
    spec.validate()
}

/// Text and id of the token of `role`, if `flag` asks for it.
fn asked(spec: &Spec, config: &Config<'_>, flag: &str, role: &str, default: &str) -> Result<Option<(String, u32)>> {
    if !config.option(flag)?.unwrap_or(false) {
        return Ok(None);
    }
    let content = config.role(role, Some(default))?.unwrap_or_else(|| default.to_owned());
    let id = spec.added_tokens.iter().find(|token| token.content == content).map(|token| token.id);
    id.map(|id| Some((content.clone(), id))).ok_or_else(|| {
        let message = format!("tokenizer_config.json: {flag} is true, and the model has no {}", quoted(&content));
        Error::new(Kind::Format, message)
    })
}
