//! Normalisation: the first stage, text → text.
//!
//! [`Normalizer::compile`] turns a [`spec::Normalizer`] into something that runs; [`Normalizer::apply`] gives the new
//! text and borrows the old one where nothing changes; [`Normalizer::apply_aligned`] also says what was changed and
//! where each place of the new text comes from. [`from_names`] reads the names that a trainer offers.
//!
//! [`Normalizer::apply_hf`] gives the places of the new text as the `tokenizers` library does.
//!
//! Tables are those of the Unicode versions that the specification names, 16 where it names none. Lower case works
//! character by character, as the specification says: Σ becomes σ also at the end of a word, where Python's
//! `str.lower` writes ς.

mod align;
mod apart;
mod bert;
mod boundary;
mod byte_level;
mod changes;
mod char_set;
mod charsmap;
mod lowercase;
pub mod names;
mod nmt;
mod precompiled;
mod replace;
mod sentencepiece;
mod step;
mod strip_accents;
mod tables;
mod unicode_form;
mod whitespace;
mod young;

use std::borrow::Cow;

use crate::align::AlignedText;
use crate::error::Result;
use crate::spec::{self, Spec, UnicodeVersions};

pub use align::{Aligned, Edit, Owner};
pub(crate) use apart::Apart;
pub(crate) use char_set::CharSet;
pub use names::{NAMES, from_name, from_names};

use step::Step;

/// A compiled normalizer. Cheap to share between threads.
#[derive(Debug, Clone)]
pub struct Normalizer {
    steps: Vec<Step>,
    allows_cuts: bool,
}

/// Which ends of a text a part of it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// It starts where the text starts.
    pub starts: bool,
    /// It ends where the text ends.
    pub ends: bool,
}

impl Part {
    /// The whole text.
    pub const WHOLE: Part = Part { starts: true, ends: true };
    /// A part with neither end.
    pub const INNER: Part = Part { starts: false, ends: false };
}

impl Normalizer {
    /// Compiles a normalizer with the tables of Unicode 16 and without user-defined symbols.
    ///
    /// # Errors
    /// As [`Normalizer::compile_with`].
    pub fn compile(spec: &spec::Normalizer) -> Result<Self> {
        Normalizer::compile_with(spec, &UnicodeVersions::default(), &[])
    }

    /// Compiles the normalizer of a specification, if it has one: with the Unicode versions that it names, and with its
    /// user-defined symbols, which are the added tokens that are not special and are matched in normalized text.
    ///
    /// # Errors
    /// As [`Normalizer::compile_with`].
    pub fn of_spec(spec: &Spec) -> Result<Option<Self>> {
        let user_defined = spec.added_tokens.iter().filter(|token| !token.special && token.normalized);
        let symbols: Vec<&str> = user_defined.map(|token| token.content.as_str()).collect();
        let compile = |normalizer| Normalizer::compile_with(normalizer, &spec.unicode, &symbols);
        spec.normalizer.as_ref().map(compile).transpose()
    }

    /// Compiles a normalizer with the tables of `versions`. The normalizer of a SentencePiece model leaves `symbols` as
    /// they are; the others take no notice of them. O(size of its tables).
    ///
    /// # Errors
    /// [`Kind::Unsupported`](crate::Kind::Unsupported) for a Unicode version without tables,
    /// [`Kind::Pattern`](crate::Kind::Pattern) for a pattern that is not one, [`Kind::Format`](crate::Kind::Format)
    /// for a damaged character map.
    pub fn compile_with(spec: &spec::Normalizer, versions: &UnicodeVersions, symbols: &[&str]) -> Result<Self> {
        let mut steps = Vec::new();
        step::compile_into(spec, versions, symbols, &mut steps)?;
        let of_16 = [versions.forms, versions.lowercase].iter().all(|&version| version == spec::UnicodeVersion::V16);
        let allows_cuts = of_16 && steps.iter().all(Step::allows_cuts);
        Ok(Normalizer { steps, allows_cuts })
    }

    /// The normalized text, borrowed when nothing changed. O(n) time; ASCII and text that is normalized already
    /// cost one pass and no allocation.
    ///
    /// # Errors
    /// [`Kind::Pattern`](crate::Kind::Pattern) when a regular expression gives up on the text.
    pub fn apply<'t>(&self, text: &'t str) -> Result<Cow<'t, str>> {
        self.apply_part(text, Part::WHOLE)
    }

    /// The same for a part of a text that was cut where [`Normalizer::cuts_between`] allows it: the parts of the
    /// normalized text, joined, are the normalized text.
    ///
    /// # Errors
    /// As [`Normalizer::apply`].
    pub fn apply_part<'t>(&self, text: &'t str, part: Part) -> Result<Cow<'t, str>> {
        let mut current = Cow::Borrowed(text);
        for step in &self.steps {
            if let Some(changed) = step.apply(&current, part)? {
                current = Cow::Owned(changed);
            }
        }
        Ok(current)
    }

    /// The normalized text and what was changed to get it. The text is that of [`Normalizer::apply`]. O(n) time;
    /// 32 bytes a changed place.
    ///
    /// # Errors
    /// [`Kind::Pattern`](crate::Kind::Pattern) when a regular expression gives up on the text.
    pub fn apply_aligned(&self, text: &str) -> Result<Aligned> {
        self.apply_part_aligned(text, Part::WHOLE)
    }

    /// The same for a part, as [`Normalizer::apply_part`].
    ///
    /// # Errors
    /// As [`Normalizer::apply`].
    pub fn apply_part_aligned(&self, text: &str, part: Part) -> Result<Aligned> {
        let mut whole = Aligned::unchanged(text);
        for step in &self.steps {
            let next = step.apply_aligned(&whole.text, part)?;
            whole = if whole.edits.is_empty() { next } else { whole.then(text, next) };
        }
        Ok(whole)
    }

    /// Normalizes a text with the places that the `tokenizers` library gives it. The text is that of
    /// [`Normalizer::apply`]. O(n) for each step.
    ///
    /// # Errors
    /// As [`Normalizer::apply`].
    pub fn apply_hf(&self, text: &mut AlignedText) -> Result<()> {
        self.steps.iter().try_for_each(|step| step.apply_hf(text))
    }

    /// Whether a text may be normalized part by part, cut at the places that [`Normalizer::cuts_between`] names. Not
    /// where a match may lie anywhere (replace), nor with a prepended text.
    pub fn allows_cuts(&self) -> bool {
        self.allows_cuts
    }

    /// Whether a part needs to know which ends of its text it has.
    pub fn looks_at_ends(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Strip { .. }))
    }

    /// Whether every text may be cut between two neighbours `before` and `after` and its parts normalized apart,
    /// whatever stands around them. See [`boundary`] for the proof.
    pub fn cuts_between(&self, before: char, after: char) -> bool {
        self.allows_cuts && boundary::cuts_between(before, after)
    }
}

#[cfg(test)]
mod tests;
