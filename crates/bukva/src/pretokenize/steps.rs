//! Pre-tokenizers that rewrite text: steps on the pieces of the step before.

use std::borrow::Cow;

use super::deepseek;
use super::metaspace::Metaspace;
use super::rewriting::{Rewriting, Rewritten};
use super::{CharKind, Splitter};
use crate::error::{Error, Kind, Result};
use crate::model::Span;
use crate::spec::{self, Behavior, NamedPattern};
use crate::unicode::byte_chars::char_of;

/// A compiled pre-tokenizer. Immutable; shared freely between threads.
#[derive(Debug)]
pub struct Pretokenizer {
    /// The cuts before any rewriting.
    cut: Splitter,
    /// What follows; empty for nearly every tokenizer.
    steps: Vec<Step>,
}

/// One step, on every piece of the step before.
#[derive(Debug)]
pub(super) enum Step {
    /// Cuts.
    Cut(Box<Splitter>),
    /// Spaces become marks.
    Metaspace(Box<Metaspace>),
    /// A space before a piece that begins with none: ByteLevel's `add_prefix_space`.
    PrefixSpace,
    /// Every byte becomes a character.
    MapBytes,
}

impl Pretokenizer {
    /// Compiles a pre-tokenizer; none makes the whole text one pre-token. `bytes` says that the model sees bytes: then
    /// a ByteLevel at the end maps nothing.
    ///
    /// # Errors
    /// [`Kind::Pattern`] for an invalid expression, [`Kind::Argument`] for pieces of length 0.
    pub fn compile(spec: Option<&spec::Pretokenizer>, bytes: bool) -> Result<Self> {
        let mut steps = Vec::new();
        if let Some(spec) = spec {
            compile_into(spec, &mut steps)?;
        }
        if bytes && ends_with_byte_level(spec) {
            steps.pop();
        }
        let mut compiled = Pretokenizer { cut: Splitter::Whole, steps: Vec::new() };
        for step in steps {
            compiled.push(step);
        }
        Ok(compiled)
    }

    fn push(&mut self, step: Step) {
        match (step, self.steps.last_mut()) {
            (Step::Cut(next), None) => self.cut = std::mem::replace(&mut self.cut, Splitter::Whole).then(*next),
            (Step::Cut(next), Some(Step::Cut(cut))) => {
                **cut = std::mem::replace(&mut **cut, Splitter::Whole).then(*next)
            }
            (step, _) => self.steps.push(step),
        }
    }

    /// The splitter, if nothing is rewritten.
    pub fn splitter(&self) -> Option<&Splitter> {
        self.steps.is_empty().then_some(&self.cut)
    }

    /// As [`Pretokenizer::splitter`].
    ///
    /// # Errors
    /// [`Kind::Unsupported`] if text is rewritten.
    pub(super) fn into_splitter(self) -> Result<Splitter> {
        if self.steps.is_empty() {
            return Ok(self.cut);
        }
        let message = "this pre-tokenizer rewrites text (Metaspace, or ByteLevel with add_prefix_space), and here it can \
                       only cut: use a pattern, or put the rewriting into the normalizer";
        Err(Error::new(Kind::Unsupported, message))
    }

    /// Whether pre-tokens tile the text: nothing is dropped.
    pub fn keeps_everything(&self) -> bool {
        let keeps = |step: &Step| !matches!(step, Step::Cut(cut) if !cut.keeps_everything());
        self.cut.keeps_everything() && self.steps.iter().all(keeps)
    }

