//! Stretches of text as they stand before any stage, learned with their ids.
//!
//! Where all stages together give a stretch the same ids wherever it stands, it can be looked up by its own bytes, and
//! only what was never met goes through the stages.

use super::lookup::{self, Memoized, Memory, Whole, next_serial};
use super::{Scratch, Span};
use crate::error::Result;

/// What names the learned stretches of one tokenizer.
#[derive(Debug)]
pub(crate) struct Raw {
    serial: u64,
    /// No stretch is certainly one token.
    whole: Whole,
}

impl Raw {
    pub(crate) fn new() -> Self {
        Raw { serial: next_serial(), whole: Whole::build([].into_iter()) }
    }

    /// Appends the ids of the stretches at `spans` of `text`; `stages` appends those of one that was not met before.
    ///
    /// # Errors
    /// Those of `stages`, the offset counting from the start of `text`.
    pub(crate) fn encode<F: Stages>(
        &self,
        stages: F,
        text: &[u8],
        spans: &[Span],
        scratch: &mut Scratch,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        self.serve(scratch);
        lookup::encode_spans(&Through { raw: self, stages }, text, spans, scratch, out)
    }

    /// The number of ids of the same.
    ///
    /// # Errors
    /// As [`Raw::encode`].
    pub(crate) fn count<F: Stages>(
        &self,
        stages: F,
        text: &[u8],
        spans: &[Span],
        scratch: &mut Scratch,
    ) -> Result<usize> {
        self.serve(scratch);
        lookup::count_spans(&Through { raw: self, stages }, text, spans, scratch)
    }

    fn serve(&self, scratch: &mut Scratch) {
        if !scratch.raw.is_of(self.serial) {
            *scratch.raw = scratch.raw.anew(self.serial);
        }
    }
}

/// All stages, for one stretch.
pub(crate) trait Stages: Fn(&[u8], &mut Scratch, &mut Vec<u32>) -> Result<()> {}

impl<F: Fn(&[u8], &mut Scratch, &mut Vec<u32>) -> Result<()>> Stages for F {}

struct Through<'r, F> {
    raw: &'r Raw,
    stages: F,
}

impl<F: Stages> Memoized for Through<'_, F> {
    type Scratch = Scratch;

    fn whole(&self) -> &Whole {
        &self.raw.whole
    }

    fn memory(scratch: &mut Scratch) -> &mut Memory {
        &mut scratch.raw
    }

    #[inline(never)]
    fn encode_new(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        let start = out.len();
        let done = (self.stages)(piece, scratch, out);
        match done {
            Ok(()) => scratch.raw.cache.learn(piece, &out[start..]),
            Err(_) => out.truncate(start),
        }
        done
    }
}
