//! Normalisation: the first stage, text → text.
//!
//! [`Normalizer::compile`] turns a [`spec::Normalizer`] into something that runs; [`Normalizer::apply`] gives the new
//! text and borrows the old one where nothing changes; [`Normalizer::apply_aligned`] also says what was changed and
//! where each place of the new text comes from. [`from_names`] reads the names that a trainer offers.
//!
//! All tables are those of Unicode 16. Lower case works character by character, as the specification says: Σ becomes
//! σ also at the end of a word, where Python's `str.lower` writes ς.

mod align;
mod boundary;
mod char_set;
mod lowercase;
pub mod names;
mod replace;
mod strip_accents;
mod unicode_form;
mod whitespace;

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, Kind, Result};
use crate::spec;

pub use align::{Aligned, Edit};
pub use names::{NAMES, from_name, from_names};

use replace::Replace;
use unicode_form::UnicodeForm;

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

/// One rewriting of a text.
#[derive(Debug, Clone)]
enum Step {
    Unicode(UnicodeForm),
    Lowercase,
    CollapseWhitespace,
    Strip { left: bool, right: bool },
    StripAccents,
    Replace(Replace),
    Prepend(String),
}

impl Normalizer {
    /// Compiles a specification.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for kinds that are read and kept but not run yet, [`Kind::Pattern`] for a pattern that
    /// is not one.
    pub fn compile(spec: &spec::Normalizer) -> Result<Self> {
        let mut steps = Vec::new();
        compile_into(spec, &mut steps)?;
        let allows_cuts = steps.iter().all(Step::allows_cuts);
        Ok(Normalizer { steps, allows_cuts })
    }

    /// The normalized text, borrowed when nothing changed. O(n) time; ASCII and text that is normalized already
    /// cost one pass and no allocation.
    ///
    /// # Errors
    /// [`Kind::Pattern`] when a regular expression gives up on the text.
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
    /// [`Kind::Pattern`] when a regular expression gives up on the text.
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

    /// Whether a text may be normalized part by part, cut at the places that [`Normalizer::cuts_between`] names. Not
    /// where a match may lie anywhere (replace), nor with a prepended text.
    pub fn allows_cuts(&self) -> bool {
        self.allows_cuts
    }

    /// Whether every text may be cut between two neighbours `before` and `after` and its parts normalized apart,
    /// whatever stands around them. See [`boundary`] for the proof.
    pub fn cuts_between(&self, before: char, after: char) -> bool {
        self.allows_cuts && boundary::cuts_between(before, after)
    }
}

impl Step {
    /// Tells `emit` each range of `text` that changes and what it becomes: in order, disjoint, without common ends.
    fn rewrite(&self, text: &str, part: Part, emit: &mut impl FnMut(Range<usize>, &str)) -> Result<()> {
        match self {
            Step::Unicode(form) => form.rewrite(text, emit),
            Step::Lowercase => lowercase::rewrite(text, emit),
            Step::CollapseWhitespace => whitespace::collapse(text, emit),
            Step::Strip { left, right } => whitespace::strip(text, *left && part.starts, *right && part.ends, emit),
            Step::StripAccents => strip_accents::rewrite(text, emit),
            Step::Replace(replace) => return replace.rewrite(text, emit),
            Step::Prepend(content) if text.is_empty() || content.is_empty() => {}
            Step::Prepend(content) => emit(0..0, content),
        }
        Ok(())
    }

    /// The new text, or `None` when nothing changed.
    fn apply(&self, text: &str, part: Part) -> Result<Option<String>> {
        let mut out = String::new();
        let mut done = None;
        self.rewrite(text, part, &mut |range, new| {
            if done.is_none() {
                out.reserve(text.len() + new.len());
            }
            out.push_str(&text[done.unwrap_or(0)..range.start]);
            out.push_str(new);
            done = Some(range.end);
        })?;
        Ok(done.map(|done| {
            out.push_str(&text[done..]);
            out
        }))
    }

    fn apply_aligned(&self, text: &str, part: Part) -> Result<Aligned> {
        let mut out = Aligned { text: String::with_capacity(text.len()), edits: Vec::new() };
        let mut done = 0;
        self.rewrite(text, part, &mut |original, new| {
            out.text.push_str(&text[done..original.start]);
            let start = out.text.len();
            out.text.push_str(new);
            done = original.end;
            out.edits.push(Edit { original, normalized: start..out.text.len() });
        })?;
        out.text.push_str(&text[done..]);
        Ok(out)
    }

    fn allows_cuts(&self) -> bool {
        !matches!(self, Step::Replace(_) | Step::Prepend(_))
    }
}

fn compile_into(spec: &spec::Normalizer, steps: &mut Vec<Step>) -> Result<()> {
    use spec::Normalizer as N;
    steps.push(match spec {
        N::Unicode { form } => Step::Unicode(UnicodeForm::new(*form)),
        N::Lowercase => Step::Lowercase,
        N::CollapseWhitespace => Step::CollapseWhitespace,
        N::Strip { left, right } => Step::Strip { left: *left, right: *right },
        N::StripAccents => Step::StripAccents,
        N::Replace { pattern, content } => Step::Replace(Replace::compile(pattern, content)?),
        N::Prepend { content } => Step::Prepend(content.clone()),
        N::Sequence { items } => return items.iter().try_for_each(|item| compile_into(item, steps)),
        N::ByteLevel => return Err(unsupported("ByteLevel")),
        N::Bert { .. } => return Err(unsupported("Bert")),
        N::Nmt => return Err(unsupported("Nmt")),
        N::Precompiled { .. } => return Err(unsupported("Precompiled")),
        N::SentencePiece { .. } => return Err(unsupported("SentencePiece")),
    });
    Ok(())
}

fn unsupported(name: &str) -> Error {
    let message = format!(
        "the normalizer {name} can be read and kept, but this version cannot run it; it runs the Unicode forms, \
         Lowercase, CollapseWhitespace, Strip, StripAccents, Replace, Prepend and sequences of them"
    );
    Error::new(Kind::Unsupported, message)
}

#[cfg(test)]
mod tests;
