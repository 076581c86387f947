//! Encoding with places: which bytes of the piece each id stands for.

use super::general::{Part, Skipped};
use super::{BpeEncoder, Scratch};
use crate::error::Result;
use crate::model::TokenSpan;

impl BpeEncoder {
    /// Appends the tokens of one pre-token with their places. The ids are those of [`BpeEncoder::encode`]; the places
    /// follow each other without gaps, even where a character was left out. A byte token has its byte, a marker that is
    /// not in the text nothing. O(n log n) for n first symbols: nothing is looked up in the learned cache.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    pub fn tokens(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<TokenSpan>) -> Result<()> {
        if let Some(id) = self.whole_entry(piece) {
            out.push(TokenSpan { id, start: 0, end: piece.len() as u32 });
            return Ok(());
        }
        let whole = (self.leaves_out(scratch) && !piece.is_empty()).then_some((0, piece.len()));
        let parts = self.rules.parts(piece).take_while(|_| whole.is_none());
        for (from, to) in whole.into_iter().chain(parts) {
            let parts = self.merged(&piece[from..to], scratch).map_err(|error| error.moved_by(from))?;
            let mut start = from as u32;
            for (id, length) in parts {
                let end = start + length as u32;
                out.push(TokenSpan { id, start, end });
                start = end;
            }
        }
        Ok(())
    }

    /// The ids of a part of a piece, each with the number of bytes that it stands for.
    fn merged(&self, part: &[u8], scratch: &mut Scratch) -> Result<Vec<Part>> {
        let found = self.merged_with_all(part, scratch)?;
        let ids: Vec<u32> = found.iter().map(|part| part.0).collect();
        if self.is_met(&ids) { self.parts_apart(part, scratch.missing) } else { Ok(found) }
    }

    fn merged_with_all(&self, part: &[u8], scratch: &mut Scratch) -> Result<Vec<Part>> {
        if let Some(id) = self.rules.frozen_id(part) {
            return Ok(vec![(id, part.len())]);
        }
        let started = self.symbols.start_with_lengths(part, scratch.missing)?;
        let id = |symbol: u32| self.ids.of(symbol);
        if let Some(general) = &self.rules.general {
            let parts: Vec<Part> = started.into_iter().map(|(symbol, length)| (id(symbol), length)).collect();
            return Ok(general.merge(&parts, Skipped::IsGone, || false));
        }
        let (mut symbols, mut lengths): (Vec<u32>, Vec<usize>) = started.into_iter().unzip();
        let mut alive = vec![true; lengths.len()];
        scratch.long.merge(&self.pairs, &mut symbols, |_, left, right| {
            alive[right.place as usize] = false;
            lengths[left.place as usize] += std::mem::take(&mut lengths[right.place as usize]);
        });
        let left = lengths.into_iter().zip(alive).filter(|&(_, alive)| alive).map(|(length, _)| length);
        Ok(symbols.into_iter().map(id).zip(left).collect())
    }
}
