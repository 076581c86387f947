//! Many sequences of ids at once.

use super::rows::SAMPLE;
use super::{Invalid, TextDecoder};
use crate::encoding::in_turns;
use crate::error::Result;
use crate::monitor::Monitor;

/// A text as it is shortest to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spelled {
    /// UTF-8.
    Utf8(String),
    /// UTF-16, the low byte first. See [`TextDecoder::utf16_le`].
    Utf16(Vec<u8>),
}

impl TextDecoder {
    /// Decodes every sequence, in order. The result does not depend on `threads`.
    ///
    /// # Errors
    /// The error of the first sequence that fails, with its number; or what the monitor answers.
    pub fn texts_of(
        &self,
        sequences: &[&[u32]],
        invalid: Invalid,
        skip_special: bool,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<String>> {
        of_each(sequences, threads, monitor, |ids| self.text(ids, invalid, skip_special))
    }

    /// As [`TextDecoder::texts_of`], each text in the form that is shorter to make.
    ///
    /// # Errors
    /// As [`TextDecoder::texts_of`].
    pub fn spelled_of(
        &self,
        sequences: &[&[u32]],
        invalid: Invalid,
        skip_special: bool,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<Spelled>> {
        let sample = sequences.iter().flat_map(|ids| ids.iter().step_by(SAMPLE).copied());
        self.table.expect(sequences.iter().map(|ids| ids.len()).sum(), sample);
        of_each(sequences, threads, monitor, |ids| match self.utf16_le(ids, skip_special) {
            Some(units) => Ok(Spelled::Utf16(units)),
            None => self.text(ids, invalid, skip_special).map(Spelled::Utf8),
        })
    }

    /// The ids that a token has; what `tokenizers` decodes of a sequence.
    pub fn known(&self, ids: &[u32]) -> Vec<u32> {
        ids.iter().copied().filter(|&id| self.table.get(id).is_some()).collect()
    }
}

fn of_each<T: Send>(
    sequences: &[&[u32]],
    threads: usize,
    monitor: &mut dyn Monitor,
    decode: impl Fn(&[u32]) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let one = |(number, ids): (usize, &&[u32])| {
        decode(ids).map_err(|mut error| {
            let inner = error.place.source.take().map_or(String::new(), |inner| format!(", {inner}"));
            error.in_source(format!("sequence number {number}{inner}"))
        })
    };
    in_turns(sequences, threads, monitor, &one)
}
