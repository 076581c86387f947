//! The pairs that are frequent enough to be kept, with their counts and postings.

use rustc_hash::FxHashMap;

use super::corpus::Cursor;
use crate::train::tie_break::Pair;

/// A pair that is kept.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Occurrences now.
    pub(super) count: u64,
    /// Where it may stand, sorted.
    pub(super) postings: Vec<u32>,
    /// From where on the first occurrence is to be looked for.
    pub(super) cursor: Cursor,
}

impl Kept {
    /// Notes that the pair stands at `posting`, which is not before the last one.
    #[inline]
    pub(super) fn stand(&mut self, posting: u32) {
        if self.postings.last() != Some(&posting) {
            self.postings.push(posting);
        }
    }
}

/// Pairs by their ids. A slot stays the same until the pair is removed.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    slots: FxHashMap<Pair, u32>,
    kept: Vec<Kept>,
    free: Vec<u32>,
}

impl PairTable {
    /// Adds a pair that is not in the table, with room for `postings` postings.
    pub(super) fn insert(&mut self, pair: Pair, count: u64, postings: usize) -> u32 {
        let kept = Kept { count, postings: Vec::with_capacity(postings), cursor: Cursor::default() };
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

    pub(super) fn get_mut(&mut self, pair: Pair) -> Option<&mut Kept> {
        self.slots.get(&pair).map(|&slot| &mut self.kept[slot as usize])
    }

    #[inline]
    pub(super) fn at(&mut self, slot: u32) -> &mut Kept {
        &mut self.kept[slot as usize]
    }

    /// Takes a pair out.
    pub(super) fn remove(&mut self, pair: Pair) -> Option<Kept> {
        let slot = self.slots.remove(&pair)?;
        self.free.push(slot);
        Some(std::mem::take(&mut self.kept[slot as usize]))
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
