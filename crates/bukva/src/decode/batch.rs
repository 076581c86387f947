//! Many sequences of ids at once.

use super::{Invalid, TextDecoder};
use crate::encoding::in_turns;
use crate::error::Result;
use crate::monitor::Monitor;

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
        let one = |(number, ids): (usize, &&[u32])| {
            let text = self.text(ids, invalid, skip_special);
            text.map_err(|mut error| {
                let inner = error.place.source.take().map_or(String::new(), |inner| format!(", {inner}"));
                error.in_source(format!("sequence number {number}{inner}"))
            })
        };
        in_turns(sequences, threads, monitor, &one)
    }

    /// The ids that a token has; what `tokenizers` decodes of a sequence.
    pub fn known(&self, ids: &[u32]) -> Vec<u32> {
        ids.iter().copied().filter(|&id| self.table.get(id).is_some()).collect()
    }
}
