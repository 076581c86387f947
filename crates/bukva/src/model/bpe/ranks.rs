//! Rank files: a list of tokens by rank, without merges, as tiktoken keeps them.
//!
//! The rank belongs to the token: two neighbours may merge whenever their bytes joined are a token, and the token of
//! the lowest rank comes first. So every split of a token into two tokens is a merge.

use std::cmp::Ordering;

use crate::model::order::{head, order};
use crate::spec::{Merge, Vocab};
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
    let (starts, ends) = both(|| Chains::new(vocab, Side::Start), || Chains::new(vocab, Side::End));
    let mut by_rank: Vec<u32> = (0..vocab.len() as u32).collect();
    by_rank.sort_by_key(|&index| ranks[index as usize]);
    let (ids, mut merges) = (vocab.ids(), Vec::with_capacity(3 * vocab.len()));
    let mut rights: Vec<(u32, u32)> = Vec::new();
    for index in by_rank {
        rights.clear();
        rights.extend(ends.chain(index));
        let (first, whole, rank) = (merges.len(), starts.lengths[index as usize], ranks[index as usize]);
        // Left parts become shorter, so right parts become longer: from the back of their list.
        for (left, length) in starts.chain(index) {
            let rest = whole - length;
            while rights.pop_if(|right| right.1 < rest).is_some() {}
            if let Some(right) = rights.last().filter(|right| right.1 == rest) {
                let [left, right, product] = [left, right.0, index].map(|index| ids[index as usize]);
                merges.push(Merge { rank, left, right, product });
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

/// For each token the longest shorter one that lies at its start, or end.
struct Chains {
    next: Vec<u32>,
    lengths: Vec<u32>,
}

impl Chains {
    /// Of equal tokens the first counts. Sorted, tokens that begin alike lie side by side, each behind those that it
    /// begins with.
    fn new(vocab: &Vocab, side: Side) -> Self {
        let bytes = |index: u32| vocab.entry(index as usize).bytes;
        let head = |token: &[u8]| if side == Side::Start { head(token) } else { head(token.iter().rev()) };
        let heads: Vec<u64> = vocab.iter().map(|entry| head(entry.bytes)).collect();
        let lengths: Vec<u32> = vocab.iter().map(|entry| entry.bytes.len() as u32).collect();
        let order = order(heads.clone(), |one, two| compare(bytes(one), bytes(two), side));
        let has = |token: u32, part: u32| {
            let length = lengths[part as usize];
            match length {
                // A token that is shorter has zeros there, and its length decides.
                1..=8 => {
                    length <= lengths[token as usize]
                        && (heads[token as usize] ^ heads[part as usize]) >> (64 - 8 * length) == 0
                }
                _ if side == Side::Start => bytes(token).starts_with(bytes(part)),
                _ => bytes(token).ends_with(bytes(part)),
            }
        };
        let mut next = vec![NOTHING; vocab.len()];
        let mut open: Vec<u32> = Vec::new();
        for token in order {
            while open.pop_if(|part| !has(token, *part)).is_some() {}
            match open.last() {
                Some(&same) if lengths[same as usize] == lengths[token as usize] => {
                    next[token as usize] = next[same as usize];
                }
                part => {
                    next[token as usize] = part.copied().unwrap_or(NOTHING);
                    // An empty token is part of nothing.
                    if lengths[token as usize] > 0 {
                        open.push(token);
                    }
                }
            }
        }
        Chains { next, lengths }
    }

    /// The tokens at this side of a token and their lengths, from the longest to the shortest.
    #[inline]
    fn chain(&self, token: u32) -> impl Iterator<Item = (u32, u32)> {
        let follow = |token: u32| Some(self.next[token as usize]).filter(|&part| part != NOTHING);
        std::iter::successors(follow(token), move |&part| follow(part)).map(|part| (part, self.lengths[part as usize]))
    }
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
