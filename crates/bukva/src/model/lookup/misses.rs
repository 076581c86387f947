//! Pre-tokens that are not where they were looked for first: collected, encoded together, and put in between the ids of
//! the others.

use crate::error::Error;
use crate::model::Span;

/// One of them.
#[derive(Debug, Clone, Copy)]
struct Miss {
    span: Span,
    /// How many ids were put out before it, without those of other misses.
    at: usize,
    /// Its ids: where they begin in `ids`, and how many there are.
    first: usize,
    count: usize,
}

/// The misses of a stretch of pre-tokens, in their order, and their ids, in any order.
#[derive(Debug, Default)]
pub(in crate::model) struct Misses {
    list: Vec<Miss>,
    pub ids: Vec<u32>,
}

/// The error of a miss, by its number. All earlier ones have their ids.
pub(in crate::model) type Failed = (usize, Error);

impl Misses {
    /// The most ids for which memory is kept.
    const KEPT: usize = 1 << 16;

    /// Adds the pre-token at `span`, before which there are `at` ids.
    #[inline]
    pub(super) fn push(&mut self, span: Span, at: usize) {
        self.list.push(Miss { span, at, first: 0, count: 0 });
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.ids.clear();
        self.ids.shrink_to(Self::KEPT);
    }

    /// How many there are.
    pub(in crate::model) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where a miss is.
    #[inline]
    pub(in crate::model) fn span(&self, number: usize) -> Span {
        self.list[number].span
    }

    /// The ids of a miss.
    #[inline]
    pub(in crate::model) fn ids_of(&self, number: usize) -> &[u32] {
        let miss = self.list[number];
        &self.ids[miss.first..miss.first + miss.count]
    }

    /// Gives a miss all ids from `first` on.
    #[inline]
    pub(in crate::model) fn give_from(&mut self, number: usize, first: usize) {
        let miss = &mut self.list[number];
        (miss.first, miss.count) = (first, self.ids.len() - first);
    }

    /// Gives a miss `ids`.
    #[inline]
    pub(in crate::model) fn give(&mut self, number: usize, ids: &[u32]) {
        let first = self.ids.len();
        self.ids.extend_from_slice(ids);
        self.give_from(number, first);
    }

    /// The number of ids of all misses.
    pub(super) fn count(&self) -> usize {
        self.list.iter().map(|miss| miss.count).sum()
    }

    /// Forgets all from this one on, and tells how many ids there are before it, without those of misses.
    pub(super) fn cut(&mut self, number: usize) -> usize {
        let at = self.list[number].at;
        self.list.truncate(number);
        at
    }

    /// Puts the ids in their places among the first `count` ids of `list`, which has room for all. O(ids).
    pub(super) fn splice(&self, list: &mut [u32], count: usize) {
        let (mut from, mut to) = (count, count + self.count());
        for miss in self.list.iter().rev() {
            let moved = from - miss.at;
            list.copy_within(miss.at..from, to - moved);
            (from, to) = (miss.at, to - moved - miss.count);
            list[to..to + miss.count].copy_from_slice(&self.ids[miss.first..miss.first + miss.count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_to_their_places() {
        let mut misses = Misses::default();
        for at in [0, 2, 2, 3] {
            misses.push((0, 1), at);
        }
        misses.give(2, &[22]);
        misses.give(0, &[20, 20]);
        misses.give(3, &[23, 23, 23]);
        let mut list = [1, 2, 3, 0, 0, 0, 0, 0, 0];
        misses.splice(&mut list, 3);
        assert_eq!(list, [20, 20, 1, 2, 22, 3, 23, 23, 23]);
        assert_eq!((misses.cut(3), misses.len(), misses.count()), (3, 3, 3));
    }
}
