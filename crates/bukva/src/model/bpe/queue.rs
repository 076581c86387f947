//! A priority queue of (rank, place) for merging, where new ranks are nearly always higher than the one in hand.
//!
//! Places wait in one list a rank. The lists are emptied rank by rank: the list in hand is sorted by place, which
//! costs next to nothing because places arrive nearly in order. What comes at or below the rank in hand, as odd
//! vocabularies allow, goes through a small heap, so the order is exact for any ranks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

const END: u32 = u32::MAX;
const PLACES: usize = 6;

/// The queue. 4 bytes a rank of the model, allocated at the first use, and about 5 bytes a waiting place.
#[derive(Debug, Default)]
pub(super) struct RankQueue {
    /// The newest block of each rank with waiting places.
    heads: Vec<u32>,
    blocks: Vec<Block>,
    /// Ranks with waiting places.
    ranks: BinaryHeap<Reverse<u32>>,
    /// The rank in hand, and its places in order.
    rank: u32,
    places: Vec<u32>,
    cursor: usize,
    /// Arrivals at or below the rank in hand.
    urgent: BinaryHeap<Reverse<(u32, u32)>>,
    started: bool,
}

/// Waiting places of one rank, and the older block. Half a cache line, so that a list is read in few steps.
#[derive(Debug, Clone, Copy)]
struct Block {
    places: [u32; PLACES],
    count: u32,
    older: u32,
}

impl RankQueue {
    /// Adds a pair. O(1), or O(log n) if the rank is new or not above the one in hand.
    #[inline]
    pub(super) fn push(&mut self, rank: u32, place: u32) {
        if self.started && rank <= self.rank {
            return self.urgent.push(Reverse((rank, place)));
        }
        if rank as usize >= self.heads.len() {
            self.heads.resize(rank as usize + 1, END);
        }
        let head = &mut self.heads[rank as usize];
        if *head == END {
            self.ranks.push(Reverse(rank));
        }
        match self.blocks.get_mut(*head as usize) {
            Some(block) if (block.count as usize) < PLACES => {
                block.places[block.count as usize] = place;
                block.count += 1;
            }
            _ => {
                let block = Block { places: [place; PLACES], count: 1, older: *head };
                *head = self.blocks.len() as u32;
                self.blocks.push(block);
            }
        }
    }

    /// Takes the pair of the lowest rank, the leftmost of them. O(log n) amortised, O(1) in long lists.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.cursor == self.places.len() && self.urgent.is_empty() && !self.next_rank() {
            self.restart();
            return None;
        }
        let listed = self.places.get(self.cursor).map(|&place| (self.rank, place));
        match (self.urgent.peek(), listed) {
            (Some(&Reverse(urgent)), listed) if listed.is_none_or(|listed| urgent < listed) => {
                self.urgent.pop();
                Some(urgent)
            }
            (_, listed) => {
                self.cursor += 1;
                listed
            }
        }
    }

    /// Takes the list of the lowest waiting rank in hand.
    fn next_rank(&mut self) -> bool {
        let Some(Reverse(rank)) = self.ranks.pop() else { return false };
        self.places.clear();
        let mut at = std::mem::replace(&mut self.heads[rank as usize], END);
        while at != END {
            let block = self.blocks[at as usize];
            self.places.extend(block.places[..block.count as usize].iter().rev());
            at = block.older;
        }
        // Newest first, so nearly in falling order.
        self.places.reverse();
        self.places.sort_unstable();
        (self.rank, self.cursor, self.started) = (rank, 0, true);
        true
    }

    /// Forgets the finished piece but keeps a moderate amount of memory.
    fn restart(&mut self) {
        const KEEP: usize = 1 << 16;
        (self.started, self.cursor) = (false, 0);
        self.blocks.clear();
        self.blocks.shrink_to(KEEP / PLACES);
        self.places.clear();
        self.places.shrink_to(KEEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn comes_out_as_from_a_heap(first in vec_of_pairs(200), later in prop::collection::vec(vec_of_pairs(3), 0..100)) {
            let mut queue = RankQueue::default();
            for _ in 0..2 {
                let mut heap: BinaryHeap<_> = first.iter().map(|&pair| Reverse(pair)).collect();
                first.iter().for_each(|&(rank, place)| queue.push(rank, place));
                let mut later = later.iter();
                loop {
                    let expected = heap.pop().map(|Reverse(pair)| pair);
                    prop_assert_eq!(queue.pop(), expected);
                    if expected.is_none() {
                        break;
                    }
                    for &(rank, place) in later.next().into_iter().flatten() {
                        heap.push(Reverse((rank, place)));
                        queue.push(rank, place);
                    }
                }
            }
        }
    }

    fn vec_of_pairs(most: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((0..30_u32, 0..100_u32), 0..most)
    }
}
