//! Counting all pairs anew, and keeping those that occur at least θ times.
//!
//! A sketch of a million counters, each an upper bound for the pairs that share it, keeps rare pairs out of the exact
//! count: most distinct pairs are rare, and a table of all of them would be the largest thing in memory.

use super::corpus::Corpus;
use super::pairs::PairTable;
use super::pulse::Pulse;
use crate::error::Result;
use crate::train::tie_break::Pair;

/// The pairs that were kept, and the threshold they were kept by.
pub(super) struct Recount {
    pub(super) least: u64,
    pub(super) table: PairTable,
    /// Every kept pair once, in the order of the walk.
    pub(super) pairs: Vec<Pair>,
}

/// The first threshold is this part of the highest count: about what the first thousands of merges need.
const FIRST_PART: u64 = 216;

/// Counts every pair for the first time. O(cells); the pairs of an alphabet are few, so no sketch is needed.
pub(super) fn first(
    corpus: &Corpus,
    floor: u64,
    pulse: &mut Pulse<'_>,
    admits: impl Fn(Pair) -> bool,
) -> Result<Recount> {
    let all = Filter { sketch: None, least: 0, admits };
    let counts = all.count(corpus, pulse)?;
    let least = (counts.highest() / FIRST_PART).max(floor);
    all.keep(corpus, counts, least, pulse)
}

/// Counts again with a threshold of at most `least`; lower if no pair can reach that. O(cells).
pub(super) fn again(
    corpus: &Corpus,
    least: u64,
    floor: u64,
    pulse: &mut Pulse<'_>,
    admits: impl Fn(Pair) -> bool,
) -> Result<Recount> {
    let mut sketch = Sketch::new();
    corpus.walk(pulse, |pair, weight, _| sketch.add(hash(pair), weight))?;
    let least = least.min(sketch.highest()).max(floor);
    let filter = Filter { sketch: Some(sketch), least, admits };
    let counts = filter.count(corpus, pulse)?;
    filter.keep(corpus, counts, least, pulse)
}

/// A folded multiplication: its high bits choose the counter of the sketch, its low bits the slot of the table.
#[inline]
fn hash(pair: Pair) -> u64 {
    let product = u128::from(pair.code() ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
    product as u64 ^ (product >> 64) as u64
}

/// Upper bounds of the counts of all pairs. 4 MB. Counters stop at the top of their range.
struct Sketch(Vec<u32>);

impl Sketch {
    const BITS: u32 = 20;

    fn new() -> Self {
        Sketch(vec![0; 1 << Self::BITS])
    }

    #[inline]
    fn add(&mut self, hash: u64, weight: u64) {
        let counter = &mut self.0[(hash >> (64 - Self::BITS)) as usize];
        *counter = counter.saturating_add(u32::try_from(weight).unwrap_or(u32::MAX));
    }

    #[inline]
    fn may_reach(&self, hash: u64, least: u64) -> bool {
        let bound = self.0[(hash >> (64 - Self::BITS)) as usize];
        u64::from(bound) >= least || bound == u32::MAX
    }

    /// No pair occurs more often, as far as the counters go.
    fn highest(&self) -> u64 {
        match self.0.iter().max() {
            Some(&u32::MAX) | None => u64::MAX,
            Some(&highest) => u64::from(highest),
        }
    }
}

/// Which pairs are worth an exact count.
struct Filter<F> {
    sketch: Option<Sketch>,
    least: u64,
    admits: F,
}

impl<F: Fn(Pair) -> bool> Filter<F> {
    #[inline]
    fn passes(&self, pair: Pair, hash: u64) -> bool {
        self.sketch.as_ref().is_none_or(|sketch| sketch.may_reach(hash, self.least)) && (self.admits)(pair)
    }

    fn count(&self, corpus: &Corpus, pulse: &mut Pulse<'_>) -> Result<Counts> {
        let mut counts = Counts::default();
        corpus.walk(pulse, |pair, weight, _| {
            let hash = hash(pair);
            if self.passes(pair, hash) {
                counts.add(pair, hash, weight);
            }
        })?;
        Ok(counts)
    }

    /// Builds the table of the pairs that reach `least`, with their postings.
    fn keep(&self, corpus: &Corpus, mut counts: Counts, least: u64, pulse: &mut Pulse<'_>) -> Result<Recount> {
        let mut table = PairTable::default();
        let mut pairs = Vec::new();
        corpus.walk(pulse, |pair, _, posting| {
            let hash = hash(pair);
            if !self.passes(pair, hash) {
                return;
            }
            let Some(entry) = counts.find(pair, hash).filter(|entry| entry.count >= least) else { return };
            if entry.slot == Entry::NO_SLOT {
                entry.slot = table.insert(pair, entry.count, entry.occurrences as usize);
                pairs.push(pair);
            }
            table.at(entry.slot).stand(posting);
        })?;
        Ok(Recount { least, table, pairs })
    }
}

/// The exact count of one pair.
#[derive(Debug, Clone, Copy)]
struct Entry {
    pair: Pair,
    count: u64,
    occurrences: u32,
    /// Where the pair is kept, once it is.
    slot: u32,
}

impl Entry {
    const NO_SLOT: u32 = u32::MAX;
    /// No word has these neighbours: ids stay below the number of cells.
    const FREE: Entry =
        Entry { pair: Pair { left: u32::MAX, right: u32::MAX }, count: 0, occurrences: 0, slot: Self::NO_SLOT };

    fn is_free(&self) -> bool {
        self.occurrences == 0
    }
}

/// Exact counts in a table of its own: open addressing, at most half full.
struct Counts {
    entries: Vec<Entry>,
    used: usize,
}

impl Default for Counts {
    fn default() -> Self {
        Counts { entries: vec![Entry::FREE; 1 << 12], used: 0 }
    }
}

impl Counts {
    fn highest(&self) -> u64 {
        self.entries.iter().map(|entry| entry.count).max().unwrap_or(0)
    }

    #[inline]
    fn index(&self, pair: Pair, hash: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut index = hash as usize & mask;
        while self.entries[index].pair != pair && !self.entries[index].is_free() {
            index = (index + 1) & mask;
        }
        index
    }

    #[inline]
    fn add(&mut self, pair: Pair, hash: u64, weight: u64) {
        let index = self.index(pair, hash);
        let entry = &mut self.entries[index];
        let is_new = entry.is_free();
        entry.pair = pair;
        entry.count += weight;
        entry.occurrences += 1;
        if is_new {
            self.used += 1;
            if self.used * 2 > self.entries.len() {
                self.grow();
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let wanted = vec![Entry::FREE; self.entries.len() * 2];
        for entry in std::mem::replace(&mut self.entries, wanted).into_iter().filter(|entry| !entry.is_free()) {
            let index = self.index(entry.pair, hash(entry.pair));
            self.entries[index] = entry;
        }
    }

    #[inline]
    fn find(&mut self, pair: Pair, hash: u64) -> Option<&mut Entry> {
        let index = self.index(pair, hash);
        let entry = &mut self.entries[index];
        (!entry.is_free()).then_some(entry)
    }
}
