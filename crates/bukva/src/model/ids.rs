//! Sets of token ids.

use rustc_hash::FxHashSet;

/// A set of ids: a bit each where they are low, as in every published vocabulary, else a hash table.
#[derive(Debug, Default)]
pub(in crate::model) struct IdSet {
    low: Vec<u64>,
    high: FxHashSet<u32>,
}

/// Ids below it have a bit each.
const LOW: u32 = 1 << 22;

impl IdSet {
    /// Adds an id. O(1).
    pub(in crate::model) fn insert(&mut self, id: u32) {
        if id >= LOW {
            self.high.insert(id);
            return;
        }
        let word = id as usize / 64;
        if word >= self.low.len() {
            self.low.resize(word + 1, 0);
        }
        self.low[word] |= 1 << (id % 64);
    }

    /// Whether an id is there. O(1).
    #[inline]
    pub(in crate::model) fn contains(&self, id: u32) -> bool {
        match self.low.get(id as usize / 64) {
            Some(word) => word >> (id % 64) & 1 == 1,
            None => id >= LOW && self.high.contains(&id),
        }
    }

    /// Whether there are no ids.
    pub(in crate::model) fn is_empty(&self) -> bool {
        self.low.is_empty() && self.high.is_empty()
    }
}

impl FromIterator<u32> for IdSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut set = IdSet::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_and_high_ids_are_alike() {
        let ids = [0, 63, 64, 1000, LOW - 1, LOW, u32::MAX];
        let set: IdSet = ids.into_iter().collect();
        assert!(ids.iter().all(|&id| set.contains(id)));
        assert!([1, 62, 65, 999, LOW - 2, LOW + 1, u32::MAX - 1].iter().all(|&id| !set.contains(id)));
        assert!(!set.is_empty() && IdSet::default().is_empty() && !IdSet::default().contains(0));
    }
}
