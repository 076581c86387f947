//! The whole-vocabulary table: pieces that are certainly one token. Read-only, shared by all threads.

use rustc_hash::FxHashMap;

use super::key::{Key, ShortKey};
use super::prefetch::prefetch;

/// Piece → id. 24 bytes a slot for pieces up to 15 bytes, at most half of the slots used; longer ones in a map.
#[derive(Debug)]
pub(super) struct Whole {
    slots: Box<[Slot]>,
    shift: u32,
    longer: FxHashMap<Box<[u8]>, u32>,
    longest: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: ShortKey,
    id: u32,
}

impl Whole {
    /// Builds the table; of equal pieces the first counts. O(bytes).
    pub(super) fn build<'a>(pieces: impl ExactSizeIterator<Item = (&'a [u8], u32)>) -> Self {
        let capacity = (pieces.len() * 2).next_power_of_two().max(64);
        let vacant = Slot { key: Key::VACANT, id: 0 };
        let mut whole = Whole {
            slots: vec![vacant; capacity].into_boxed_slice(),
            shift: 64 - capacity.trailing_zeros(),
            longer: FxHashMap::default(),
            longest: 0,
        };
        pieces.for_each(|(piece, id)| whole.insert(piece, id));
        whole
    }

    fn insert(&mut self, piece: &[u8], id: u32) {
        if piece.len() > ShortKey::LONGEST {
            self.longest = self.longest.max(piece.len());
            self.longer.entry(piece.into()).or_insert(id);
            return;
        }
        let key = ShortKey::new(piece);
        let mut index = (key.hash() >> self.shift) as usize;
        while self.slots[index].key != Key::VACANT {
            if self.slots[index].key == key {
                return;
            }
            index = (index + 1) & (self.slots.len() - 1);
        }
        self.slots[index] = Slot { key, id };
    }

    /// The id of a piece of at most 15 bytes. O(1).
    #[inline]
    pub(super) fn short(&self, key: ShortKey, hash: u64) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut index = (hash >> self.shift) as usize;
        loop {
            let slot = &self.slots[index & mask];
            if slot.key == key {
                return Some(slot.id);
            }
            if slot.key == Key::VACANT {
                return None;
            }
            index += 1;
        }
    }

    /// Begins to load the first slot of `hash`.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[(hash >> self.shift) as usize & (self.slots.len() - 1)]);
    }

    /// The id of a longer piece. O(bytes), O(1) beyond the longest entry.
    #[inline]
    pub(super) fn long(&self, piece: &[u8]) -> Option<u32> {
        if piece.len() > self.longest {
            return None;
        }
        self.longer.get(piece).copied()
    }
}
