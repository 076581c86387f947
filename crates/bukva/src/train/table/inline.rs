//! Words of 1 to 15 bytes: each is its own key.

use crate::prefetch::prefetch;
use crate::train::words::Word;

/// Longest word that lies in its slot.
const LONGEST: usize = 15;

/// A word of 1 to 15 bytes and, in the last byte, its length: equal keys are equal words, and 0 is no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Key(u64, u64);

impl Key {
    const EMPTY: Key = Key(0, 0);

    fn new(low: u64, high: u64, length: usize) -> Self {
        Key(low, high | (length as u64) << 56)
    }

    #[inline]
    fn hash(self) -> u64 {
        let product = u128::from(self.0 ^ 0x9e37_79b9_7f4a_7c15) * u128::from(self.1 ^ 0xd1b5_4a32_d192_ed03);
        product as u64 ^ (product >> 64) as u64
    }
}

/// A key with its hash.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hashed {
    key: Key,
    hash: u64,
}

impl Hashed {
    #[inline]
    pub(super) fn new(key: Key) -> Self {
        Hashed { key, hash: key.hash() }
    }
}

/// The key of `word`, or `None` if it is empty or longer than 15 bytes.
#[inline]
pub(super) fn key_of(word: &[u8]) -> Option<Key> {
    let length = word.len();
    if let (Some(first), Some(last)) = (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        // Overlapping reads: the last eight bytes, moved down by what the first eight already hold.
        let high = u64::from_le_bytes(*last).checked_shr(8 * (16usize.checked_sub(length)?) as u32).unwrap_or(0);
        return (length <= LONGEST).then(|| Key::new(u64::from_le_bytes(*first), high, length));
    }
    let low = match (word.first_chunk::<4>(), word.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let moved = u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4));
            u64::from(u32::from_le_bytes(*first)) | moved
        }
        _ => {
            let last = length.checked_sub(1)?;
            let at = |index: usize| u64::from(word[index]) << (8 * index);
            at(0) | at(length / 2) | at(last)
        }
    };
    Some(Key::new(low, 0, length))
}

/// The key of `text[start..end]`, or `None` if there is none or fewer than 16 bytes of `text` remain.
#[inline]
pub(super) fn key_in(text: &[u8], start: usize, end: usize) -> Option<Key> {
    let length = end.wrapping_sub(start);
    let window = text.get(start..)?.first_chunk::<16>()?;
    if length.wrapping_sub(1) >= LONGEST {
        return None;
    }
    let kept = u128::from_le_bytes(*window) & ((1 << (8 * length)) - 1);
    Some(Key::new(kept as u64, (kept >> 64) as u64, length))
}

/// A word with its weight. Aligned, so that no slot lies in two cache lines.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
pub(super) struct Slot {
    key: Key,
    count: u64,
    place: u64,
}

impl Slot {
    /// The bytes of the word, and its length behind them.
    pub(super) fn text(&self) -> [u8; 16] {
        (u128::from(self.key.0) | u128::from(self.key.1) << 64).to_le_bytes()
    }

    /// The word, whose bytes are in `text`.
    pub(super) fn word<'a>(&self, text: &'a [u8; 16]) -> Word<'a> {
        Word { bytes: &text[..usize::from(text[LONGEST])], count: self.count, place: self.place }
    }
}

/// Open addressing with linear probing; the number of slots is a power of two.
///
/// Up to 7/8 full: frequent words come early and so lie near their home slot, and memory is dearer than the probes of
/// rare ones.
#[derive(Debug, Clone, Default)]
pub(super) struct InlineWords {
    slots: Vec<Slot>,
    used: usize,
}

impl InlineWords {
    const FIRST_SLOTS: usize = 1 << 10;

    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Bytes of all words. O(slots).
    pub(super) fn text_bytes(&self) -> usize {
        self.slots.iter().map(|slot| (slot.key.1 >> 56) as usize).sum()
    }

    /// Asks for the home slot of a word that is added soon.
    #[inline]
    pub(super) fn prefetch(&self, word: Hashed) {
        self.slots.get(word.hash as usize & self.slots.len().wrapping_sub(1)).into_iter().for_each(prefetch);
    }

    #[inline]
    pub(super) fn add(&mut self, word: Hashed, weight: u64, place: u64) {
        let Hashed { key, hash } = word;
        let mask = self.slots.len().wrapping_sub(1);
        let mut index = hash as usize & mask;
        // An empty table has no slot to look at.
        while let Some(slot) = self.slots.get_mut(index) {
            if slot.key == key {
                slot.count += weight;
                slot.place = slot.place.min(place);
                return;
            }
            if slot.key == Key::EMPTY {
                break;
            }
            index = (index + 1) & mask;
        }
        self.insert(Slot { key, count: weight, place });
    }

    #[cold]
    fn insert(&mut self, slot: Slot) {
        if (self.used + 1) * 8 > self.slots.len() * 7 {
            self.grow();
        }
        self.used += 1;
        place_slot(&mut self.slots, slot);
    }

    fn grow(&mut self) {
        let wanted = (self.slots.len() * 2).max(Self::FIRST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); wanted]);
        for slot in old.into_iter().filter(|slot| slot.key != Key::EMPTY) {
            place_slot(&mut self.slots, slot);
        }
    }

    fn taken(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.key != Key::EMPTY)
    }

    pub(super) fn merge_from(&mut self, other: &InlineWords) {
        other.taken().for_each(|slot| self.add(Hashed::new(slot.key), slot.count, slot.place));
    }

    pub(super) fn for_each(&self, see: &mut impl FnMut(Word<'_>)) {
        self.taken().for_each(|slot| see(slot.word(&slot.text())));
    }

    /// The slots that hold a word, by first place, then by bytes.
    pub(super) fn into_sorted(self) -> Vec<Slot> {
        let mut slots = self.slots;
        slots.retain(|slot| slot.key != Key::EMPTY);
        slots.sort_unstable_by(|a, b| {
            let by_bytes = || a.word(&a.text()).bytes.cmp(b.word(&b.text()).bytes);
            a.place.cmp(&b.place).then_with(by_bytes)
        });
        slots
    }
}

/// Puts a new word into the first free slot from its home. The table has a free slot.
fn place_slot(slots: &mut [Slot], slot: Slot) {
    let mask = slots.len() - 1;
    let mut index = slot.key.hash() as usize & mask;
    while slots[index].key != Key::EMPTY {
        index = (index + 1) & mask;
    }
    slots[index] = slot;
}
