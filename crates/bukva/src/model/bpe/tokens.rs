//! Encoding with places: which bytes of the piece each id stands for.

use super::{BpeEncoder, Scratch};
use crate::error::Result;
use crate::model::TokenSpan;

impl BpeEncoder {
    /// Appends the tokens of one pre-token with their places. The ids are those of [`BpeEncoder::encode`]; the places
    /// follow each other without gaps. A byte token has its byte, a marker that is not in the text nothing.
    /// O(n log n) for n first symbols: nothing is looked up in the learned cache.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    pub fn tokens(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<TokenSpan>) -> Result<()> {
        if let Some(id) = self.whole_entry(piece) {
            out.push(TokenSpan { id, start: 0, end: piece.len() as u32 });
            return Ok(());
        }
        let started = self.symbols.start_with_lengths(piece)?;
        let (mut symbols, mut lengths): (Vec<u32>, Vec<usize>) = started.into_iter().unzip();
        let mut alive = vec![true; lengths.len()];
        scratch.long.merge(&self.pairs, &mut symbols, |_, left, right| {
            alive[right.place as usize] = false;
            lengths[left.place as usize] += std::mem::take(&mut lengths[right.place as usize]);
        });
        let left = lengths.into_iter().zip(alive).filter(|&(_, alive)| alive).map(|(length, _)| length);
        let mut start = 0;
        for (symbol, length) in symbols.into_iter().zip(left) {
            let end = start + length as u32;
            out.push(TokenSpan { id: self.ids[symbol as usize], start, end });
            start = end;
        }
        Ok(())
    }
}
