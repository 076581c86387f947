//! Merging a short piece: look at every neighbouring pair, take the lowest rank, again and again.
//!
//! Quadratic, but with tiny constants: ranks and places are packed into one word each, so that one minimum over at
//! most 64 words finds the lowest rank and, among equals, the leftmost place; a bit mask tells who is still there.

use super::joints::Joints;
use super::pairs::{NO_RANK, Pairs, Spot};

/// The most symbols that [`Work::merge`] takes.
pub(super) const SHORT: usize = 64;

const PLACE_BITS: u32 = 6;
const LANES: usize = 8;
/// Larger than every packed rank.
const NO_PAIR: u32 = u32::MAX;

/// Work arrays for one piece.
#[derive(Debug)]
pub(super) struct Work {
    /// The symbol at each place.
    pub symbols: [u32; SHORT],
    /// For each place the rank of its pair with the next symbol, over the place itself.
    pairs: [u32; SHORT],
    /// How many words of `pairs` the minimum has to look at.
    used: usize,
    /// The mask of the places that are left.
    alive: u64,
    /// The mask of the places whose first symbol may come to lie in one token with the next.
    joinable: u64,
}

impl Default for Work {
    fn default() -> Self {
        Work { symbols: [0; SHORT], pairs: [NO_PAIR; SHORT], used: 0, alive: 0, joinable: u64::MAX }
    }
}

impl Work {
    /// Merges the first `count` symbols by rank and returns the mask of the places that are left, whose symbols are
    /// the result. `on_merge` is told each merge's rank, left and right side. O(count²) time. Ties: leftmost pair.
    ///
    /// # Panics
    /// If `count` exceeds [`SHORT`].
    #[inline]
    pub(super) fn merge(&mut self, pairs: &Pairs, count: usize, mut on_merge: impl FnMut(u32, Spot, Spot)) -> u64 {
        self.rank_all(pairs, count);
        while let Some((rank, left, right)) = self.join(pairs) {
            on_merge(rank, left, right);
            self.rank_around(pairs, left.place as usize);
        }
        self.alive
    }

    /// Begins with the first `count` symbols: begins to load all their pairs.
    #[inline]
    pub(super) fn prefetch_all(&mut self, pairs: &Pairs, joints: Option<&Joints>, count: usize) {
        self.joinable = 0;
        for place in 1..count {
            let (left, right) = (self.symbols[place - 1], self.symbols[place]);
            // Most bytes may be joined, and to ask costs more than to rank them.
            if Pairs::is_near(left, right) {
                self.joinable |= 1 << (place - 1);
                continue;
            }
            let may_join = joints.is_none_or(|joints| joints.may_join(left, right));
            self.joinable |= u64::from(may_join) << (place - 1);
            pairs.prefetch_if(may_join, left, right);
        }
        self.alive = u64::MAX.checked_shr((SHORT - count) as u32).unwrap_or(0);
    }

    /// Ranks all pairs of the first `count` symbols that may be joined.
    #[inline]
    pub(super) fn rank_joinable(&mut self, pairs: &Pairs, count: usize) {
        self.used = count.next_multiple_of(LANES);
        self.pairs[..self.used].fill(NO_PAIR);
        for place in places(self.joinable) {
            self.pairs[place] = packed(pairs.rank(self.symbols[place], self.symbols[place + 1]), place);
        }
    }

    /// Begins to load what [`Work::rank_around`] will look at.
    #[inline]
    pub(super) fn prefetch_around(&self, pairs: &Pairs, place: usize) {
        let symbol = self.symbols[place];
        if let Some(next) = self.later(place) {
            pairs.prefetch(symbol, self.symbols[next]);
        }
        if let Some(before) = self.earlier(place) {
            pairs.prefetch(self.symbols[before], symbol);
        }
    }

    /// Begins with the first `count` symbols: ranks all pairs.
    #[inline]
    pub(super) fn rank_all(&mut self, pairs: &Pairs, count: usize) {
        self.alive = u64::MAX.checked_shr((SHORT - count) as u32).unwrap_or(0);
        self.joinable = u64::MAX;
        for place in 1..count {
            self.pairs[place - 1] = packed(pairs.rank(self.symbols[place - 1], self.symbols[place]), place - 1);
        }
        self.used = count.next_multiple_of(LANES);
        self.pairs[count.saturating_sub(1)..self.used].fill(NO_PAIR);
    }

    /// Joins the pair of the lowest rank, if there is one, and tells its rank and what its sides were. The pairs
    /// around its place are to be ranked next.
    #[inline]
    pub(super) fn join(&mut self, pairs: &Pairs) -> Option<(u32, Spot, Spot)> {
        let lowest = lowest(&self.pairs[..self.used]);
        if lowest == NO_PAIR {
            return None;
        }
        let (rank, place) = (lowest >> PLACE_BITS, lowest as usize % SHORT);
        let next = after(self.alive, place);
        let spot = |place: usize| Spot { symbol: self.symbols[place], place: place as u32 };
        let joined = (rank, spot(place), spot(next));
        self.alive &= !(1 << next);
        self.symbols[place] = pairs.product(rank);
        self.pairs[next] = NO_PAIR;
        Some(joined)
    }

    /// Ranks the pairs on both sides of `place` anew.
    #[inline]
    pub(super) fn rank_around(&mut self, pairs: &Pairs, place: usize) {
        let symbol = self.symbols[place];
        self.pairs[place] = match self.later(place) {
            Some(next) => packed(pairs.rank(symbol, self.symbols[next]), place),
            None => NO_PAIR,
        };
        if let Some(before) = self.earlier(place) {
            self.pairs[before] = packed(pairs.rank(self.symbols[before], symbol), before);
        }
    }

    /// The next place that is left, if both may come to lie in one token.
    #[inline]
    fn later(&self, place: usize) -> Option<usize> {
        let later = self.alive & (u64::MAX << place << 1);
        let next = later.trailing_zeros() as usize;
        (later != 0 && self.joinable >> ((next - 1) % 64) & 1 == 1).then_some(next)
    }

    /// The place before, if both may come to lie in one token.
    #[inline]
    fn earlier(&self, place: usize) -> Option<usize> {
        let earlier = self.alive & !(u64::MAX << place);
        let may_join = place > 0 && self.joinable >> (place - 1) & 1 == 1;
        may_join.then(|| (u64::BITS - 1 - earlier.leading_zeros()) as usize)
    }

    /// The symbols that are left, in order.
    #[inline]
    pub(super) fn left(&self) -> impl Iterator<Item = u32> {
        places(self.alive).map(|place| self.symbols[place])
    }
}

/// The place of the next symbol after `place`, which must not be the last.
#[inline]
fn after(alive: u64, place: usize) -> usize {
    (alive & (u64::MAX << place << 1)).trailing_zeros() as usize % SHORT
}

#[inline]
fn packed(rank: u32, place: usize) -> u32 {
    if rank == NO_RANK { NO_PAIR } else { rank << PLACE_BITS | place as u32 }
}

#[inline]
fn lowest(words: &[u32]) -> u32 {
    let (blocks, _) = words.as_chunks::<LANES>();
    let mut lanes = [NO_PAIR; LANES];
    for block in blocks {
        for lane in 0..LANES {
            lanes[lane] = lanes[lane].min(block[lane]);
        }
    }
    lanes.into_iter().fold(NO_PAIR, u32::min)
}

/// The places of a mask, in order.
#[inline]
pub(super) fn places(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        place
    })
}