    /// Whether text is rewritten.
    pub fn rewrites(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Whether white space is dropped first and each word taken by itself, wherever it stands.
    pub(crate) fn drops_blanks(&self) -> bool {
        matches!(self.first(), Splitter::Whitespace | Splitter::Words | Splitter::Bert) && !self.needs_origin()
    }

    /// Whether every ASCII punctuation character is a word of its own from the first.
    pub(crate) fn isolates_punctuation(&self) -> bool {
        matches!(self.first(), Splitter::Bert)
    }

    /// What cuts first.
    fn first(&self) -> &Splitter {
        match &self.cut {
            Splitter::Sequence(splitters) => splitters.first().unwrap_or(&self.cut),
            cut => cut,
        }
    }

    /// Whether a scanner made for the pattern runs everywhere, rather than the regex engine.
    pub fn is_scanner(&self) -> bool {
        let scans = |step: &Step| !matches!(step, Step::Cut(cut) if !cut.is_scanner());
        self.cut.is_scanner() && self.steps.iter().all(scans)
    }

    /// Whether [`Pretokenizer::run`] looks at `origin`.
    pub fn needs_origin(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Metaspace(metaspace) if metaspace.needs_origin()))
    }

    /// Cuts and rewrites a text. The first `origin` bytes of it stand for the first character of the whole input, as
    /// `tokenizers` aligns them: 0 if it begins elsewhere. O(n) a step.
    ///
    /// # Errors
    /// [`Kind::Pattern`] if the backtracking engine gives up on the text.
    pub fn run(&self, text: &str, origin: usize) -> Result<Rewritten> {
        self.run_with(text, origin, false)
    }

    /// The same, with what each step changed.
    ///
    /// # Errors
    /// As [`Pretokenizer::run`].
    pub fn run_aligned(&self, text: &str, origin: usize) -> Result<Rewritten> {
        self.run_with(text, origin, true)
    }

    fn run_with(&self, text: &str, mut origin: usize, keep: bool) -> Result<Rewritten> {
        let (mut text, mut pieces, mut changes) = (Cow::Borrowed(text), Vec::new(), Vec::new());
        self.cut.for_each(&text, |from, to| pieces.push((from, to)))?;
        for step in &self.steps {
            if let Step::Cut(splitter) = step {
                pieces = cut_again(splitter, &text, &pieces)?;
                continue;
            }
            let (change, next, start) = step.rewrite(&text, &pieces, origin, keep);
            (pieces, origin) = (next, start);
            text = if keep {
                changes.push(change);
                Cow::Owned(changes[changes.len() - 1].text.clone())
            } else {
                Cow::Owned(change.text)
            };
        }
        Ok(Rewritten { text: text.into_owned(), pieces, changes })
    }

    /// The same with other splitters for the same cuts.
    pub(super) fn with_cuts(mut self, change: impl Fn(Splitter) -> Result<Splitter>) -> Result<Self> {
        self.cut = change(self.cut)?;
        for step in &mut self.steps {
            if let Step::Cut(cut) = step {
                **cut = change(std::mem::replace(&mut **cut, Splitter::Whole))?;
            }
        }
        Ok(self)
    }

    /// All steps in order, the first cuts too.
    pub(super) fn parts(&self) -> (&Splitter, &[Step]) {
        (&self.cut, &self.steps)
    }
}

impl Step {
    /// The new text with its edits, the pieces in it, and how much of its start stands for the first character of the
    /// input.
    fn rewrite(
        &self,
        text: &str,
        pieces: &[Span],
        origin: usize,
        keep: bool,
    ) -> (crate::normalize::Aligned, Vec<Span>, usize) {
        let mut writing = Rewriting::new(text, origin, keep);
        let mut next = Vec::with_capacity(pieces.len());
        for &piece in pieces {
            match self {
                Step::Metaspace(metaspace) => metaspace.rewrite(&mut writing, piece, &mut next),
                Step::PrefixSpace => next.push(with_prefix_space(&mut writing, piece)),
                Step::MapBytes => next.push(map_bytes(&mut writing, piece)),
                Step::Cut(_) => next.push(piece),
            }
        }
        let (change, origin) = writing.finish();
        (change, next, origin)
    }
}

