//! Id → place in a vocabulary.

use rustc_hash::FxHashMap;

use super::Vocab;

/// The entry of each id: a flat table where ids are dense, as in every published vocabulary; else a hash table.
pub(super) struct Entries {
    dense: Vec<u32>,
    sparse: FxHashMap<u32, u32>,
}

const NOTHING: u32 = u32::MAX;

impl Entries {
    /// The first entry of each id, and the first two entries that share one. O(entries).
    pub(super) fn of(vocab: &Vocab) -> (Self, Option<(usize, usize)>) {
        let highest = vocab.ids().iter().copied().max().map_or(0, |id| id as usize + 1);
        let dense = vec![NOTHING; highest.min(4 * vocab.len() + 65_536)];
        let mut entries = Entries { dense, sparse: FxHashMap::default() };
        let mut repeated = None;
        for (index, &id) in vocab.ids().iter().enumerate() {
            let entry = match entries.dense.get_mut(id as usize) {
                Some(entry) => entry,
                None => entries.sparse.entry(id).or_insert(NOTHING),
            };
            match *entry {
                NOTHING => *entry = index as u32,
                first => repeated = repeated.or(Some((first as usize, index))),
            }
        }
        (entries, repeated)
    }

    /// The first entry of an id.
    #[inline]
    pub(super) fn get(&self, id: u32) -> Option<usize> {
        let entry = self.dense.get(id as usize).or_else(|| self.sparse.get(&id)).copied();
        entry.filter(|&entry| entry != NOTHING).map(|entry| entry as usize)
    }
}
