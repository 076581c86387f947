//! The order of many byte strings, by their first eight bytes where those decide.

use std::cmp::Ordering;

/// The first eight bytes as a number that orders as they do; missing ones count as zero.
pub(in crate::model) fn head<'b>(bytes: impl IntoIterator<Item = &'b u8>) -> u64 {
    let mut head = [0; 8];
    head.iter_mut().zip(bytes).for_each(|(head, &byte)| *head = byte);
    u64::from_be_bytes(head)
}

/// Values of the bits that are looked at in one pass.
const DIGITS: usize = 1 << 11;

/// The places of strings in their order, by their heads, and by `compare` of two places where those are equal; equal
/// strings in the order in which they come. O(n) for strings whose heads differ, else O(n log n) comparisons.
///
/// By distribution on a few bits at a time, from the last on.
pub(in crate::model) fn order(heads: Vec<u64>, compare: impl Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let mut places: Vec<(u64, u32)> = heads.into_iter().zip(0..).collect();
    let mut other = vec![(0, 0); places.len()];
    let mut next = [0_u32; DIGITS + 1];
    for shift in (0..64).step_by(DIGITS.trailing_zeros() as usize) {
        let digit = |head: u64| (head >> shift) as usize & (DIGITS - 1);
        next.fill(0);
        places.iter().for_each(|&(head, _)| next[digit(head) + 1] += 1);
        if next.contains(&(places.len() as u32)) {
            continue;
        }
        (0..DIGITS).for_each(|value| next[value + 1] += next[value]);
        for &item in &places {
            let place = &mut next[digit(item.0)];
            other[*place as usize] = item;
            *place += 1;
        }
        std::mem::swap(&mut places, &mut other);
    }
    for alike in places.chunk_by_mut(|one, two| one.0 == two.0).filter(|alike| alike.len() > 1) {
        alike.sort_unstable_by(|one, two| compare(one.1, two.1).then(one.1.cmp(&two.1)));
    }
    places.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn strings_come_as_a_sort_puts_them(
            strings in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![0_u8, 1, 97, 255]), 0..12), 0..60),
        ) {
            let found = order(strings.iter().map(head).collect(), |one, two| strings[one as usize].cmp(&strings[two as usize]));
            let mut expected: Vec<u32> = (0..strings.len() as u32).collect();
            expected.sort_by_key(|&place| &strings[place as usize]);
            prop_assert_eq!(found, expected);
        }
    }
}
