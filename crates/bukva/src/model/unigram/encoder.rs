//! The encoder: a compiled Unigram model.

use super::best::Best;
use super::entries::Entries;
use super::margin::Margin;
use crate::error::Result;
use crate::model::cuts::Cuts;
use crate::model::lookup::{self, Memoized, Memory, Whole, next_serial};
use crate::model::{Excluded, Span, TokenSpan, check_length};
use crate::spec::{PieceKind, Unigram};

/// A compiled Unigram model: read-only, shared by all threads, each with its own [`Scratch`].
#[derive(Debug)]
pub struct UnigramEncoder {
    pub(super) entries: Entries,
    /// Where no piece crosses.
    pub(super) cuts: Cuts,
    /// The largest score, without its sign.
    pub(super) largest: f64,
    whole: Whole,
    serial: u64,
}

/// The memory of one thread: what it learned, and its work arrays.
#[derive(Debug)]
pub struct Scratch {
    pub(in crate::model) memory: Memory,
    pub(super) best: Best,
    pub(super) margin: Margin,
    pub(super) learned: Vec<u32>,
}

impl UnigramEncoder {
    /// Compiles a model that finds no `excluded` id. O(n log n) for n bytes of the vocabulary.
    pub fn compile(model: &Unigram, excluded: &Excluded) -> Self {
        let entries = Entries::compile(model, excluded);
        let is_found = |index: usize| match &model.pieces {
            Some(pieces) => matches!(pieces.kinds.get(index), Some(PieceKind::Normal | PieceKind::UserDefined)),
            None => true,
        };
        let found = model.vocab.iter().enumerate().filter(|&(index, _)| is_found(index)).map(|(_, entry)| entry.bytes);
        UnigramEncoder {
            cuts: Cuts::inside(found),
            largest: entries.scores.iter().copied().chain([entries.unknown_score]).map(f64::abs).fold(0.0, f64::max),
            entries,
            whole: Whole::build([].into_iter()),
            serial: next_serial(),
        }
    }

    /// Memory for one thread. O(1).
    pub fn scratch(&self) -> Scratch {
        Scratch {
            memory: Memory::of(self.serial),
            best: Best::default(),
            margin: Margin::default(),
            learned: Vec::new(),
        }
    }

    fn serve(&self, scratch: &mut Scratch) {
        if !scratch.memory.is_of(self.serial) {
            let memory = scratch.memory.anew(self.serial);
            *scratch = Scratch { memory, ..self.scratch() };
        }
    }

    /// Appends the ids of the pre-tokens `spans` of `text`, in order. O(bytes × longest piece) for new text, O(bytes)
    /// for words that are known.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] for text that has no token where the model has no unknown token; the offset
    /// counts from the start of `text`.
    pub fn encode_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        self.serve(scratch);
        if !self.entries.sentencepiece {
            return lookup::encode_spans(self, text, spans, scratch, out);
        }
        for &(start, end) in spans {
            let sentence = &text[start..end];
            self.encode_sentence(sentence, scratch, &mut |id| out.push(id)).map_err(|error| error.moved_by(start))?;
        }
        Ok(())
    }

    /// The number of ids of the pre-tokens `spans` of `text`.
    ///
    /// # Errors
    /// As [`UnigramEncoder::encode_spans`].
    pub fn count_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch) -> Result<usize> {
        self.serve(scratch);
        if !self.entries.sentencepiece {
            return lookup::count_spans(self, text, spans, scratch);
        }
        let mut count = 0;
        for &(start, end) in spans {
            let sentence = &text[start..end];
            self.encode_sentence(sentence, scratch, &mut |_| count += 1).map_err(|error| error.moved_by(start))?;
        }
        Ok(count)
    }

    /// Appends the tokens of one pre-token with their places, as the library whose rules are followed reports them.
    /// O(bytes × longest piece).
    ///
    /// # Errors
    /// As [`UnigramEncoder::encode_spans`], the offset counting from the start of the piece.
    pub fn tokens(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<TokenSpan>) -> Result<()> {
        self.search(piece, scratch, &mut |token| out.push(token))
    }

    fn search(&self, piece: &[u8], scratch: &mut Scratch, emit: &mut impl FnMut(TokenSpan)) -> Result<()> {
        check_length(piece)?;
        scratch.best.search(&self.entries, piece, 0.0);
        let mut run = None;
        self.entries.spell(piece, &scratch.best.path, 0, &mut run, emit)?;
        self.entries.close(piece, &mut run, emit)?;
        scratch.best.shrink();
        Ok(())
    }
}

impl Memoized for UnigramEncoder {
    type Scratch = Scratch;

    fn whole(&self) -> &Whole {
        &self.whole
    }

    fn memory(scratch: &mut Scratch) -> &mut Memory {
        &mut scratch.memory
    }

    #[inline(never)]
    fn encode_new(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        let first = out.len();
        let result = self.search(piece, scratch, &mut |token| out.push(token.id));
        match &result {
            Ok(()) => scratch.memory.cache.learn(piece, &out[first..]),
            Err(_) => out.truncate(first),
        }
        result
    }
}
