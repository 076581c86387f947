//! Pieces of equal score that are runs of one character: as `▁▁`, `▁▁▁▁`, … of Llama.
//!
//! SentencePiece merges the leftmost of equal pairs, `tokenizers` the one of the lowest rank. From the left, a run
//! grows until it is the longest piece, then the next one begins; with the longest product first, the merge that goes
//! on has a lower rank than the one that begins. Whether that is the same depends on the lengths that exist, and is
//! tried: a run of the longest piece and two more characters shows how every longer run begins, and shorter runs are
//! tried one by one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::spec::{Merge, Vocab};

/// Longer runs are not tried.
const LONGEST: usize = 100;

/// Orders merges of equal rank so that ranks of their own give the same pieces. False if that is not known.
pub(super) fn grow_from_the_left(group: &mut [Merge], vocab: &Vocab) -> bool {
    let text: FxHashMap<u32, &[u8]> = vocab.iter().map(|entry| (entry.id, entry.bytes)).collect();
    let bytes = |id: u32| text.get(&id).copied().unwrap_or_default();
    group.sort_by_key(|merge| std::cmp::Reverse((bytes(merge.product).len(), bytes(merge.left).len())));
    let Some(unit) = group.iter().map(|merge| bytes(merge.left)).min_by_key(|bytes| bytes.len()) else { return true };
    let one = std::str::from_utf8(unit).is_ok_and(|unit| unit.chars().count() == 1);
    let is_run =
        |id: u32| bytes(id).len().is_multiple_of(unit.len()) && bytes(id).chunks(unit.len()).all(|part| part == unit);
    if !one || !group.iter().all(|merge| is_run(merge.product)) {
        return false;
    }
    let length = |id: u32| bytes(id).len() / unit.len();
    let pairs: Vec<(usize, usize)> = group.iter().map(|merge| (length(merge.left), length(merge.right))).collect();
    let longest = pairs.iter().map(|(left, right)| left + right).max().unwrap_or_default();
    longest <= LONGEST && same_runs(&pairs, longest)
}

fn same_runs(by_rank: &[(usize, usize)], longest: usize) -> bool {
    let ranks: FxHashMap<(usize, usize), usize> = by_rank.iter().copied().zip(0..).collect();
    let lengths: FxHashSet<usize> = by_rank.iter().map(|(left, right)| left + right).collect();
    (1..=2 * longest + 2).all(|count| {
        let leftmost = merged(count, |pair| lengths.contains(&(pair.0 + pair.1)).then_some(0));
        leftmost == merged(count, |pair| ranks.get(&pair).copied())
    })
}

/// A run of `count` characters, merged by rank and then from the left.
fn merged(count: usize, rank: impl Fn((usize, usize)) -> Option<usize>) -> Vec<usize> {
    let mut run = vec![1; count];
    loop {
        let ranked = run.windows(2).enumerate().filter_map(|(at, pair)| Some((rank((pair[0], pair[1]))?, at)));
        let Some((_, at)) = ranked.min() else { return run };
        run[at] += run.remove(at + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(lengths: &[usize]) -> Vec<(usize, usize)> {
        let is_piece = |length: &usize| *length == 1 || lengths.contains(length);
        let mut pairs: Vec<(usize, usize)> = lengths
            .iter()
            .flat_map(|&length| (1..length).map(move |left| (left, length - left)))
            .filter(|(left, right)| is_piece(left) && is_piece(right))
            .collect();
        pairs.sort_by_key(|&(left, right)| std::cmp::Reverse((left + right, left)));
        pairs
    }

    #[test]
    fn lengths_of_published_models_are_the_same() {
        let all: Vec<usize> = (2..=16).collect();
        let without_15: Vec<usize> = (2..=16).filter(|&length| length != 15).collect();
        for lengths in [all.as_slice(), &without_15, &[2, 4, 8, 16], &[2]] {
            assert!(same_runs(&pairs(lengths), lengths[lengths.len() - 1]), "{lengths:?}");
        }
    }

    #[test]
    fn the_left_goes_first() {
        let all = pairs(&[2, 3, 4]);
        assert_eq!(merged(6, |pair| all.contains(&pair).then_some(0)), [4, 2]);
    }
}
