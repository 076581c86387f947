//! A short word in the arena: `[count, low half][count, high part · length][symbols]`.
//!
//! One cache miss gives the count and the symbols.

use std::ops::Range;

/// Cells before the symbols.
pub(super) const HEADER: usize = 2;
const LENGTH_BITS: u32 = 11;
/// Most symbols of a record.
pub(super) const MAX_LENGTH: usize = (1 << LENGTH_BITS) - 1;
/// Highest count of a record: 2⁵³ − 1.
pub(super) const MAX_COUNT: u64 = (1 << (64 - LENGTH_BITS)) - 1;

/// The header of a word.
pub(super) fn header(count: u64, length: usize) -> [u32; HEADER] {
    debug_assert!(count <= MAX_COUNT && length <= MAX_LENGTH);
    [count as u32, ((count >> 32) as u32) << LENGTH_BITS | length as u32]
}

/// Count of the record that begins with these cells.
#[inline]
pub(super) fn count(record: &[u32]) -> u64 {
    u64::from(record[0]) | u64::from(record[1] >> LENGTH_BITS) << 32
}

/// Symbols of the record that begins with these cells.
#[inline]
pub(super) fn length(record: &[u32]) -> usize {
    record[1] as usize & MAX_LENGTH
}

/// Sets the number of symbols.
#[inline]
pub(super) fn set_length(record: &mut [u32], length: usize) {
    record[1] = record[1] & !(MAX_LENGTH as u32) | length as u32;
}

/// The cells of the symbols, from the start of the record.
#[inline]
pub(super) fn symbols(record: &[u32]) -> Range<usize> {
    HEADER..HEADER + length(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_and_length_do_not_touch_each_other() {
        for (count_in, length_in) in [(1, 1), (MAX_COUNT, MAX_LENGTH), (1 << 32, 2), (u64::from(u32::MAX), 1000)] {
            let mut record = header(count_in, length_in);
            assert_eq!((count(&record), length(&record)), (count_in, length_in));
            set_length(&mut record, 1);
            assert_eq!((count(&record), length(&record)), (count_in, 1));
        }
    }
}
