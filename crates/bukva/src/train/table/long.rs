//! Words of more than 15 bytes: their bytes lie in one block, their slots compare hash, length and bytes.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::train::words::Word;

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u64,
    start: u64,
    /// Bytes; 0 is no word.
    length: u64,
    count: u64,
    place: u64,
}

impl Slot {
    fn range(&self) -> Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

/// Open addressing with linear probing; the number of slots is a power of two.
#[derive(Debug, Clone, Default)]
pub(super) struct LongWords {
    slots: Vec<Slot>,
    bytes: Vec<u8>,
    used: usize,
}

impl LongWords {
    const FIRST_SLOTS: usize = 1 << 8;

    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Bytes of all words.
    pub(super) fn text_bytes(&self) -> usize {
        self.bytes.len()
    }

    // Out of line: it keeps the path of the short words small.
    #[inline(never)]
    pub(super) fn add(&mut self, word: &[u8], weight: u64, place: u64) {
        if !word.is_empty() {
            self.add_hashed(xxh3_64(word), word, weight, place);
        }
    }

    fn add_hashed(&mut self, hash: u64, word: &[u8], weight: u64, place: u64) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut index = hash as usize & mask;
        while let Some(slot) = self.slots.get_mut(index) {
            if slot.hash == hash && slot.length == word.len() as u64 && self.bytes[slot.range()] == *word {
                slot.count += weight;
                slot.place = slot.place.min(place);
                return;
            }
            if slot.length == 0 {
                break;
            }
            index = (index + 1) & mask;
        }
        let (start, length) = (self.bytes.len() as u64, word.len() as u64);
        self.bytes.extend_from_slice(word);
        self.insert(Slot { hash, start, length, count: weight, place });
    }

    fn insert(&mut self, slot: Slot) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.used += 1;
        place_slot(&mut self.slots, slot);
    }

    fn grow(&mut self) {
        let wanted = (self.slots.len() * 2).max(Self::FIRST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); wanted]);
        old.into_iter().filter(|slot| slot.length > 0).for_each(|slot| place_slot(&mut self.slots, slot));
    }

    fn word(&self, slot: &Slot) -> Word<'_> {
        Word { bytes: &self.bytes[slot.range()], count: slot.count, place: slot.place }
    }

    pub(super) fn merge_from(&mut self, other: &LongWords) {
        for slot in other.slots.iter().filter(|slot| slot.length > 0) {
            self.add_hashed(slot.hash, other.word(slot).bytes, slot.count, slot.place);
        }
    }

    pub(super) fn for_each(&self, see: &mut impl FnMut(Word<'_>)) {
        self.slots.iter().filter(|slot| slot.length > 0).for_each(|slot| see(self.word(slot)));
    }

    /// The words by first place, then by bytes.
    pub(super) fn into_sorted(self) -> SortedWords {
        let LongWords { mut slots, bytes, .. } = self;
        slots.retain(|slot| slot.length > 0);
        slots.sort_unstable_by(|a, b| a.place.cmp(&b.place).then_with(|| bytes[a.range()].cmp(&bytes[b.range()])));
        SortedWords { slots, bytes }
    }
}

/// Long words in the order of their first places.
pub(super) struct SortedWords {
    slots: Vec<Slot>,
    bytes: Vec<u8>,
}

impl SortedWords {
    pub(super) fn iter(&self) -> impl Iterator<Item = Word<'_>> {
        let word = |slot: &Slot| Word { bytes: &self.bytes[slot.range()], count: slot.count, place: slot.place };
        self.slots.iter().map(word)
    }
}

fn place_slot(slots: &mut [Slot], slot: Slot) {
    let mask = slots.len() - 1;
    let mut index = slot.hash as usize & mask;
    while slots[index].length > 0 {
        index = (index + 1) & mask;
    }
    slots[index] = slot;
}
