//! A compiled specification: from text to ids and back.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::added::{AddedTokens, Recognise, SpecialPolicy};
use crate::align::AlignedText;
use crate::decode::{TextDecoder, TokenTable};
use crate::error::{Error, Result};
use crate::model::{Encoder, Excluded, Scratch, Span, Workshop};
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::normalize::Normalizer;
use crate::paths::{Merging, Paths};
use crate::postprocess::Frame;
use crate::pretokenize::{MANY, Pretokenizer};
use crate::spec::Spec;
use crate::together::both;
use crate::words::{Wanted, Words};

/// A tokenizer that is ready to work. Immutable; shared freely between threads, and safe to fork.
#[derive(Debug)]
pub struct Tokenizer {
    spec: Arc<Spec>,
    pub(crate) normalizer: Option<Arc<Normalizer>>,
    pub(crate) pretokenizer: Pretokenizer,
    model: Workshop,
    /// The model as the `tokenizers` library has it, which finds special tokens too. Made when first needed.
    library: OnceLock<Option<Workshop>>,
    /// How texts are cut before any stage, if they may be. Made when first needed.
    pub(crate) words: OnceLock<Option<Words>>,
    pub(crate) added: Arc<AddedTokens>,
    frame: Arc<Frame>,
    decoder: Arc<TextDecoder>,
    paths: Paths,
}

impl Tokenizer {
    /// Validates and compiles a specification.
    ///
    /// # Errors
    /// [`crate::Kind::Invariant`] for a specification that contradicts itself, [`crate::Kind::Unsupported`] and
    /// [`crate::Kind::Pattern`] for stages that cannot be compiled.
    pub fn new(spec: Spec) -> Result<Self> {
        spec.validate()?;
        Self::of_valid(spec)
    }

    /// As [`Tokenizer::new`], for a specification whose invariants were checked.
    pub(crate) fn of_valid(spec: Spec) -> Result<Self> {
        let special = Excluded::special(&spec);
        let (encoder, tokens) = both(|| Encoder::compile(&spec.model, &special), || TokenTable::new(&spec));
        Self::with_tables(spec, encoder?, tokens)
    }

    /// As [`Tokenizer::new`], with the bytes of every id and the model, which finds no special token, compiled already.
    /// The invariants are not checked.
    pub(crate) fn with_tables(spec: Spec, encoder: Encoder, tokens: TokenTable) -> Result<Self> {
        let normalizer = Normalizer::of_spec(&spec)?;
        let bytes = spec.model.sees_bytes();
        Ok(Tokenizer {
            added: Arc::new(AddedTokens::compile(&spec, normalizer.as_ref())?),
            normalizer: normalizer.map(Arc::new),
            pretokenizer: Pretokenizer::compile(spec.pretokenizer.as_ref(), bytes)?,
            model: Workshop::of(Arc::new(encoder), true),
            library: OnceLock::new(),
            words: OnceLock::new(),
            frame: Arc::new(Frame::compile(spec.postprocessor.as_ref())),
            decoder: Arc::new(TextDecoder::with_table(&spec, tokens)?),
            spec: Arc::new(spec),
            paths: Paths::default(),
        })
    }

    /// The same tokenizer by other ways. It shares the tables that are the same: all of them where only the scanner and
    /// the cache differ from the usual.
    ///
    /// # Errors
    /// [`crate::Kind::Unsupported`] for instructions that this processor has not.
    pub fn with_paths(&self, paths: Paths) -> Result<Self> {
        let (spec, usual) = (&self.spec, |paths: Paths| paths.whole && paths.merging == Merging::Automatic);
        let encoder = if usual(self.paths) && usual(paths) {
            self.model.encoder.clone()
        } else {
            Arc::new(Encoder::compile_by(&spec.model, &Excluded::special(spec), &paths)?)
        };
        Ok(Tokenizer {
            spec: spec.clone(),
            normalizer: self.normalizer.clone(),
            pretokenizer: Pretokenizer::compile(spec.pretokenizer.as_ref(), spec.model.sees_bytes())?
                .by(paths.scanner)?,
            model: Workshop::of(encoder, paths.cache),
            library: OnceLock::new(),
            words: OnceLock::new(),
            added: self.added.clone(),
            frame: self.frame.clone(),
            decoder: self.decoder.clone(),
            paths,
        })
    }

