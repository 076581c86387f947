//! The pairs that are frequent enough to be kept, with their counts and postings.

use rustc_hash::FxHashMap;

use super::corpus::Cursor;
use crate::train::tie_break::Pair;

/// A pair that is kept.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Kept {
    /// Occurrences now.
    pub(super) count: u64,
    /// First of its postings.
    start: usize,
    /// Postings.
    len: u32,
    /// From where on the first occurrence is to be looked for.
    pub(super) cursor: Cursor,
}

/// Pairs by their ids. A slot stays the same until the pair is removed.
///
/// All postings lie in one block, each pair's together. Room is not used again before the next recount; between two
/// recounts a merge adds at most two postings for each symbol that it removes, so the block stays below three postings
/// a cell.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    slots: FxHashMap<Pair, u32>,
    kept: Vec<Kept>,
    free: Vec<u32>,
    postings: Vec<u32>,
}

impl PairTable {
    /// An empty table over a block that is filled already.
    pub(super) fn over(postings: Vec<u32>, pairs: usize) -> Self {
        let mut table = PairTable { postings, ..PairTable::default() };
        table.slots.reserve(pairs);
        table.kept.reserve(pairs);
        table
    }

    /// Adds a pair that is not in the table and whose `len` postings are in the block from `start` on.
    pub(super) fn insert_filled(&mut self, pair: Pair, count: u64, start: usize, len: u32) {
        self.insert_kept(pair, Kept { count, start, len, cursor: Cursor::default() });
    }

    /// Adds a pair that is not in the table, with room for `room` postings and none yet.
    pub(super) fn insert(&mut self, pair: Pair, count: u64, room: u32) -> u32 {
        let start = self.postings.len();
        self.postings.resize(start + room as usize, 0);
        self.insert_kept(pair, Kept { count, start, len: 0, cursor: Cursor::default() })
    }

    fn insert_kept(&mut self, pair: Pair, kept: Kept) -> u32 {
        let slot = match self.free.pop() {
            Some(slot) => {
                self.kept[slot as usize] = kept;
                slot
            }
            None => {
                self.kept.push(kept);
                self.kept.len() as u32 - 1
            }
        };
        self.slots.insert(pair, slot);
        slot
    }

    /// The pair and its postings.
    pub(super) fn get_mut(&mut self, pair: Pair) -> Option<(&mut Kept, &[u32])> {
        let &slot = self.slots.get(&pair)?;
        let kept = &mut self.kept[slot as usize];
        let postings = &self.postings[kept.start..kept.start + kept.len as usize];
        Some((kept, postings))
    }

    /// Notes that the pair in `slot` stands at `posting`, which is not before its last one.
    #[inline]
    pub(super) fn stand(&mut self, slot: u32, posting: u32) {
        let kept = &mut self.kept[slot as usize];
        let end = kept.start + kept.len as usize;
        if kept.len == 0 || self.postings[end - 1] != posting {
            self.postings[end] = posting;
            kept.len += 1;
        }
    }

    /// Takes a pair out.
    pub(super) fn remove(&mut self, pair: Pair) -> Option<Kept> {
        let slot = self.slots.remove(&pair)?;
        self.free.push(slot);
        Some(self.kept[slot as usize])
    }

    /// The postings of a pair that was taken out, until the next pair is put in.
    pub(super) fn postings(&self, kept: Kept) -> &[u32] {
        &self.postings[kept.start..kept.start + kept.len as usize]
    }

    /// Takes `weight` occurrences from a pair, if it is kept; forgets it when fewer than `least` remain.
    pub(super) fn lose(&mut self, pair: Pair, weight: u64, least: u64) {
        let Some(&slot) = self.slots.get(&pair) else { return };
        let kept = &mut self.kept[slot as usize];
        kept.count -= weight;
        if kept.count < least {
            self.remove(pair);
        }
    }
}
