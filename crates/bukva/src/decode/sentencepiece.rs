//! SentencePiece's own decoder. Source: `SentencePieceProcessor::Decode`.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::TokenTable;
use super::each::replaced;
use super::flow::{Broken, byte_of};
use crate::error::Result;
use crate::normalize::Normalizer;
use crate::spec::{Decoder, PieceKind, Spec};

const MARK: &[u8] = "▁".as_bytes();
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// A compiled decoder.
#[derive(Debug)]
pub(super) struct SentencePiece {
    /// Pieces with spaces for marks; made when first needed.
    spaced: OnceLock<TokenTable>,
    /// Pieces that are not text of their own.
    odd: FxHashMap<u32, Odd>,
    unk_surface: Vec<u8>,
    drops_first_mark: bool,
    drops_every_first_mark: bool,
    /// Rewrites the whole text at its end.
    denormalizer: Option<Normalizer>,
}

#[derive(Debug, Clone, Copy)]
enum Odd {
    Control,
    Unknown,
    Byte(u8),
}

/// How far a text has come.
#[derive(Debug, Default)]
pub(super) struct SentencePieceState {
    /// Bytes of byte pieces that are no complete character yet: at most 3.
    run: Vec<u8>,
    /// Text was given out, or the dummy mark was seen.
    begun: bool,
    /// The text so far, where it is rewritten at its end.
    held: Vec<u8>,
}

impl SentencePiece {
    /// Compiles the decoder.
    ///
    /// # Errors
    /// Those of the normalizer that rewrites decoded text.
    pub(super) fn compile(spec: &Spec, decoder: &Decoder) -> Result<Option<Self>> {
        let Decoder::SentencePiece { unk_surface, add_dummy_prefix, remove_extra_whitespaces, denormalizer, .. } =
            decoder
        else {
            return Ok(None);
        };
        Ok(Some(SentencePiece {
            odd: odd(spec),
            spaced: OnceLock::new(),
            unk_surface: unk_surface.clone().into_bytes(),
            drops_first_mark: *add_dummy_prefix || *remove_extra_whitespaces,
            drops_every_first_mark: *remove_extra_whitespaces,
            denormalizer: denormalizer.as_deref().map(Normalizer::compile).transpose()?,
        }))
    }

    /// Takes one id that `pieces`, the tokens as they are, has.
    pub(super) fn push(
        &self,
        pieces: &TokenTable,
        state: &mut SentencePieceState,
        id: u32,
        broken: Broken,
        out: &mut Vec<u8>,
    ) {
        if self.denormalizer.is_none() {
            return self.push_piece(pieces, state, id, broken, out);
        }
        let mut held = std::mem::take(&mut state.held);
        self.push_piece(pieces, state, id, broken, &mut held);
        state.held = held;
    }

    fn push_piece(
        &self,
        pieces: &TokenTable,
        state: &mut SentencePieceState,
        id: u32,
        broken: Broken,
        out: &mut Vec<u8>,
    ) {
        let before = out.len();
        let odd = self.odd.get(&id);
        if let Some(Odd::Byte(byte)) = odd {
            state.run.push(*byte);
            return state.give_run(false, broken, out);
        }
        state.give_run(true, broken, out);
        state.begun |= out.len() > before;
        match odd {
            Some(Odd::Unknown) => out.extend_from_slice(&self.unk_surface),
            Some(_) => {}
            None if state.begun || !self.drops_first_mark => {
                out.extend_from_slice(self.spaced(pieces).get(id).unwrap_or_default());
            }
            None => {
                let piece = pieces.get(id).unwrap_or_default();
                let rest = piece.strip_prefix(MARK);
                state.begun |= rest.is_some() && !self.drops_every_first_mark;
                out.extend_from_slice(&replaced(Cow::Borrowed(rest.unwrap_or(piece)), MARK, b" "));
            }
        }
        state.begun |= out.len() > before;
    }

    fn spaced(&self, pieces: &TokenTable) -> &TokenTable {
        self.spaced.get_or_init(|| {
            let spaced = |id| (id, replaced(Cow::Borrowed(pieces.get(id).unwrap_or_default()), MARK, b" "));
            TokenTable::of(pieces.ids().into_iter().map(spaced).collect())
        })
    }

    /// Ends the text.
    ///
    /// # Errors
    /// As [`Normalizer::apply`].
    pub(super) fn finish(&self, state: &mut SentencePieceState, broken: Broken, out: &mut Vec<u8>) -> Result<()> {
        let mut state = std::mem::take(state);
        let Some(denormalizer) = &self.denormalizer else {
            state.give_run(true, broken, out);
            return Ok(());
        };
        let mut held = std::mem::take(&mut state.held);
        state.give_run(true, broken, &mut held);
        // Bytes that are no text stay as they are, and what is around them is rewritten.
        for chunk in held.utf8_chunks() {
            out.extend_from_slice(denormalizer.apply(chunk.valid())?.as_bytes());
            out.extend_from_slice(chunk.invalid());
        }
        Ok(())
    }
}

impl SentencePieceState {
    /// Gives out the complete characters of the run; U+FFFD for each byte that is part of none.
    fn give_run(&mut self, at_end: bool, broken: Broken, out: &mut Vec<u8>) {
        while !self.run.is_empty() {
            let (good, bad) = match std::str::from_utf8(&self.run) {
                Ok(text) => (text.len(), 0),
                Err(error) if error.error_len().is_none() && !at_end => (error.valid_up_to(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(self.run.len() - error.valid_up_to())),
            };
            self.begun |= good + bad > 0;
            out.extend(self.run.drain(..good));
            match broken {
                Broken::Keep => out.extend(self.run.drain(..bad)),
                Broken::Replace => self.run.drain(..bad).for_each(|_| out.extend_from_slice(REPLACEMENT)),
            }
            if good + bad == 0 {
                break;
            }
        }
    }
}

fn odd(spec: &Spec) -> FxHashMap<u32, Odd> {
    let Some(pieces) = spec.model.pieces() else { return FxHashMap::default() };
    let odd = |(entry, kind): (crate::spec::VocabEntry<'_>, &PieceKind)| match kind {
        PieceKind::Control => Some((entry.id, Odd::Control)),
        PieceKind::Unknown => Some((entry.id, Odd::Unknown)),
        PieceKind::Byte => byte_of(entry.bytes).map(|byte| (entry.id, Odd::Byte(byte))),
        _ => None,
    };
    spec.model.vocab().iter().zip(&pieces.kinds).filter_map(odd).collect()
}
