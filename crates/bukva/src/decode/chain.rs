//! A chain of decoders, compiled.
//!
//! Each decoder takes a list of pieces, at first the tokens, and gives another one; the pieces at the end are joined.
//! The steps at the head that rewrite each piece for itself are done once an id, in a table. The rest is a [`Flow`].

use std::borrow::Cow;
use std::sync::OnceLock;

use super::TokenTable;
use super::each::{Each, Place};
use super::flow::{Broken, Flow, Step};
use super::replace::Replacer;
use super::texts::{self, View};
use crate::error::Result;
use crate::spec::{Decoder, PrependScheme, Spec};

/// A compiled chain.
#[derive(Debug)]
pub(super) struct Chain {
    /// What the first step sees, where it is not the bytes of tokens as they are.
    texts: Option<TokenTable>,
    head: Vec<Each>,
    /// The head's result for every id that is neither first nor last; made when first needed.
    inner: OnceLock<TokenTable>,
    tail: Vec<Step>,
    looks_back: bool,
    looks_ahead: bool,
}

/// How far a chain has come.
#[derive(Debug, Default)]
pub(super) struct ChainState {
    begun: bool,
    /// The last id, where its text depends on whether another one follows.
    held: Option<u32>,
    flow: Flow,
}

impl Chain {
    pub(super) fn compile(spec: &Spec, decoder: &Decoder, table: &TokenTable) -> Result<Self> {
        let (mut steps, mut view) = (Vec::new(), View::Raw);
        flatten(decoder, &mut |item| {
            match item {
                Decoder::Mapped if steps.is_empty() => view = View::Mapped,
                item => steps.extend(step(item)?),
            }
            Ok(())
        })?;
        if matches!(steps.first(), Some(Step::Bytes)) && view == View::Raw && texts::is_byte_level(&spec.model) {
            steps[0] = Step::Join;
            view = View::Unmapped;
        }
        let mut head = Vec::new();
        let mut tail = steps.into_iter().peekable();
        while let Some(Step::Each(each)) = tail.next_if(|step| matches!(step, Step::Each(_))) {
            head.push(each);
        }
        Ok(Chain {
            texts: texts::differing(spec, view, table)?,
            looks_back: head.iter().any(Each::looks_back),
            looks_ahead: head.iter().any(Each::looks_ahead),
            inner: OnceLock::new(),
            tail: tail.collect(),
            head,
        })
    }

    /// Takes one id that `table`, the bytes of tokens as they are, has.
    pub(super) fn push(
        &self,
        table: &TokenTable,
        state: &mut ChainState,
        id: u32,
        broken: Broken,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if !self.looks_ahead {
            return self.take(table, state, (id, false), broken, out);
        }
        match state.held.replace(id) {
            Some(before) => self.take(table, state, (before, false), broken, out),
            None => Ok(()),
        }
    }

    /// Ends the text.
    pub(super) fn finish(
        &self,
        table: &TokenTable,
        state: &mut ChainState,
        broken: Broken,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if let Some(last) = state.held.take() {
            self.take(table, state, (last, true), broken, out)?;
        }
        state.flow.end(&self.tail, broken, out)
    }

    fn take(
        &self,
        table: &TokenTable,
        state: &mut ChainState,
        (id, last): (u32, bool),
        broken: Broken,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let texts = self.texts.as_ref().unwrap_or(table);
        let place = Place { first: !state.begun, last };
        state.begun = true;
        if last || (place.first && self.looks_back) {
            let piece = self.rewritten(texts, id, place)?;
            state.flow.piece(&self.tail, &piece, broken, out)
        } else {
            let piece = self.inner(texts)?.get(id).unwrap_or_default();
            state.flow.piece(&self.tail, piece, broken, out)
        }
    }

    fn inner<'t>(&'t self, texts: &'t TokenTable) -> Result<&'t TokenTable> {
        if self.head.is_empty() {
            return Ok(texts);
        }
        if let Some(made) = self.inner.get() {
            return Ok(made);
        }
        let rewritten = |id| Ok((id, self.rewritten(texts, id, Place::INNER)?));
        let entries = texts.ids().into_iter().map(rewritten).collect::<Result<Vec<_>>>()?;
        Ok(self.inner.get_or_init(|| TokenTable::of(entries)))
    }

    fn rewritten<'t>(&self, texts: &'t TokenTable, id: u32, place: Place) -> Result<Cow<'t, [u8]>> {
        let text = Cow::Borrowed(texts.get(id).unwrap_or_default());
        self.head.iter().try_fold(text, |piece, each| each.apply(piece, place))
    }
}

/// Calls `visit` with each decoder that is not a sequence, in order.
fn flatten(decoder: &Decoder, visit: &mut dyn FnMut(&Decoder) -> Result<()>) -> Result<()> {
    match decoder {
        Decoder::Sequence { items } => items.iter().try_for_each(|item| flatten(item, visit)),
        other => visit(other),
    }
}

/// The step of a decoder; `None` for one that does nothing there.
fn step(decoder: &Decoder) -> Result<Option<Step>> {
    let bytes = |text: &String| text.clone().into_bytes();
    Ok(Some(match decoder {
        Decoder::ByteLevel => Step::Bytes,
        Decoder::ByteFallback => Step::ByteFallback,
        Decoder::Fuse => Step::Join,
        Decoder::Ctc { pad_token, word_delimiter_token, cleanup } => {
            Step::Ctc { pad: bytes(pad_token), delimiter: cleanup.then(|| bytes(word_delimiter_token)) }
        }
        Decoder::SpaceBetween => Step::Each(Each::SpaceBetween),
        Decoder::EndOfWord { suffix } => Step::Each(Each::EndOfWord(bytes(suffix))),
        Decoder::WordPiece { prefix, cleanup } => {
            Step::Each(Each::WordPiece { prefix: bytes(prefix), cleanup: *cleanup })
        }
        Decoder::Metaspace { replacement, prepend_scheme, .. } => Step::Each(Each::Metaspace {
            mark: replacement.to_string().into_bytes(),
            prepended: *prepend_scheme != PrependScheme::Never,
        }),
        Decoder::Strip { content, start, stop } => {
            Step::Each(Each::Strip { content: content.to_string().into_bytes(), start: *start, stop: *stop })
        }
        Decoder::Replace { pattern, content } => Step::Each(Each::Replace(Replacer::compile(pattern, content)?)),
        Decoder::Mapped | Decoder::SentencePiece { .. } | Decoder::Sequence { .. } => return Ok(None),
    }))
}
