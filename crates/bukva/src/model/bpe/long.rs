//! Merging a long piece: a linked list of symbols and a queue of pairs.

use super::pairs::{NO_RANK, Pairs, Spot};
use super::queue::RankQueue;

const NONE: u32 = u32::MAX;

/// Work arrays for one long piece.
#[derive(Debug, Default)]
pub(super) struct LongWork {
    queue: RankQueue,
    links: Vec<Link>,
}

/// One place of the piece: its symbol, its neighbours, and the rank of its pair with the next symbol.
#[derive(Debug, Clone, Copy)]
struct Link {
    symbol: u32,
    before: u32,
    next: u32,
    rank: u32,
}

impl LongWork {
    /// Merges `symbols` by rank, in place. `on_merge` is told each merge's rank, left and right side; what they
    /// become has the place of the left one.
    /// O(n log n) time in the worst case and nearly linear in practice, 24 bytes a symbol. Ties: leftmost pair.
    pub(super) fn merge(&mut self, pairs: &Pairs, symbols: &mut Vec<u32>, mut on_merge: impl FnMut(u32, Spot, Spot)) {
        self.link(pairs, symbols);
        while let Some((rank, place)) = self.queue.pop() {
            let link = self.links[place as usize];
            // A pair whose symbols have changed since it was queued has another rank now, or none.
            if link.rank != rank {
                continue;
            }
            let right = self.links[link.next as usize];
            on_merge(rank, Spot { symbol: link.symbol, place }, Spot { symbol: right.symbol, place: link.next });
            self.join(pairs.product(rank), place, link, right);
            self.rank_again(pairs, place);
            if link.before != NONE {
                self.rank_again(pairs, link.before);
            }
        }
        self.collect(symbols);
    }

    fn link(&mut self, pairs: &Pairs, symbols: &[u32]) {
        self.links.clear();
        for (place, &symbol) in symbols.iter().enumerate() {
            let place = place as u32;
            let rank = symbols.get(place as usize + 1).map_or(NO_RANK, |&next| pairs.rank(symbol, next));
            self.links.push(Link { symbol, before: place.wrapping_sub(1), next: place + 1, rank });
            if rank != NO_RANK {
                self.queue.push(rank, place);
            }
        }
        if let Some(last) = self.links.last_mut() {
            last.next = NONE;
        }
    }

    /// Puts the product at `place` and takes the right symbol out of the list.
    fn join(&mut self, product: u32, place: u32, link: Link, right: Link) {
        self.links[link.next as usize].rank = NO_RANK;
        let link = &mut self.links[place as usize];
        (link.symbol, link.next) = (product, right.next);
        if right.next != NONE {
            self.links[right.next as usize].before = place;
        }
    }

    /// Ranks the pair that begins at `place` and queues it.
    fn rank_again(&mut self, pairs: &Pairs, place: u32) {
        let Link { symbol, next, .. } = self.links[place as usize];
        let rank = if next == NONE { NO_RANK } else { pairs.rank(symbol, self.links[next as usize].symbol) };
        self.links[place as usize].rank = rank;
        if rank != NO_RANK {
            self.queue.push(rank, place);
        }
    }

    fn collect(&mut self, symbols: &mut Vec<u32>) {
        const KEEP: usize = 1 << 16;
        symbols.clear();
        let mut place = if self.links.is_empty() { NONE } else { 0 };
        while place != NONE {
            let link = self.links[place as usize];
            symbols.push(link.symbol);
            place = link.next;
        }
        self.links.clear();
        self.links.shrink_to(KEEP);
    }
}
