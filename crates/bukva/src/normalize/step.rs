//! One rewriting of a text: what it changes, the new text, and the new text with its places.

use std::ops::Range;

use super::bert::Bert;
use super::lowercase::Lowercase;
use super::precompiled::Precompiled;
use super::replace::Replace;
use super::sentencepiece::{Options, SentencePiece};
use super::strip_accents::StripAccents;
use super::tables::Tables;
use super::unicode_form::UnicodeForm;
use super::{Aligned, Edit, Owner, Part, byte_level, nmt, whitespace};
use crate::align::AlignedText;
use crate::error::Result;
use crate::spec::{self, UnicodeVersions};

/// A compiled kind of normalizer; sequences are lists of them.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Unicode(UnicodeForm),
    Lowercase(Lowercase),
    CollapseWhitespace,
    Strip { left: bool, right: bool },
    StripAccents(StripAccents),
    Replace(Replace),
    Prepend(String),
    ByteLevel,
    Bert(Box<Bert>),
    Nmt,
    Precompiled(Box<Precompiled>),
    SentencePiece(Box<SentencePiece>),
}

/// Appends the steps of `spec`.
pub(super) fn compile_into(
    spec: &spec::Normalizer,
    versions: &UnicodeVersions,
    symbols: &[&str],
    steps: &mut Vec<Step>,
) -> Result<()> {
    use spec::Normalizer as N;
    steps.push(match spec {
        N::Unicode { form } => Step::Unicode(UnicodeForm::new(*form, Tables::of(versions.forms)?)),
        N::Lowercase => Step::Lowercase(Lowercase::of(versions.lowercase)?),
        N::CollapseWhitespace => Step::CollapseWhitespace,
        N::Strip { left, right } => Step::Strip { left: *left, right: *right },
        N::StripAccents => Step::StripAccents(StripAccents::new(Tables::of(versions.forms)?)),
        N::Replace { pattern, content } => Step::Replace(Replace::compile(pattern, content)?),
        N::Prepend { content } => Step::Prepend(content.clone()),
        N::Sequence { items } => {
            return items.iter().try_for_each(|item| compile_into(item, versions, symbols, steps));
        }
        N::ByteLevel => Step::ByteLevel,
        N::Bert { clean_text, handle_chinese_chars, strip_accents, lowercase } => Step::Bert(Box::new(Bert::new(
            (*clean_text, *handle_chinese_chars),
            (*strip_accents, *lowercase),
            versions,
        )?)),
        N::Nmt => Step::Nmt,
        N::Precompiled { charsmap } => Step::Precompiled(Box::new(Precompiled::read(charsmap, versions.graphemes)?)),
        N::SentencePiece { charsmap, .. } => {
            Step::SentencePiece(Box::new(SentencePiece::new(charsmap, Options::of(spec), symbols)?))
        }
    });
    Ok(())
}

impl Options {
    /// The switches; none of them for another kind.
    fn of(spec: &spec::Normalizer) -> Self {
        match *spec {
            spec::Normalizer::SentencePiece {
                add_dummy_prefix: dummy,
                remove_extra_whitespaces: remove_extra,
                escape_whitespaces: escape,
                whitespace_as_suffix: suffix,
                ..
            } => Options { dummy, remove_extra, escape, suffix },
            _ => Options { dummy: false, remove_extra: false, escape: false, suffix: false },
        }
    }
}

impl Step {
    /// Tells `emit` each range of `text` that changes and what it becomes: in order, disjoint, without common ends.
    fn rewrite(&self, text: &str, part: Part, emit: &mut impl FnMut(Range<usize>, &str)) -> Result<()> {
        match self {
            Step::Unicode(form) => form.rewrite(text, emit),
            Step::Lowercase(lowercase) => lowercase.rewrite(text, emit),
            Step::CollapseWhitespace => whitespace::collapse(text, emit),
            Step::Strip { left, right } => whitespace::strip(text, *left && part.starts, *right && part.ends, emit),
            Step::StripAccents(marks) => marks.rewrite(text, emit),
            Step::Replace(replace) => return replace.rewrite(text, emit),
            Step::Prepend(content) if text.is_empty() || content.is_empty() => {}
            Step::Prepend(content) => emit(0..0, content),
            Step::ByteLevel => byte_level::rewrite(text, emit),
            Step::Bert(bert) => bert.rewrite(text, emit),
            Step::Nmt => nmt::rewrite(text, emit),
            Step::Precompiled(map) => map.rewrite(text, emit),
            Step::SentencePiece(normalizer) => normalizer.rewrite(text, emit),
        }
        Ok(())
    }

    /// The new text with the places that `tokenizers` gives it. It has no normalizer of SentencePiece; there each
    /// character stands for what [`Aligned::original_of`] says.
    pub(super) fn apply_hf(&self, text: &mut AlignedText) -> Result<()> {
        match self {
            Step::Unicode(form) => form.apply_hf(text),
            Step::Lowercase(lowercase) => lowercase.apply_hf(text),
            Step::CollapseWhitespace => whitespace::collapse_hf(text),
            Step::Strip { left, right } => text.strip(*left, *right),
            Step::StripAccents(marks) => marks.apply_hf(text),
            Step::Replace(replace) => return replace.apply_hf(text),
            Step::Prepend(content) => text.prepend(content),
            Step::ByteLevel => byte_level::apply_hf(text),
            Step::Bert(bert) => bert.apply_hf(text),
            Step::Nmt => nmt::apply_hf(text),
            Step::Precompiled(map) => map.apply_hf(text),
            Step::SentencePiece(_) => {
                let aligned = self.apply_aligned(text.text(), Part::WHOLE)?;
                text.follow(&aligned);
            }
        }
        Ok(())
    }

    /// The new text, or `None` when nothing changed.
    pub(super) fn apply(&self, text: &str, part: Part) -> Result<Option<String>> {
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

    pub(super) fn apply_aligned(&self, text: &str, part: Part) -> Result<Aligned> {
        let owner = if matches!(self, Step::SentencePiece(_)) { Owner::Last } else { Owner::First };
        let mut out = Aligned { text: String::with_capacity(text.len()), edits: Vec::new(), owner };
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

    pub(super) fn allows_cuts(&self) -> bool {
        use Step::{CollapseWhitespace, Lowercase, Strip, StripAccents, Unicode};
        matches!(self, Unicode(_) | Lowercase(_) | CollapseWhitespace | Strip { .. } | StripAccents(_))
    }
}
