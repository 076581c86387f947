//! Encoding a piece step by step, for people: every merge with its place.

use super::long::LongWork;
use super::short::SHORT;
use super::{BpeEncoder, Scratch};
use crate::error::Result;
use crate::model::Missing;

/// One merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The merge's rank.
    pub rank: u32,
    /// Id of the left token.
    pub left: u32,
    /// Id of the right token.
    pub right: u32,
    /// Id of the token they become.
    pub product: u32,
    /// Index of the left token among the tokens before this step.
    pub position: usize,
}

/// How a piece becomes ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// Ids before the first merge; none for a piece that is emitted whole.
    pub symbols: Vec<u32>,
    /// The merges in order.
    pub steps: Vec<Step>,
    /// The piece is a token, and the model looks pieces up before it merges.
    pub whole: bool,
    /// The ids.
    pub ids: Vec<u32>,
    /// Bytes of the piece that each id stands for; 0 for what is not in the text, such as a marker.
    pub lengths: Vec<usize>,
}

impl BpeEncoder {
    /// Encodes one pre-token and notes every merge. O(n log n) for n first symbols.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    pub fn trace(&self, piece: &[u8]) -> Result<Trace> {
        if let Some(id) = self.whole_entry(piece) {
            return Ok(Trace { whole: true, ids: vec![id], lengths: vec![piece.len()], ..Trace::default() });
        }
        if self.rules.hide_steps() {
            return self.trace_of_tokens(piece);
        }
        let (mut symbols, mut lengths): (Vec<u32>, Vec<usize>) =
            self.symbols.start_with_lengths(piece, Missing::Refused)?.into_iter().unzip();
        let id = |symbol: u32| self.ids.of(symbol);
        let mut trace = Trace { symbols: symbols.iter().map(|&symbol| id(symbol)).collect(), ..Trace::default() };
        let mut alive = Alive::all(symbols.len());
        LongWork::default().merge(&self.pairs, &mut symbols, |rank, left, right| {
            trace.steps.push(Step {
                rank: self.ranks[rank as usize],
                left: id(left.symbol),
                right: id(right.symbol),
                product: id(self.pairs.product(rank)),
                position: alive.before(left.place as usize),
            });
            alive.remove(right.place as usize);
            lengths[left.place as usize] += std::mem::take(&mut lengths[right.place as usize]);
        });
        trace.ids = symbols.into_iter().map(id).collect();
        if self.is_met(&trace.ids) {
            return self.trace_of_tokens(piece);
        }
        trace.lengths = (0..lengths.len()).filter(|&place| alive.has(place)).map(|place| lengths[place]).collect();
        Ok(trace)
    }

    /// The result alone, where pieces are taken before any merge, merges are not by rank only, or what they make is taken
    /// apart.
    fn trace_of_tokens(&self, piece: &[u8]) -> Result<Trace> {
        let mut tokens = Vec::new();
        self.tokens(piece, &mut Scratch::new(self), &mut tokens)?;
        let lengths = tokens.iter().map(|token| (token.end - token.start) as usize).collect();
        Ok(Trace { ids: tokens.iter().map(|token| token.id).collect(), lengths, ..Trace::default() })
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
        self.symbols.start(piece, Missing::Refused, symbols)?;
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
}

/// Which places are left, with their number before any place in O(log n): a Fenwick tree.
struct Alive {
    here: Vec<bool>,
    sums: Vec<u32>,
}

impl Alive {
    fn all(n: usize) -> Self {
        let sums = (1..=n).map(|at| (at & at.wrapping_neg()) as u32).collect();
        Alive { here: vec![true; n], sums }
    }

    fn has(&self, place: usize) -> bool {
        self.here[place]
    }

    fn before(&self, place: usize) -> usize {
        let (mut at, mut count) = (place, 0);
        while at > 0 {
            count += self.sums[at - 1] as usize;
            at &= at - 1;
        }
        count
    }

    fn remove(&mut self, place: usize) {
        self.here[place] = false;
        let mut at = place + 1;
        while at <= self.sums.len() {
            self.sums[at - 1] -= 1;
            at += at & at.wrapping_neg();
        }
    }
}