fn with_prefix_space(text: &mut Rewriting, (from, to): Span) -> Span {
    text.copy_to(from);
    let start = text.new.len();
    if !text.old[from..to].starts_with(' ') {
        text.put(from..from, " ");
    }
    text.copy_to(to);
    (start, text.new.len())
}

fn map_bytes(text: &mut Rewriting, (from, to): Span) -> Span {
    text.copy_to(from);
    let (start, mut mapped) = (text.new.len(), String::new());
    for (at, character) in text.old[from..to].char_indices() {
        if !character.is_ascii_graphic() {
            let end = at + character.len_utf8();
            mapped.clear();
            mapped.extend(text.old[from + at..from + end].bytes().map(char_of));
            text.put(from + at..from + end, &mapped);
        }
    }
    text.copy_to(to);
    (start, text.new.len())
}

fn cut_again(splitter: &Splitter, text: &str, pieces: &[Span]) -> Result<Vec<Span>> {
    let mut next = Vec::with_capacity(pieces.len());
    for &(start, end) in pieces {
        splitter.for_each(&text[start..end], |from, to| next.push((start + from, start + to)))?;
    }
    Ok(next)
}

fn compile_into(spec: &spec::Pretokenizer, steps: &mut Vec<Step>) -> Result<()> {
    use spec::Pretokenizer as P;
    let chars = |kind, behavior| Splitter::Chars { kind, behavior };
    let splitter = match spec {
        P::Words => Splitter::Words,
        P::Whitespace => Splitter::Whitespace,
        P::Split { pattern, behavior, invert } => Splitter::compile_split(pattern, *behavior, *invert)?,
        P::Bert => Splitter::Bert,
        P::Digits { individual: true } => chars(CharKind::Number, Behavior::Isolated),
        P::Digits { individual: false } => chars(CharKind::Number, Behavior::Contiguous),
        P::Punctuation { behavior } => chars(CharKind::Punctuation, *behavior),
        P::UnicodeScripts => Splitter::Scripts,
        P::CharDelimiter { delimiter } => chars(CharKind::Delimiter(*delimiter), Behavior::Removed),
        P::FixedLength { length: 0 } => {
            return Err(Error::new(Kind::Argument, "the pre-tokenizer FixedLength has length 0; give at least 1"));
        }
        P::FixedLength { length } => Splitter::FixedLength(*length),
        P::Sequence { items } if deepseek::begins(items) => {
            steps.push(Step::Cut(Box::new(Splitter::deepseek())));
            return items[deepseek::ITEMS..].iter().try_for_each(|item| compile_into(item, steps));
        }
        P::Sequence { items } => return items.iter().try_for_each(|item| compile_into(item, steps)),
        P::Metaspace { replacement, prepend_scheme, split } => {
            steps.push(Step::Metaspace(Box::new(Metaspace::new(*replacement, *prepend_scheme, *split))));
            return Ok(());
        }
        P::ByteLevel { add_prefix_space, use_regex, .. } => {
            steps.extend(add_prefix_space.then_some(Step::PrefixSpace));
            steps.extend(use_regex.then_some(Step::Cut(Box::new(Splitter::named(NamedPattern::Gpt2)))));
            steps.push(Step::MapBytes);
            return Ok(());
        }
    };
    steps.push(Step::Cut(Box::new(splitter)));
    Ok(())
}

fn ends_with_byte_level(spec: Option<&spec::Pretokenizer>) -> bool {
    match spec {
        Some(spec::Pretokenizer::ByteLevel { .. }) => true,
        Some(spec::Pretokenizer::Sequence { items }) => {
            let last = items.iter().rev().find(|item| !is_nothing(item));
            ends_with_byte_level(last)
        }
        _ => false,
    }
}

/// A sequence of nothing.
fn is_nothing(spec: &spec::Pretokenizer) -> bool {
    matches!(spec, spec::Pretokenizer::Sequence { items } if items.iter().all(is_nothing))
}

#[cfg(test)]
mod tests;
