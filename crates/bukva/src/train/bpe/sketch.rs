//! Small filters that keep rare pairs away from the tables.

use crate::train::tie_break::Pair;

/// A folded multiplication: its high bits choose a bit or a counter here, its low bits the slot of a table.
#[inline]
pub(super) fn hash(pair: Pair) -> u64 {
    let product = u128::from(pair.code() ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
    product as u64 ^ (product >> 64) as u64
}

const BITS: u32 = 20;

#[inline]
fn bucket(hash: u64) -> usize {
    (hash >> (64 - BITS)) as usize
}

/// A million counters, each an upper bound for the pairs that share it. 4 MB; counters stop at the top of their range.
pub(super) struct Sketch(Vec<u32>);

impl Sketch {
    pub(super) fn new() -> Self {
        Sketch(vec![0; 1 << BITS])
    }

    #[inline]
    pub(super) fn add(&mut self, hash: u64, weight: u64) {
        let counter = &mut self.0[bucket(hash)];
        *counter = counter.saturating_add(u32::try_from(weight).unwrap_or(u32::MAX));
    }

    /// No pair occurs more often, as far as the counters go.
    pub(super) fn highest(&self) -> u64 {
        match self.0.iter().max() {
            Some(&u32::MAX) | None => u64::MAX,
            Some(&highest) => u64::from(highest),
        }
    }

    /// A filter that lets through whatever may occur `least` times.
    pub(super) fn reaching(&self, least: u64) -> Filter {
        let mut filter = Filter::none();
        let passes = |&bound: &u32| u64::from(bound) >= least || bound == u32::MAX;
        self.0.iter().enumerate().filter(|(_, bound)| passes(bound)).for_each(|(bucket, _)| filter.set(bucket));
        filter
    }
}

/// A million bits: a pair whose bit is not set is not wanted. 128 KB, so that a question seldom misses the cache.
pub(super) struct Filter(Vec<u64>);

impl Filter {
    fn none() -> Self {
        Filter(vec![0; 1 << (BITS - 6)])
    }

    /// Lets everything through.
    pub(super) fn all() -> Self {
        Filter(vec![u64::MAX; 1 << (BITS - 6)])
    }

    /// Lets the pairs of these hashes through, and a few others.
    pub(super) fn of(hashes: impl Iterator<Item = u64>) -> Self {
        let mut filter = Filter::none();
        hashes.for_each(|hash| filter.set(bucket(hash)));
        filter
    }

    fn set(&mut self, bucket: usize) {
        self.0[bucket >> 6] |= 1 << (bucket & 63);
    }

    #[inline]
    pub(super) fn passes(&self, hash: u64) -> bool {
        let bucket = bucket(hash);
        self.0[bucket >> 6] >> (bucket & 63) & 1 == 1
    }
}
