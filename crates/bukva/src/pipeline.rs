//! A compiled specification: from text to ids and back.

use std::borrow::Cow;
use std::sync::Mutex;

use crate::added::{AddedMatch, AddedTokens, SpecialPolicy};
use crate::decode::{TextDecoder, TokenTable};
use crate::error::{Error, Result};
use crate::model::{Encoder, Scratch, Span};
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::normalize::Normalizer;
use crate::postprocess::Frame;
use crate::pretokenize::Splitter;
use crate::spec::Spec;

/// A tokenizer that is ready to work. Immutable; shared freely between threads, and safe to fork.
#[derive(Debug)]
pub struct Tokenizer {
    spec: Spec,
    pub(crate) normalizer: Option<Normalizer>,
    pub(crate) splitter: Splitter,
    pub(crate) encoder: Encoder,
    pub(crate) added: AddedTokens,
    frame: Frame,
    decoder: TextDecoder,
    spare: Mutex<Vec<Scratch>>,
}

impl Tokenizer {
    /// Validates and compiles a specification.
    ///
    /// # Errors
    /// [`crate::Kind::Invariant`] for a specification that contradicts itself, [`crate::Kind::Unsupported`] and
    /// [`crate::Kind::Pattern`] for stages that cannot be compiled.
    pub fn new(spec: Spec) -> Result<Self> {
        spec.validate()?;
        let encoder = Encoder::compile(&spec.model)?;
        let tokens = TokenTable::new(&spec);
        Self::with_tables(spec, encoder, tokens)
    }

    /// As [`Tokenizer::new`], with the model and the bytes of every id compiled already. The invariants are not
    /// checked.
    pub(crate) fn with_tables(spec: Spec, encoder: Encoder, tokens: TokenTable) -> Result<Self> {
        Ok(Tokenizer {
            normalizer: spec.normalizer.as_ref().map(Normalizer::compile).transpose()?,
            splitter: Splitter::compile(spec.pretokenizer.as_ref())?,
            encoder,
            added: AddedTokens::compile(&spec)?,
            frame: Frame::compile(spec.postprocessor.as_ref()),
            decoder: TextDecoder::with_table(&spec, tokens)?,
            spare: Mutex::new(Vec::new()),
            spec,
        })
    }

    /// What this tokenizer is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The way back from ids.
    pub fn decoder(&self) -> &TextDecoder {
        &self.decoder
    }

    /// The control tokens that the specification's template puts around ids.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The scanner or engine that cuts text into pre-tokens.
    pub fn splitter(&self) -> &Splitter {
        &self.splitter
    }

    /// Appends the ids of a text; added tokens are recognised as `policy` says.
    ///
    /// # Errors
    /// [`crate::Kind::SpecialToken`], [`crate::Kind::UnknownCharacter`] or [`crate::Kind::Pattern`], with the byte
    /// offset in the text where there was no normalizer.
    pub fn encode(&self, text: &str, policy: &SpecialPolicy, out: &mut Vec<u32>) -> Result<()> {
        self.with_scratch(|scratch| self.encode_with(text, policy, scratch, &mut |_| Ok(()), out))
    }

    /// As [`Tokenizer::encode`], for a long text: reports to `monitor`, which may stop the work.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`], and what `monitor` answers.
    pub fn encode_watched(
        &self,
        text: &str,
        policy: &SpecialPolicy,
        monitor: &mut dyn Monitor,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let (mut ticker, total) = (Ticker::new(monitor), Some(text.len() as u64));
        let mut tick = |done: usize| ticker.tick(Progress { stage: Stage::Encode, done: done as u64, total });
        self.with_scratch(|scratch| self.encode_with(text, policy, scratch, &mut tick, out))
    }

