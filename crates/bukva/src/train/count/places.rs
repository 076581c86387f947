//! Places that are known only when all blocks are counted.

use super::super::table::WordTable;
use crate::error::{Error, Kind, Result};

/// Bits of a provisional place for the offset in a block; the others number the block: 64 GiB, and 2^28 blocks.
const OFFSET_BITS: u32 = 36;

/// The place `offset` bytes into the normalized text of block `index`, until all blocks are counted. It is above
/// those of all earlier blocks. `length` bytes from there must fit too.
pub(super) fn provisional(index: u64, offset: u64, length: usize) -> Result<u64> {
    let end = offset.saturating_add(length as u64);
    if end >> OFFSET_BITS > 0 || index >> (64 - OFFSET_BITS) > 0 {
        return Err(Error::new(
            Kind::Unsupported,
            "more than 64 GiB of normalized text without a place to cut, or more than 268,435,456 blocks of text under a normalizer; normalize the corpus first, and train without a normalizer",
        ));
    }
    Ok(index << OFFSET_BITS | offset)
}

/// Where each block starts in the stream of normalized text.
pub(super) struct Places {
    starts: Vec<u64>,
}

impl Places {
    /// From the number and normalized length of each block, in any order; the numbers are 0, 1, 2 ….
    pub(super) fn new(mut lengths: Vec<(u64, u64)>) -> Self {
        lengths.sort_unstable();
        let mut next = 0;
        let mut start = |length| {
            next += length;
            next - length
        };
        let starts = lengths.into_iter().map(|(_, length)| start(length)).collect();
        Places { starts }
    }

    /// The same words, with places in the stream. O(words).
    pub(super) fn translate(&self, table: &WordTable) -> WordTable {
        let mut translated = WordTable::new();
        table.for_each(|word| {
            let block = (word.place >> OFFSET_BITS) as usize;
            let offset = word.place & ((1 << OFFSET_BITS) - 1);
            translated.add(word.bytes, word.count, self.starts[block] + offset);
        });
        translated
    }
}
