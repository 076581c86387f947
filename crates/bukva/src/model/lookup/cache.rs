//! The learned cache: pieces that were merged before, with their ids.
//!
//! Two levels by size: pieces up to 15 bytes with up to 3 ids in 32-byte entries, and pieces up to 31 bytes with up to
//! 7 ids in 64-byte entries. Each level starts small, doubles up to its bound, and then forgets entry by entry: a
//! bucket holds two entries and a new one displaces the older. Keys are compared whole.

use super::key::{Key, MediumKey, ShortKey};
use crate::prefetch::prefetch;

/// Both levels. At most 8 MB.
#[derive(Debug)]
pub(in crate::model) struct Cache {
    pub short: Level<2, 3>,
    pub medium: Level<4, 7>,
}

impl Cache {
    /// An empty cache. Allocates nothing before the first piece is learned.
    pub(in crate::model) fn new() -> Self {
        Cache { short: Level::new(1 << 17), medium: Level::new(1 << 16) }
    }

    /// The ids of a piece of at most 15 bytes, in whichever level its number of ids put it. O(1).
    #[inline]
    pub(in crate::model) fn short_or_medium(&self, piece: &[u8], key: ShortKey, hash: u64) -> Option<&[u32]> {
        if let Some(ids) = self.short.get(key, hash) {
            return Some(ids);
        }
        let key = MediumKey::new(piece);
        self.medium.get(key, key.hash())
    }

    /// Learns the ids of a piece, where they fit; a long one-off is not worth a place.
    pub(in crate::model) fn learn(&mut self, piece: &[u8], ids: &[u32]) {
        if piece.len() <= ShortKey::LONGEST && ids.len() <= 3 {
            let key = ShortKey::new(piece);
            self.short.insert(key, key.hash(), ids);
        } else if piece.len() <= MediumKey::LONGEST && ids.len() <= 7 {
            let key = MediumKey::new(piece);
            self.medium.insert(key, key.hash(), ids);
        }
    }
}

/// One level: two-way buckets of keys of `8 * WORDS` bytes with up to `IDS` ids.
#[derive(Debug)]
pub(in crate::model) struct Level<const WORDS: usize, const IDS: usize> {
    entries: Vec<Entry<WORDS, IDS>>,
    used: usize,
    most: usize,
}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
struct Entry<const WORDS: usize, const IDS: usize> {
    key: Key<WORDS>,
    count: u32,
    ids: [u32; IDS],
}

impl<const WORDS: usize, const IDS: usize> Level<WORDS, IDS> {
    const FIRST: usize = 1 << 8;

    const VACANT: Entry<WORDS, IDS> = Entry { key: Key::VACANT, count: 0, ids: [0; IDS] };

    /// An empty level of at most `most` entries, a power of two.
    fn new(most: usize) -> Self {
        Level { entries: Vec::new(), used: 0, most }
    }

    /// The ids of a piece that was learned and not yet displaced. O(1).
    #[inline]
    pub(in crate::model) fn get(&self, key: Key<WORDS>, hash: u64) -> Option<&[u32]> {
        let bucket = self.bucket(hash);
        let pair = self.entries.get(bucket..bucket + 2)?;
        let entry = if pair[0].key == key {
            &pair[0]
        } else if pair[1].key == key {
            &pair[1]
        } else {
            return None;
        };
        entry.ids.get(..entry.count as usize)
    }

    /// Begins to load the bucket of `hash`.
    #[inline]
    pub(in crate::model) fn prefetch(&self, hash: u64) {
        self.entries.get(self.bucket(hash)).into_iter().for_each(prefetch);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        // The high bits, by a multiplication that serves any size, 0 included.
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize & !1
    }

    /// Puts a piece that is not there in front of its bucket.
    fn insert(&mut self, key: Key<WORDS>, hash: u64, ids: &[u32]) {
        if self.used >= self.entries.len() / 2 && self.entries.len() < self.most {
            self.grow();
        }
        let mut entry = Entry { key, count: ids.len() as u32, ..Self::VACANT };
        entry.ids[..ids.len()].copy_from_slice(ids);
        self.place(entry, hash);
    }

    fn place(&mut self, entry: Entry<WORDS, IDS>, hash: u64) {
        let bucket = self.bucket(hash);
        let displaced = std::mem::replace(&mut self.entries[bucket], entry);
        let vacated = std::mem::replace(&mut self.entries[bucket + 1], displaced);
        self.used += usize::from(vacated.key == Key::VACANT);
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 2).clamp(Self::FIRST, self.most);
        let old = std::mem::replace(&mut self.entries, vec![Self::VACANT; size]);
        self.used = 0;
        // Older entries first, so that they stay behind the newer ones.
        for entry in old.into_iter().rev().filter(|entry| entry.key != Key::VACANT) {
            self.place(entry, entry.key.hash());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_two() {
        assert_eq!(size_of::<Entry<2, 3>>(), 32);
        assert_eq!(size_of::<Entry<4, 7>>(), 64);
    }

    #[test]
    fn remembers_exactly_and_within_bounds() {
        let mut level = Level::<2, 3>::new(1 << 10);
        let key = |number: u32| Key::<2>::new(&number.to_le_bytes());
        let mut found = 0;
        for number in 0..20_000_u32 {
            let (new, old) = (key(number), key(number.saturating_sub(300)));
            assert_eq!(level.get(new, new.hash()), None);
            level.insert(new, new.hash(), &[number, number + 1]);
            assert_eq!(level.get(new, new.hash()), Some(&[number, number + 1][..]));
            if let Some(ids) = level.get(old, old.hash()) {
                assert_eq!(ids[0], number.saturating_sub(300));
                found += 1;
            }
        }
        assert!(level.entries.len() == 1 << 10 && found > 10_000, "{found}");
    }

    #[test]
    fn long_pieces_and_many_ids_are_left_out() {
        let mut cache = Cache::new();
        cache.learn(&[b'a'; 32], &[1]);
        cache.learn(b"abcdefgh", &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(cache.short.entries.is_empty() && cache.medium.entries.is_empty());
        cache.learn(b"abcd", &[1, 2, 3, 4]);
        let key = MediumKey::new(b"abcd");
        assert_eq!(cache.medium.get(key, key.hash()), Some(&[1, 2, 3, 4][..]));
    }
}