    /// Appends the ids of a text in which no added token is recognised.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn encode_ordinary(&self, text: &str, out: &mut Vec<u32>) -> Result<()> {
        self.with_scratch(|scratch| self.encode_stretch(text, 0, scratch, &mut |_| Ok(()), out))
    }

    /// The number of ids of a text, without making them.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn count(&self, text: &str, policy: &SpecialPolicy) -> Result<usize> {
        self.with_scratch(|scratch| self.count_with(text, policy, scratch))
    }

    pub(crate) fn encode_with(
        &self,
        text: &str,
        policy: &SpecialPolicy,
        scratch: &mut Scratch,
        tick: &mut Tick,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let added = self.added.find(text, policy)?;
        for stretch in Stretches::new(text, &added) {
            match stretch {
                Stretch::Text { start, end } => self.encode_stretch(&text[start..end], start, scratch, tick, out)?,
                Stretch::Added { id, .. } => out.push(id),
            }
        }
        Ok(())
    }

    pub(crate) fn count_with(&self, text: &str, policy: &SpecialPolicy, scratch: &mut Scratch) -> Result<usize> {
        let added = self.added.find(text, policy)?;
        let mut count = added.len();
        for stretch in Stretches::new(text, &added) {
            if let Stretch::Text { start, end } = stretch {
                self.in_groups(&text[start..end], start, |text, spans| {
                    count += self.encoder.count_spans(text, spans, scratch)?;
                    Ok(())
                })?;
            }
        }
        Ok(count)
    }

    fn encode_stretch(
        &self,
        text: &str,
        start: usize,
        scratch: &mut Scratch,
        tick: &mut Tick,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        self.in_groups(text, start, |text, spans| {
            self.encoder.encode_spans(text, spans, scratch, out)?;
            tick(start + spans.last().map_or(0, |span| span.1))
        })
    }

    /// Normalizes and splits a stretch of text that begins at `start`, and calls `step` with groups of pre-tokens and
    /// the normalized text that they lie in, until it fails.
    #[inline]
    fn in_groups(&self, text: &str, start: usize, mut step: impl FnMut(&[u8], &[Span]) -> Result<()>) -> Result<()> {
        let normalized = match &self.normalizer {
            Some(normalizer) => normalizer.apply(text)?,
            None => Cow::Borrowed(text),
        };
        let (mut group, mut filled, mut outcome) = ([(0, 0); GROUP], 0, Ok(()));
        self.splitter.for_each(&normalized, |from, to| {
            group[filled] = (from, to);
            filled += 1;
            if filled == GROUP {
                if outcome.is_ok() {
                    outcome = step(normalized.as_bytes(), &group);
                }
                filled = 0;
            }
        })?;
        outcome.and_then(|()| step(normalized.as_bytes(), &group[..filled])).map_err(|error| self.placed(error, start))
    }

    /// Moves an error's offset from its stretch to the text; behind a normalizer no offset is true.
    fn placed(&self, mut error: Error, start: usize) -> Error {
        let offset = error.place.byte_offset.take();
        match (&self.normalizer, offset) {
            (None, Some(offset)) => error.at_byte(start as u64 + offset),
            _ => error,
        }
    }

    /// Runs `work` with a spare work space, or a new one where none is free.
    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.take_scratch();
        let result = work(&mut scratch);
        self.give_back(scratch);
        result
    }

    /// Never waits: a lock that is held, or was held when the process forked, is passed by.
    pub(crate) fn take_scratch(&self) -> Scratch {
        let spare = self.spare.try_lock().ok().and_then(|mut spare| spare.pop());
        spare.unwrap_or_else(|| self.encoder.scratch())
    }

    pub(crate) fn give_back(&self, scratch: Scratch) {
        if let Ok(mut spare) = self.spare.try_lock()
            && spare.len() < MOST_SPARE
        {
            spare.push(scratch);
        }
    }
}

/// Hears after each group of pre-tokens how many bytes are done, and may stop the work.
pub(crate) type Tick<'a> = dyn FnMut(usize) -> Result<()> + 'a;

/// Pre-tokens handed to the model at a time: enough to look ahead, few enough to stay in the first-level cache.
const GROUP: usize = 256;

/// Work spaces kept between calls: one for each thread that commonly works at once.
const MOST_SPARE: usize = 64;

/// A part of a text: an added token, or what lies between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stretch {
    Text { start: usize, end: usize },
    Added { start: usize, end: usize, id: u32 },
}

/// The parts of a text in order; empty ones are left out.
pub(crate) struct Stretches<'a> {
    added: std::slice::Iter<'a, AddedMatch>,
    pending: Option<AddedMatch>,
    at: usize,
    len: usize,
}

impl<'a> Stretches<'a> {
    pub(crate) fn new(text: &str, added: &'a [AddedMatch]) -> Self {
        Stretches { added: added.iter(), pending: None, at: 0, len: text.len() }
    }
}

impl Iterator for Stretches<'_> {
    type Item = Stretch;

    fn next(&mut self) -> Option<Stretch> {
        let next = self.pending.take().or_else(|| self.added.next().copied());
        let start = self.at;
        match next {
            Some(AddedMatch { start: from, end, id }) if from == start => {
                self.at = end;
                Some(Stretch::Added { start, end, id })
            }
            Some(place) => {
                self.pending = Some(place);
                self.at = place.start;
                Some(Stretch::Text { start, end: place.start })
            }
            None if start < self.len => {
                self.at = self.len;
                Some(Stretch::Text { start, end: self.len })
            }
            None => None,
        }
    }
}
