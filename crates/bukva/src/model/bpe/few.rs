//! Merging a few symbols: as [`super::short`], without its preparations.

use super::pairs::{NO_RANK, Pairs};

/// The most symbols that [`merge`] takes.
pub(super) const FEW: usize = 8;

/// Merges `symbols` by rank in place and returns how many are left, at the front. O(n²). Ties: leftmost pair.
///
/// # Panics
/// If there are more than [`FEW`].
#[inline]
pub(super) fn merge(pairs: &Pairs, symbols: &mut [u32]) -> usize {
    if let [left, right] = *symbols {
        let rank = pairs.rank(left, right);
        if rank == NO_RANK {
            return 2;
        }
        symbols[0] = pairs.product(rank);
        return 1;
    }
    let mut count = symbols.len();
    let mut ranks = [NO_RANK; FEW];
    for at in 1..count {
        ranks[at - 1] = pairs.rank(symbols[at - 1], symbols[at]);
    }
    while count > 1 {
        let (at, rank) = lowest(&ranks[..count - 1]);
        if rank == NO_RANK {
            break;
        }
        symbols[at] = pairs.product(rank);
        symbols.copy_within(at + 2..count, at + 1);
        ranks.copy_within(at + 1..count - 1, at);
        count -= 1;
        ranks[count - 1] = NO_RANK;
        if at + 1 < count {
            ranks[at] = pairs.rank(symbols[at], symbols[at + 1]);
        }
        if at > 0 {
            ranks[at - 1] = pairs.rank(symbols[at - 1], symbols[at]);
        }
    }
    count
}

#[inline]
fn lowest(ranks: &[u32]) -> (usize, u32) {
    let mut best = (0, ranks[0]);
    for (at, &rank) in ranks.iter().enumerate().skip(1) {
        if rank < best.1 {
            best = (at, rank);
        }
    }
    best
}
