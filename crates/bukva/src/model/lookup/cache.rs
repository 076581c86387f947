//! The learned cache: pieces that were met before, with their ids.
//!
//! Two levels by size: pieces up to 15 bytes with up to 3 ids in 32-byte entries, and pieces up to 31 bytes with up to
//! 7 ids in 64-byte entries. A short piece with more than 3 ids has a place in both: the first only says so. Each level
//! starts small, grows up to its bound, and then forgets entry by entry: a bucket holds two entries and a new one displaces
//! the older. Keys are compared whole.
//!
//! Pieces that are one token are learned too: what a text is made of then lies close together, where the table of all
//! tokens is spread over memory that no cache of the processor holds.

use super::key::{Key, MediumKey, ShortKey};
use crate::huge;
use crate::prefetch::prefetch_at;

/// Both levels. At most 16 MB.
#[derive(Debug)]
pub(in crate::model) struct Cache {
    pub short: Level<2, 4>,
    pub medium: Level<4, 8>,
    /// Whether [`Cache::learn`] does anything.
    pub learns: bool,
}

impl Cache {
    /// An empty cache. Allocates nothing before the first piece is learned.
    pub(in crate::model) fn new() -> Self {
        Cache { short: Level::new(1 << 18), medium: Level::new(1 << 17), learns: true }
    }

    /// The ids of a piece of at most 15 bytes. O(1).
    #[inline]
    pub(in crate::model) fn few_bytes(&self, piece: &[u8]) -> Option<&[u32]> {
        let entry = self.short.entry(ShortKey::new(piece))?;
        if entry.is_whole() { Some(entry.ids()) } else { self.few_bytes_many_ids(piece) }
    }

    /// The ids of a piece of at most 15 bytes that became more than three. O(1).
    pub(in crate::model) fn few_bytes_many_ids(&self, piece: &[u8]) -> Option<&[u32]> {
        self.medium.get(MediumKey::new(piece))
    }

    /// Whether anything was learned.
    #[cfg(test)]
    pub(in crate::model) fn has_learned(&self) -> bool {
        self.short.used + self.medium.used > 0
    }

    /// Begins to load where [`Cache::learn`] will put a short piece of so many ids that it has a second place.
    #[inline]
    pub(in crate::model) fn prepare(&self, piece: &[u8], ids: usize) {
        if piece.len() <= ShortKey::LONGEST && ids > 3 {
            self.medium.begin(MediumKey::new(piece));
        }
    }

    /// Learns the ids of a piece, where they fit; a long one-off is not worth a place.
    pub(in crate::model) fn learn(&mut self, piece: &[u8], ids: &[u32]) {
        if piece.len() > MediumKey::LONGEST || ids.len() > 7 || !self.learns {
            return;
        }
        if piece.len() <= ShortKey::LONGEST {
            self.short.insert(ShortKey::new(piece), ids);
        }
        if piece.len() > ShortKey::LONGEST || ids.len() > 3 {
            self.medium.insert(MediumKey::new(piece), ids);
        }
    }
}

/// One level: two-way buckets of keys of `8 * WORDS` bytes with fewer than `IDS` ids.
#[derive(Debug)]
pub(in crate::model) struct Level<const WORDS: usize, const IDS: usize> {
    buckets: Vec<Bucket<WORDS, IDS>>,
    used: usize,
    /// The most buckets.
    most: usize,
}

/// The newer entry first. It fills cache lines of the processor.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Bucket<const WORDS: usize, const IDS: usize>([Entry<WORDS, IDS>; 2]);

/// A piece and its ids.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::model) struct Entry<const WORDS: usize, const IDS: usize> {
    key: Key<WORDS>,
    /// Ids, meaningless behind their number; the last is their number.
    pub ids: [u32; IDS],
}

impl<const WORDS: usize, const IDS: usize> Entry<WORDS, IDS> {
    const VACANT: Self = Entry { key: Key::EMPTY, ids: [0; IDS] };

    /// The number of ids.
    #[inline(always)]
    pub(in crate::model) fn count(&self) -> usize {
        self.ids[IDS - 1] as usize
    }

    /// Whether all ids are here.
    #[inline(always)]
    pub(in crate::model) fn is_whole(&self) -> bool {
        self.count() < IDS
    }

    #[inline]
    fn ids(&self) -> &[u32] {
        &self.ids[..self.count().min(IDS - 1)]
    }
}

impl<const WORDS: usize, const IDS: usize> Level<WORDS, IDS> {
    /// The number of buckets at first.
    const FIRST: usize = 1 << 9;

    /// By how much it grows at a time. Memory that is new costs more than what is put there.
    const GROWTH: usize = 8;

