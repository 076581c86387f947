//! The lazy heap of candidates: highest count first, then the smallest key, then the smallest ids.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::train::tie_break::Pair;

/// A pair as it was when it was put in. Its true count is never higher, its true key never smaller.
#[derive(Debug, Clone)]
pub(super) struct Candidate<K> {
    pub(super) count: u64,
    pub(super) key: K,
    pub(super) pair: Pair,
}

impl<K: Ord> Candidate<K> {
    fn rank(&self) -> (u64, Reverse<&K>, Reverse<u64>) {
        (self.count, Reverse(&self.key), Reverse(self.pair.code()))
    }
}

impl<K: Ord> PartialEq for Candidate<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<K: Ord> Eq for Candidate<K> {}

impl<K: Ord> PartialOrd for Candidate<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> Ord for Candidate<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// Candidates, the best on top.
pub(super) type Heap<K> = BinaryHeap<Candidate<K>>;
