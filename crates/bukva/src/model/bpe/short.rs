//! Merging a short piece: look at every neighbouring pair, take the lowest rank, again and again.
//!
//! Quadratic, but with tiny constants: ranks and places are packed into one word each, so that one minimum over at
//! most 64 words finds the lowest rank and, among equals, the leftmost place; a bit mask tells who is still there.

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
}

impl Default for Work {
    fn default() -> Self {
        Work { symbols: [0; SHORT], pairs: [NO_PAIR; SHORT] }
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
        if count < 2 {
            return count as u64;
        }
        let used = self.rank_all(pairs, count);
        let mut alive = u64::MAX >> (SHORT - count);
        loop {
            let lowest = lowest(&self.pairs[..used]);
            if lowest == NO_PAIR {
                return alive;
            }
            let (rank, place) = (lowest >> PLACE_BITS, lowest as usize % SHORT);
            let next = after(alive, place);
            let spot = |place: usize| Spot { symbol: self.symbols[place], place: place as u32 };
            on_merge(rank, spot(place), spot(next));
            alive &= !(1 << next);
            self.symbols[place] = pairs.product(rank);
            self.pairs[next] = NO_PAIR;
            self.rank_around(pairs, alive, place);
        }
    }

    /// Ranks all pairs and returns how many words the minimum has to look at.
    #[inline]
    fn rank_all(&mut self, pairs: &Pairs, count: usize) -> usize {
        for place in 0..count - 1 {
            self.pairs[place] = packed(pairs.rank(self.symbols[place], self.symbols[place + 1]), place);
        }
        let used = count.next_multiple_of(LANES);
        self.pairs[count - 1..used].fill(NO_PAIR);
        used
    }

    /// Ranks the pairs on both sides of `place` anew.
    #[inline]
    fn rank_around(&mut self, pairs: &Pairs, alive: u64, place: usize) {
        let symbol = self.symbols[place];
        let later = alive & (u64::MAX << place << 1);
        self.pairs[place] = match later {
            0 => NO_PAIR,
            _ => packed(pairs.rank(symbol, self.symbols[later.trailing_zeros() as usize]), place),
        };
        let earlier = alive & !(u64::MAX << place);
        if earlier != 0 {
            let before = (u64::BITS - 1 - earlier.leading_zeros()) as usize;
            self.pairs[before] = packed(pairs.rank(self.symbols[before], symbol), before);
        }
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