    const VACANT: Bucket<WORDS, IDS> = Bucket([Entry::VACANT; 2]);

    /// An empty level of at most `most` entries, a power of two.
    fn new(most: usize) -> Self {
        Level { buckets: Vec::new(), used: 0, most: most / 2 }
    }

    /// The ids of a piece that was learned and not yet displaced. O(1).
    #[inline]
    pub(in crate::model) fn get(&self, key: Key<WORDS>) -> Option<&[u32]> {
        self.entry(key).map(Entry::ids)
    }

    /// The entry of a piece that was learned and not yet displaced. O(1).
    #[inline]
    pub(in crate::model) fn entry(&self, key: Key<WORDS>) -> Option<&Entry<WORDS, IDS>> {
        self.entry_in(self.bucket(key), key)
    }

    /// The same, where the bucket of the piece is known.
    #[inline(always)]
    pub(in crate::model) fn entry_in(&self, bucket: usize, key: Key<WORDS>) -> Option<&Entry<WORDS, IDS>> {
        let Bucket(entries) = self.buckets.get(bucket)?;
        // Which of the two it is nothing foretells: a choice without a branch, and one branch that nearly always goes the
        // same way.
        let entry = &entries[usize::from(entries[1].key.is(key))];
        entry.key.is(key).then_some(entry)
    }

    /// Where a piece has its place, and begins to load it.
    #[inline(always)]
    pub(in crate::model) fn begin(&self, key: Key<WORDS>) -> usize {
        let bucket = self.bucket(key);
        // Of an empty level any address will do.
        prefetch_at(self.buckets.as_ptr().wrapping_add(bucket));
        bucket
    }

    #[inline(always)]
    fn bucket(&self, key: Key<WORDS>) -> usize {
        // Sizes are powers of two; an empty level has no bucket.
        key.mixed() as usize & self.buckets.len().wrapping_sub(1)
    }

    /// Puts a piece in front of its bucket, in the place of what is known of it; of too many ids only their number.
    fn insert(&mut self, key: Key<WORDS>, ids: &[u32]) {
        // A quarter full: beyond that, too many buckets have three pieces that displace each other.
        if self.used * 2 >= self.buckets.len() && self.buckets.len() < self.most {
            self.grow();
        }
        let mut entry = Entry { key, ..Entry::VACANT };
        entry.ids.iter_mut().zip(ids).for_each(|(slot, &id)| *slot = id);
        entry.ids[IDS - 1] = ids.len() as u32;
        self.place(entry);
    }

    fn place(&mut self, entry: Entry<WORDS, IDS>) {
        let bucket = self.bucket(entry.key);
        let Bucket([newer, older]) = &mut self.buckets[bucket];
        if newer.key != entry.key {
            self.used += usize::from(older.key == Key::EMPTY);
            *older = std::mem::replace(newer, entry);
        }
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * Self::GROWTH).clamp(Self::FIRST, self.most);
        let old = std::mem::replace(&mut self.buckets, huge::vec(Self::VACANT, size));
        self.used = 0;
        for Bucket([newer, older]) in old {
            for entry in [older, newer].into_iter().filter(|entry| entry.key != Key::EMPTY) {
                self.place(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_fill_lines() {
        assert_eq!(size_of::<Bucket<2, 4>>(), 64);
        assert_eq!(size_of::<Bucket<4, 8>>(), 128);
    }

    #[test]
    fn remembers_exactly_and_within_bounds() {
        let mut level = Level::<2, 3>::new(1 << 10);
        let key = |number: u32| Key::<2>::new(&number.to_le_bytes());
        let mut found = 0;
        for number in 0..20_000_u32 {
            let (new, old) = (key(number), key(number.saturating_sub(300)));
            assert_eq!(level.get(new), None);
            level.insert(new, &[number, number + 1]);
            assert_eq!(level.get(new), Some(&[number, number + 1][..]));
            if let Some(ids) = level.get(old) {
                assert_eq!(ids[0], number.saturating_sub(300));
                found += 1;
            }
        }
        assert!(level.buckets.len() == 1 << 9 && found > 10_000, "{found}");
    }

    #[test]
    fn long_pieces_and_many_ids_are_left_out() {
        let mut cache = Cache::new();
        cache.learn(&[b'a'; 32], &[1]);
        cache.learn(b"abcdefgh", &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(cache.short.buckets.is_empty() && cache.medium.buckets.is_empty());
        cache.learn(b"abcd", &[1, 2, 3, 4]);
        assert_eq!(cache.few_bytes(b"abcd"), Some(&[1, 2, 3, 4][..]));
    }
}
