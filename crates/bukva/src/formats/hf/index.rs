//! Text → entry of a vocabulary, in a table that is small enough to stay near the processor.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::texts::Entries;
use crate::prefetch::prefetch;

/// Entries by their text: open addressing, 16 bytes a slot, at most four fifths of the slots used. A slot says where its
/// text lies, so that a look-up waits for memory twice.
pub(in crate::formats) struct Index<'t> {
    entries: &'t Entries,
    slots: Vec<Slot>,
    shift: u32,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    /// A part of the hash.
    tag: u32,
    /// The number of the entry.
    entry: u32,
    /// Where its text begins.
    start: u64,
}

const EMPTY: Slot = Slot { tag: 0, entry: u32::MAX, start: 0 };

impl<'t> Index<'t> {
    /// Indexes a vocabulary. O(bytes).
    ///
    /// # Errors
    /// The first two entries with one text.
    pub(super) fn of(entries: &'t Entries) -> Result<Self, (usize, usize)> {
        let capacity = (entries.len() * 5 / 4 + 1).next_power_of_two().max(2);
        let mut index = Index { entries, slots: vec![EMPTY; capacity], shift: 64 - capacity.trailing_zeros() };
        let mut start = 0;
        for (number, (text, _)) in entries.iter().enumerate() {
            let hash = hash(text);
            match index.place(hash, text) {
                Ok(first) => return Err((first, number)),
                Err(place) => index.slots[place] = Slot { tag: hash as u32, entry: number as u32, start },
            }
            start += text.len() as u64;
        }
        Ok(index)
    }

    /// The id of a text. O(bytes).
    pub(super) fn get(&self, text: &str) -> Option<u32> {
        self.entry(text).map(|entry| self.entries.id(entry))
    }

    /// The entry with this text. O(bytes).
    pub(super) fn entry(&self, text: &str) -> Option<usize> {
        self.place(hash(text), text).ok()
    }

    /// Begins to look a text up, by its hash.
    #[inline]
    pub(super) fn ask(&self, text: &str) -> u64 {
        let hash = hash(text);
        prefetch(&self.slots[self.home(hash)]);
        hash
    }

    /// Goes on with it: with the text that is probably found.
    #[inline]
    pub(super) fn ask_on(&self, hash: u64) {
        let slot = self.slots[self.home(hash)];
        self.entries.texts().joined().as_bytes().get(slot.start as usize).into_iter().for_each(prefetch);
    }

    /// The entry with a text, by its hash.
    #[inline]
    pub(super) fn look_up(&self, hash: u64, text: &str) -> Option<usize> {
        self.place(hash, text).ok()
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }

    /// The entry of a text, or the slot where it would be put.
    #[inline]
    fn place(&self, hash: u64, text: &str) -> Result<usize, usize> {
        let mut place = self.home(hash);
        loop {
            let Slot { tag, entry, start } = self.slots[place];
            if entry == EMPTY.entry {
                return Err(place);
            }
            if tag == hash as u32 && self.entries.texts().is_at(entry as usize, start as usize, text) {
                return Ok(entry as usize);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }
}

/// The high bits are the best.
#[inline]
fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_text_and_no_other() {
        let texts: Vec<String> =
            (0..2000_u32).map(|number| "ab\u{436}".repeat(number as usize % 9) + &number.to_string()).collect();
        let entries: Entries = texts.iter().zip(7..).map(|(text, id)| (text.as_str(), id)).collect();
        let index = Index::of(&entries).ok().unwrap();
        for (text, id) in texts.iter().zip(7..) {
            assert_eq!(index.get(text), Some(id));
        }
        assert_eq!([index.get(""), index.get("x"), index.get("ab")], [None; 3]);
        assert_eq!(Index::of(&Entries::default()).ok().unwrap().get("a"), None);
    }

    #[test]
    fn the_first_repetition_is_named() {
        let entries: Entries = [("a", 1), ("b", 2), ("c", 3), ("b", 4), ("a", 5)].into_iter().collect();
        assert_eq!(Index::of(&entries).err(), Some((1, 3)));
    }
}
