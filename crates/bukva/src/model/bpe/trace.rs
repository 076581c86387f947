//! Merging step by step, for explanations and for the curve over the prefixes of a merge list.

use super::pairs::NO_RANK;
use super::short::SHORT;
use super::{BpeEncoder, Scratch};
use crate::error::Result;

/// The most first symbols whose steps [`BpeEncoder::trace`] records: it is quadratic.
const TRACED: usize = 4096;

/// How one pre-token became ids. All numbers are token ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The first symbols.
    pub symbols: Vec<u32>,
    /// The merges in the order in which they happened.
    pub steps: Vec<Step>,
    /// The result.
    pub ids: Vec<u32>,
    /// Whether all steps are listed: not so beyond 4096 first symbols, where there are none.
    pub complete: bool,
}

/// One merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The rank of the merge in the specification.
    pub rank: u32,
    /// The left token.
    pub left: u32,
    /// The right token.
    pub right: u32,
    /// What they became.
    pub product: u32,
    /// Index of the left token among the tokens before this step.
    pub position: usize,
}

impl BpeEncoder {
    /// Merges one pre-token by the definition and records every step. O(n²) for n first symbols.
    ///
    /// A pre-token that the model takes from the vocabulary whole (`ignore_merges`) is its own only symbol.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    pub fn trace(&self, piece: &[u8]) -> Result<Trace> {
        if let Some(id) = self.whole_entry(piece) {
            return Ok(Trace { symbols: vec![id], steps: Vec::new(), ids: vec![id], complete: true });
        }
        let mut state = Vec::new();
        self.symbols.start(piece, &mut state)?;
        let symbols = self.named(&state);
        if state.len() > TRACED {
            let mut ids = Vec::new();
            self.encode(piece, &mut Scratch::new(self), &mut ids)?;
            return Ok(Trace { symbols, steps: Vec::new(), ids, complete: false });
        }
        let mut steps = Vec::new();
        while let Some((rank, position)) = self.lowest(&state) {
            let product = self.pairs.product(rank);
            steps.push(Step {
                rank: self.ranks[rank as usize],
                left: self.ids[state[position] as usize],
                right: self.ids[state[position + 1] as usize],
                product: self.ids[product as usize],
                position,
            });
            state.splice(position..position + 2, [product]);
        }
        Ok(Trace { symbols, steps, ids: self.named(&state), complete: true })
    }

    /// Tells the rank of every merge of one pre-token, and returns the number of first symbols. O(n log n).
    ///
    /// With only the merges below some rank, the pre-token has as many tokens as first symbols less the told ranks
    /// below it: each told rank is the highest so far, the first at which the merge can happen. `ignore_merges` and the
    /// learned cache play no part.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    pub fn merge_ranks(&self, piece: &[u8], scratch: &mut Scratch, mut tell: impl FnMut(u32)) -> Result<usize> {
        let Scratch { symbols, work, long, .. } = scratch;
        symbols.clear();
        self.symbols.start(piece, symbols)?;
        let count = symbols.len();
        let mut highest = 0;
        let note = |rank: u32, _, _| {
            highest = rank.max(highest);
            tell(self.ranks[highest as usize]);
        };
        if count > SHORT {
            long.merge(&self.pairs, symbols, note);
        } else {
            work.symbols[..count].copy_from_slice(symbols);
            work.merge(&self.pairs, count, note);
        }
        Ok(count)
    }

    /// The lowest rank among neighbours and its leftmost place.
    fn lowest(&self, state: &[u32]) -> Option<(u32, usize)> {
        let ranks = state.windows(2).map(|pair| self.pairs.rank(pair[0], pair[1]));
        ranks.zip(0..).min().filter(|&(rank, _)| rank != NO_RANK)
    }

    fn named(&self, symbols: &[u32]) -> Vec<u32> {
        symbols.iter().map(|&symbol| self.ids[symbol as usize]).collect()
    }
}
