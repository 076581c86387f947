//! Metaspace, which is a pre-tokenizer and a decoder with the same fields.

use serde_json::{Value, json};

use super::fields::{Fields, bad};
use crate::error::Result;
use crate::spec::PrependScheme;

/// The fields of Metaspace.
pub(super) struct Metaspace {
    pub(super) replacement: char,
    pub(super) prepend_scheme: PrependScheme,
    pub(super) split: bool,
}

/// Reads the fields, those of older files included: `add_prefix_space` false is the scheme `never`, and `str_rep`
/// repeats the replacement.
pub(super) fn read(fields: &mut Fields) -> Result<Metaspace> {
    let replacement = fields.required("replacement")?;
    fields.optional::<String>("str_rep")?;
    let add_prefix_space: Option<bool> = fields.optional("add_prefix_space")?;
    let scheme: Option<PrependScheme> = fields.optional("prepend_scheme")?;
    let prepend_scheme = match (add_prefix_space, scheme) {
        (Some(false), None) => PrependScheme::Never,
        (Some(false), Some(scheme)) if scheme != PrependScheme::Never => {
            let place = fields.place("add_prefix_space");
            return Err(bad(format!("{place} is false, and prepend_scheme is {scheme:?}: they contradict each other")));
        }
        (_, scheme) => scheme.unwrap_or(PrependScheme::Always),
    };
    Ok(Metaspace { replacement, prepend_scheme, split: fields.or("split", true)? })
}

/// Writes the fields.
pub(super) fn write(metaspace: &Metaspace) -> Value {
    json!({
        "type": "Metaspace",
        "replacement": metaspace.replacement,
        "prepend_scheme": metaspace.prepend_scheme,
        "split": metaspace.split,
    })
}
