//! `tekken.json` of Mistral: a rank file in JSON, with its pattern and its special tokens.
//!
//! `docs/formats/tekken.md` describes the format. Ids are ranks after the special tokens, whose ids are their own
//! ranks. Reference: `mistral-common` 1.13.

mod read;
mod special;
#[cfg(test)]
mod tests;
mod write;

pub use read::read_tekken;
pub use write::write_tekken;

/// Before the keys of [`crate::Spec::unknown_fields`] that belong to this format.
pub(super) const KEPT: &str = "tekken";
