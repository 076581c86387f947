//! Rank files: a list of tokens by rank, without merges, as tiktoken keeps them.
//!
//! The rank belongs to the token: two neighbours may merge whenever their bytes joined are a token, and the token of
//! the lowest rank comes first. So every split of a token into two tokens is a merge.

use std::cmp::Ordering;

use crate::spec::{Merge, Vocab, VocabEntry};
use crate::together::both;

/// Every split of every token into two tokens, ordered by rank, then by the id of the left part, as the `merges` of
/// converted tokenizer.json files are. The rank of a merge is the id of its product. O(n log n) comparisons for n tokens,
/// then O(1) for each token that begins or ends another one.
pub fn all_pairs_by_rank(vocab: &Vocab) -> Vec<Merge> {
    all_pairs_by_order(vocab, vocab.ids())
}

/// The same where ranks are not ids: `ranks` has one for each entry, and equal ones come in the order of the entries.
///
/// # Panics
/// If there are fewer ranks than entries.
pub fn all_pairs_by_order(vocab: &Vocab, ranks: &[u32]) -> Vec<Merge> {
    let (starts, ends) = both(|| chains(vocab, Side::Start), || chains(vocab, Side::End));
    let mut by_rank: Vec<usize> = (0..vocab.len()).collect();
    by_rank.sort_by_key(|&index| ranks[index]);
    let mut merges = Vec::with_capacity(3 * vocab.len());
    let mut rights: Vec<VocabEntry<'_>> = Vec::new();
    for index in by_rank {
        let whole = vocab.entry(index);
        rights.clear();
        rights.extend(chain(vocab, &ends, index));
        let first = merges.len();
        // Left parts become shorter, so right parts become longer: from the back of their list.
        for left in chain(vocab, &starts, index) {
            let rest = whole.bytes.len() - left.bytes.len();
            while rights.pop_if(|right| right.bytes.len() < rest).is_some() {}
            if let Some(right) = rights.last().filter(|right| right.bytes.len() == rest) {
                merges.push(Merge { rank: ranks[index], left: left.id, right: right.id, product: whole.id });
            }
        }
        merges[first..].sort_unstable_by_key(|merge| merge.left);
    }
    merges
}

const NOTHING: u32 = u32::MAX;

/// Where a token lies in a longer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    End,
}

/// For each token the longest shorter one that lies at its start, or end; of equal tokens the first. Sorted, tokens
/// that begin alike lie side by side, each behind those that it begins with.
fn chains(vocab: &Vocab, side: Side) -> Vec<u32> {
    let bytes = |index: u32| vocab.entry(index as usize).bytes;
    let mut order: Vec<(u64, u32)> = (0..vocab.len() as u32).map(|index| (key(bytes(index), side), index)).collect();
    order.sort_unstable_by(|one, two| {
        one.0.cmp(&two.0).then_with(|| compare(bytes(one.1), bytes(two.1), side)).then(one.1.cmp(&two.1))
    });
    let mut next = vec![NOTHING; vocab.len()];
    let mut open: Vec<u32> = Vec::new();
    for (_, index) in order {
        let token = bytes(index);
        let holds = |part: &[u8]| if side == Side::Start { token.starts_with(part) } else { token.ends_with(part) };
        while open.pop_if(|part| !holds(bytes(*part))).is_some() {}
        match open.last() {
            Some(&same) if bytes(same).len() == token.len() => next[index as usize] = next[same as usize],
            part => {
                next[index as usize] = part.copied().unwrap_or(NOTHING);
                // An empty token is part of nothing.
                if !token.is_empty() {
                    open.push(index);
                }
            }
        }
    }
    next
}

/// The tokens at one side of a token, from the longest to the shortest.
fn chain<'v>(vocab: &'v Vocab, next: &[u32], index: usize) -> impl Iterator<Item = VocabEntry<'v>> {
    let follow = |index: usize| Some(next[index] as usize).filter(|&part| part != NOTHING as usize);
    std::iter::successors(follow(index), move |&part| follow(part)).map(|part| vocab.entry(part))
}

/// The first eight bytes from a side, in the order of [`compare`].
fn key(token: &[u8], side: Side) -> u64 {
    let mut key = [0; 8];
    match side {
        Side::Start => key.iter_mut().zip(token).for_each(|(key, &byte)| *key = byte),
        Side::End => key.iter_mut().zip(token.iter().rev()).for_each(|(key, &byte)| *key = byte),
    }
    u64::from_be_bytes(key)
}

fn compare(one: &[u8], two: &[u8], side: Side) -> Ordering {
    match side {
        Side::Start => one.cmp(two),
        Side::End => one.iter().rev().cmp(two.iter().rev()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(vocab: &Vocab) -> Vec<Merge> {
        let id = |bytes: &[u8]| vocab.iter().find(|entry| entry.bytes == bytes).map(|entry| entry.id);
        let mut merges = Vec::new();
        for entry in vocab.iter() {
            for cut in 1..entry.bytes.len().max(1) {
                let (left, right) = entry.bytes.split_at(cut);
                if let Some((left, right)) = id(left).zip(id(right)) {
                    merges.push(Merge { rank: entry.id, left, right, product: entry.id });
                }
            }
        }
        merges.sort_by_key(|merge| (merge.rank, merge.left));
        merges
    }

    proptest! {
        #[test]
        fn every_split_is_found(
            tokens in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0_u8, 1, 97]), 0..13), 0..60),
        ) {
            let vocab: Vocab = (0..).zip(&tokens).map(|(id, token)| (id, &token[..])).collect();
            let mut found = all_pairs_by_rank(&vocab);
            found.sort_by_key(|merge| (merge.rank, merge.left));
            prop_assert_eq!(found, naive(&vocab));
        }
    }
}
