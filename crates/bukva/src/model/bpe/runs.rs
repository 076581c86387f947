//! Merging long runs of one byte: a million spaces, a line of dashes.
//!
//! All pairs of a run merge in one step, from the left; what is left over of an odd run stays at its end. So a piece of a
//! few runs takes a few steps for each doubling of the tokens, whatever its length. It is exact where no pair that comes
//! about on the way merges at a lower rank than the one in hand, which is looked up, not assumed.

use super::pairs::{NO_RANK, Pairs};

/// Shorter pieces are not worth the look.
pub(super) const LEAST: usize = 256;

/// The most runs of a piece.
const MOST: usize = 8;

/// A symbol and how often it stands side by side.
type Run = (u32, usize);

/// The runs of ASCII bytes of a piece, if there are few. O(bytes) then.
pub(super) fn of(piece: &[u8], symbols: &[u32; 256]) -> Option<Vec<Run>> {
    let (mut runs, mut rest) = (Vec::new(), piece);
    while let Some(&byte) = rest.first() {
        if byte >= 0x80 || runs.len() == MOST {
            return None;
        }
        let count = length_of_run(rest, byte);
        runs.push((symbols[usize::from(byte)], count));
        rest = &rest[count..];
    }
    Some(runs)
}

fn length_of_run(bytes: &[u8], byte: u8) -> usize {
    let chunks = bytes.chunks_exact(64).take_while(|chunk| chunk.iter().all(|&other| other == byte));
    let whole = 64 * chunks.count();
    whole + bytes[whole..].iter().take_while(|&&other| other == byte).count()
}

/// Merges runs by rank in place. `None` where it would not be exact. O(runs × log n) look-ups, a little more in odd cases.
pub(super) fn merge(pairs: &Pairs, runs: &mut Vec<Run>) -> Option<()> {
    while let Some((rank, at, inside)) = lowest(pairs, runs) {
        let product = pairs.product(rank);
        let (symbol, count) = runs[at];
        if inside {
            let others = neighbours(runs, at);
            let disturbs = |left, right| pairs.rank(left, right) <= rank;
            let [before, next] = others;
            let disturbed = disturbs(product, product)
                || disturbs(product, symbol)
                || before.is_some_and(|before| disturbs(before, product))
                || next.is_some_and(|next| disturbs(product, next));
            if disturbed || runs.len() > 8 * MOST {
                return None;
            }
            runs.splice(at..=at, [(product, count / 2), (symbol, count % 2)]);
        } else {
            let (right, others) = runs[at + 1];
            runs.splice(at..at + 2, [(symbol, count - 1), (product, 1), (right, others - 1)]);
        }
        join_equal(runs);
    }
    Some(())
}

/// The lowest rank of all pairs, the leftmost among equals: its run, and whether it is inside or with the next run.
fn lowest(pairs: &Pairs, runs: &[Run]) -> Option<(u32, usize, bool)> {
    let inside = |at: usize| if runs[at].1 > 1 { pairs.rank(runs[at].0, runs[at].0) } else { NO_RANK };
    let with_next = |at: usize| runs.get(at + 1).map_or(NO_RANK, |next| pairs.rank(runs[at].0, next.0));
    let all = (0..runs.len()).flat_map(|at| [(inside(at), at, true), (with_next(at), at, false)]);
    all.min_by_key(|&(rank, ..)| rank).filter(|&(rank, ..)| rank != NO_RANK)
}

fn neighbours(runs: &[Run], at: usize) -> [Option<u32>; 2] {
    let symbol = |run: &Run| run.0;
    [at.checked_sub(1).and_then(|before| runs.get(before)).map(symbol), runs.get(at + 1).map(symbol)]
}

/// Takes empty runs out and puts neighbours of one symbol together.
fn join_equal(runs: &mut Vec<Run>) {
    runs.retain(|run| run.1 > 0);
    runs.dedup_by(|next, run| {
        let same = next.0 == run.0;
        run.1 += if same { next.1 } else { 0 };
        same
    });
}
