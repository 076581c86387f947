//! Which bytes next to a symbol allow a merge with it, and from what rank on.

use super::number::NumberedMerge;

/// For each symbol the merges that have it as right part, by the last byte of the left part, and the merges that
/// have it as left part, by the first byte of the right part. 8 bytes a merge.
#[derive(Debug)]
pub(super) struct Edges {
    before: Side,
    after: Side,
}

/// Lists by symbol: (rank, byte), rising.
#[derive(Debug)]
struct Side {
    starts: Vec<u32>,
    items: Vec<(u32, u8)>,
}

impl Edges {
    /// `ends_of` gives the first and last byte of a symbol. O(merges), which must be listed by rank.
    pub(super) fn new(merges: &[NumberedMerge], symbols: usize, ends_of: impl Fn(u32) -> (u8, u8)) -> Self {
        let before = Side::new(symbols, merges.iter().map(|merge| (merge.right, merge.rank, ends_of(merge.left).1)));
        let after = Side::new(symbols, merges.iter().map(|merge| (merge.left, merge.rank, ends_of(merge.right).0)));
        Edges { before, after }
    }

    /// Last bytes of the left parts of merges at or below `rank` whose right part is `symbol`.
    pub(super) fn bytes_before(&self, symbol: u32, rank: u32) -> impl Iterator<Item = u8> {
        self.before.up_to(symbol, rank)
    }

    /// First bytes of the right parts of merges at or below `rank` whose left part is `symbol`.
    pub(super) fn bytes_after(&self, symbol: u32, rank: u32) -> impl Iterator<Item = u8> {
        self.after.up_to(symbol, rank)
    }
}

impl Side {
    /// Sorts (symbol, rank, byte), listed by rank, into one list a symbol, by counting.
    fn new(symbols: usize, found: impl Iterator<Item = (u32, u32, u8)> + Clone) -> Self {
        let mut starts = vec![0; symbols + 1];
        found.clone().for_each(|(symbol, ..)| starts[symbol as usize + 1] += 1);
        (0..symbols).for_each(|symbol| starts[symbol + 1] += starts[symbol]);
        let mut next = starts.clone();
        let mut items = vec![(0, 0); starts[symbols] as usize];
        for (symbol, rank, byte) in found {
            let place = &mut next[symbol as usize];
            items[*place as usize] = (rank, byte);
            *place += 1;
        }
        Side { starts, items }
    }

    fn up_to(&self, symbol: u32, rank: u32) -> impl Iterator<Item = u8> {
        let (start, end) = (self.starts[symbol as usize], self.starts[symbol as usize + 1]);
        let items = &self.items[start as usize..end as usize];
        items.iter().take_while(move |item| item.0 <= rank).map(|item| item.1)
    }
}
