//! Exact counts of pairs, for the time of one recount.

use super::sketch::hash;
use crate::train::tie_break::Pair;

/// The count of one pair.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counted {
    pub(super) pair: Pair,
    pub(super) count: u64,
    /// Places in the corpus, each counted once whatever its weight; 0 is no pair.
    pub(super) occurrences: u32,
}

/// A table of its own: open addressing with linear probing, at most half full.
pub(super) struct Counts {
    entries: Vec<Counted>,
    used: usize,
}

impl Counts {
    pub(super) fn new() -> Self {
        Counts { entries: vec![Counted::default(); 1 << 12], used: 0 }
    }

    #[inline]
    fn index(&self, pair: Pair, hash: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut index = hash as usize & mask;
        while self.entries[index].pair != pair && self.entries[index].occurrences > 0 {
            index = (index + 1) & mask;
        }
        index
    }

    /// Counts one place of `pair`, whose hash is given.
    #[inline]
    pub(super) fn add(&mut self, pair: Pair, hash: u64, weight: u64) {
        let index = self.index(pair, hash);
        let entry = &mut self.entries[index];
        entry.pair = pair;
        entry.count += weight;
        entry.occurrences += 1;
        if entry.occurrences == 1 {
            self.used += 1;
            if self.used * 2 > self.entries.len() {
                self.grow();
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let doubled = vec![Counted::default(); self.entries.len() * 2];
        for entry in std::mem::replace(&mut self.entries, doubled).into_iter().filter(|entry| entry.occurrences > 0) {
            let index = self.index(entry.pair, hash(entry.pair));
            self.entries[index] = entry;
        }
    }

    /// Highest count of all.
    pub(super) fn highest(&self) -> u64 {
        self.entries.iter().map(|entry| entry.count).max().unwrap_or(0)
    }

    /// The pairs that occur at least `least` times, in no order.
    pub(super) fn reaching(self, least: u64) -> Vec<Counted> {
        let mut entries = self.entries;
        entries.retain(|entry| entry.occurrences > 0 && entry.count >= least);
        entries.shrink_to_fit();
        entries
    }
}