    /// The ways that this tokenizer takes.
    pub fn paths(&self) -> Paths {
        self.paths
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

    /// The model. It makes no text a special token.
    pub(crate) fn encoder(&self) -> &Encoder {
        &self.model.encoder
    }

    /// The model as the `tokenizers` library has it: a special token that its vocabulary spells is found like any other.
    ///
    /// # Errors
    /// As [`Encoder::compile`].
    pub(crate) fn library_model(&self) -> Result<&Workshop> {
        let other = match self.library.get() {
            Some(other) => other,
            None => {
                let differs = self.encoder().lacks(&self.spec.model, &Excluded::special(&self.spec));
                let compile = || Encoder::compile_by(&self.spec.model, &Excluded::none(), &self.paths);
                let made = differs.then(compile).transpose()?;
                self.library.get_or_init(|| made.map(|encoder| Workshop::of(Arc::new(encoder), self.paths.cache)))
            }
        };
        Ok(other.as_ref().unwrap_or(&self.model))
    }

    /// What cuts text into pre-tokens.
    pub fn pretokenizer(&self) -> &Pretokenizer {
        &self.pretokenizer
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
        self.with_scratch(|scratch| self.encode_as(text, None, self.encoder(), scratch, &mut |_| Ok(()), out))
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
        self.encode_as(text, Some(Recognise::Policy(policy)), self.encoder(), scratch, tick, out)
    }

    pub(crate) fn encode_as(
        &self,
        text: &str,
        recognise: Option<Recognise>,
        encoder: &Encoder,
        scratch: &mut Scratch,
        tick: &mut Tick,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let words = self.words(encoder, scratch);
        self.walk(text, recognise, words, &mut |item| match item {
            Item::Added(id) => {
                out.push(id);
                Ok(())
            }
            Item::Stretch { words, text, start } => {
                let done = words.encode((self, encoder), text, start, scratch, &mut Wanted::Ids(out));
                done.map_err(|error| self.placed(error, start))?;
                tick(start + text.len())
            }
            Item::Pieces { text, spans, start } => {
                encoder.encode_spans(text, spans, scratch, out)?;
                tick(start + spans.last().map_or(0, |span| span.1))
            }
        })
    }

    pub(crate) fn count_with(&self, text: &str, policy: &SpecialPolicy, scratch: &mut Scratch) -> Result<usize> {
        let (mut count, encoder) = (0, self.encoder());
        let words = self.words(encoder, scratch);
        self.walk(text, Some(Recognise::Policy(policy)), words, &mut |item| {
            match item {
                Item::Added(_) => count += 1,
                Item::Stretch { words, text, start } => {
                    let done = words.encode((self, encoder), text, start, scratch, &mut Wanted::Count(&mut count));
                    done.map_err(|error| self.placed(error, start))?;
                }
                Item::Pieces { text, spans, .. } => count += encoder.count_spans(text, spans, scratch)?,
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// Calls `found` with every pre-token of a text in which no added token is recognised.
    pub(crate) fn for_each_pretoken(&self, text: &str, found: &mut impl FnMut(&[u8])) -> Result<()> {
        self.walk(text, None, None, &mut |item| {
            if let Item::Pieces { text, spans, .. } = item {
                spans.iter().for_each(|&(from, to)| found(&text[from..to]));
            }
            Ok(())
        })
    }

    /// Takes a text through all stages before the model, and calls `step` with what comes out, in order, until it
    /// fails. Without `recognise` no added token is looked for; with `words` the stretches between go through no stage.
    #[inline]
    fn walk(
        &self,
        text: &str,
        recognise: Option<Recognise>,
        words: Option<&Words>,
        step: &mut impl FnMut(Item) -> Result<()>,
    ) -> Result<()> {
        let parts = match recognise {
            Some(recognise) => self.added.parts_of_text(text, recognise)?,
            None => Vec::new(),
        };
        if parts.is_empty() {
            return self.walk_stretch(text, 0, recognise, words, step);
        }
        parts.iter().try_for_each(|part| match part.id {
            Some(id) => step(Item::Added(id)),
            None => self.walk_stretch(&text[part.start..part.end], part.start, recognise, words, step),
        })
    }

    /// The same for a stretch that begins at `start` and has no added token that is found before normalization.
    #[inline]
    pub(crate) fn walk_stretch(
        &self,
        text: &str,
        start: usize,
        recognise: Option<Recognise>,
        words: Option<&Words>,
        step: &mut impl FnMut(Item) -> Result<()>,
    ) -> Result<()> {
        if let Some(words) = words {
            return step(Item::Stretch { words, text, start });
        }
        let normalized = match &self.normalizer {
            Some(normalizer) => normalizer.apply(text)?,
            None => Cow::Borrowed(text),
        };
        let parts = match recognise {
            Some(recognise) => self.added.parts_of_normalized(&normalized, recognise),
            None => Ok(Vec::new()),
        };
        let parts = parts.map_err(|error| self.placed(error, start))?;
        let origin = self.origin(text, start, &normalized)?;
        if parts.is_empty() {
            return self.walk_pieces(&normalized, start, origin, step);
        }
        parts.iter().try_for_each(|part| match part.id {
            Some(id) => step(Item::Added(id)),
            None => {
                let (piece, start) = (&normalized[part.start..part.end], start + part.start);
                self.walk_pieces(piece, start, origin.saturating_sub(part.start), step)
            }
        })
    }

    /// Splits normalized text that begins at `start` and has no added token. See [`Pretokenizer::run`] for `origin`.
    #[inline]
    fn walk_pieces(
        &self,
        text: &str,
        start: usize,
        origin: usize,
        step: &mut impl FnMut(Item) -> Result<()>,
    ) -> Result<()> {
        let done = match self.pretokenizer.splitter() {
            Some(splitter) => {
                splitter.in_groups(text, &mut |spans| step(Item::Pieces { text: text.as_bytes(), spans, start }))
            }
            None => self.pretokenizer.run(text, origin).and_then(|rewritten| {
                let text = rewritten.text.as_bytes();
                rewritten.pieces.chunks(MANY).try_for_each(|spans| step(Item::Pieces { text, spans, start }))
            }),
        };
        done.map_err(|error| self.placed(error, start))
    }

    /// How many bytes at the start of a normalized stretch stand for the first character of the input, where the
    /// pre-tokenizer asks for it.
    pub(crate) fn origin(&self, text: &str, start: usize, normalized: &str) -> Result<usize> {
        if start > 0 || !self.pretokenizer.needs_origin() {
            return Ok(0);
        }
        match &self.normalizer {
            Some(normalizer) if text != normalized => {
                let mut aligned = AlignedText::new(text)?;
                normalizer.apply_hf(&mut aligned)?;
                Ok(aligned.spans().partition_point(|span| span.0 == 0))
            }
            _ => Ok(normalized.chars().next().map_or(0, char::len_utf8)),
        }
    }

    /// Moves an error's offset from its stretch to the text; where text is rewritten no offset is true.
    fn placed(&self, mut error: Error, start: usize) -> Error {
        let offset = error.place.byte_offset.take();
        match offset {
            Some(offset) if self.normalizer.is_none() && !self.pretokenizer.rewrites() => {
                error.at_byte(start as u64 + offset)
            }
            _ => error,
        }
    }

    /// Runs `work` with a spare work space, or a new one where none is free.
    pub(crate) fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.model.take_scratch();
        let result = work(&mut scratch);
        self.model.give_back(scratch);
        result
    }

    pub(crate) fn take_scratch(&self) -> Scratch {
        self.model.take_scratch()
    }

    pub(crate) fn give_back(&self, scratch: Scratch) {
        self.model.give_back(scratch);
    }
}

/// What comes to the model, or passes it by.
pub(crate) enum Item<'a> {
    /// An added token.
    Added(u32),
    /// Text that begins at byte `start` of the input, to be encoded word by word.
    Stretch { words: &'a Words, text: &'a str, start: usize },
    /// Pre-tokens: ranges of `text`, which begins at byte `start` of the input or near it.
    Pieces { text: &'a [u8], spans: &'a [Span], start: usize },
}

/// Hears after each group of pre-tokens how many bytes are done, and may stop the work.
pub(crate) type Tick<'a> = dyn FnMut(usize) -> Result<()> + 'a;
