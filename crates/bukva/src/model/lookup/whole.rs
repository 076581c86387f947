//! The whole-vocabulary table: pieces that are certainly one token. Read-only, shared by all threads.

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};
use xxhash_rust::xxh3::xxh3_64;

use super::key::{Key, ShortKey};
use crate::block::{Block, Bytes, Sections, damaged};
use crate::error::Result;
use crate::huge;
use crate::prefetch::prefetch;

const SLOTS: &str = "bpe.whole";
const LONG_SLOTS: &str = "bpe.long.slots";
const LONG_ENDS: &str = "bpe.long.ends";
const LONG_IDS: &str = "bpe.long.ids";
const LONG_BYTES: &str = "bpe.long.bytes";

/// Piece → id. 24 bytes a slot for pieces up to 15 bytes, at most two thirds of the slots used; longer ones apart.
#[derive(Debug)]
pub(in crate::model) struct Whole {
    slots: Block<Slot>,
    shift: u32,
    longer: Longer,
}

#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Slot {
    key: [u64; 2],
    id: u32,
    /// Zero; keeps the size a multiple of 8.
    filler: u32,
}

const VACANT: Slot = Slot { key: ShortKey::VACANT.0, id: 0, filler: 0 };

impl Whole {
    /// Builds the table; of equal pieces the first counts. The pieces are asked for twice. O(bytes).
    pub(in crate::model) fn build<'a>(pieces: impl Iterator<Item = (&'a [u8], u32)> + Clone) -> Self {
        let capacity = (pieces.clone().count() * 3 / 2).next_power_of_two().max(64);
        let (mut slots, shift) = (huge::vec(VACANT, capacity), shift(capacity));
        let mut longer = Vec::new();
        for (piece, id) in pieces {
            if piece.len() <= ShortKey::LONGEST {
                insert(&mut slots, shift, ShortKey::new(piece), id);
            } else {
                longer.push((piece, id));
            }
        }
        Whole { slots: slots.into(), shift, longer: Longer::build(&longer) }
    }

    /// The table as an image holds it.
    pub(in crate::model) fn sections(&self) -> Vec<Bytes<'_>> {
        vec![
            (SLOTS, Cow::Borrowed(bytemuck::cast_slice(&self.slots))),
            (LONG_SLOTS, Cow::Borrowed(bytemuck::cast_slice(&self.longer.slots))),
            (LONG_ENDS, Cow::Borrowed(bytemuck::cast_slice(&self.longer.ends))),
            (LONG_IDS, Cow::Borrowed(bytemuck::cast_slice(&self.longer.ids))),
            (LONG_BYTES, Cow::Borrowed(&self.longer.bytes)),
        ]
    }

    /// The table of an image. O(longer pieces): every search ends inside the tables.
    pub(in crate::model) fn of_sections(sections: &Sections) -> Result<Self> {
        let slots: Block<Slot> = sections.block(SLOTS)?;
        let vacant = slots.iter().any(|slot| slot.key == VACANT.key);
        if !slots.len().is_power_of_two() || slots.len() < 2 || !vacant {
            return Err(damaged(format!("a table of whole tokens of {} slots, or a full one", slots.len())));
        }
        Ok(Whole { shift: shift(slots.len()), slots, longer: Longer::of_sections(sections)? })
    }

    /// Begins to load what [`Whole::short`] will look at.
    #[inline(always)]
    pub(in crate::model) fn prefetch(&self, key: ShortKey) {
        prefetch(&self.slots[(key.hash() >> self.shift) as usize & (self.slots.len() - 1)]);
    }

    /// The id of a piece of at most 15 bytes. O(1).
    #[inline]
    pub(in crate::model) fn short(&self, key: ShortKey) -> Option<u32> {
        let slots = &self.slots[..];
        let mask = slots.len() - 1;
        let mut index = (key.hash() >> self.shift) as usize;
        loop {
            let slot = &slots[index & mask];
            if slot.key == key.0 {
                return Some(slot.id);
            }
            if slot.key == VACANT.key {
                return None;
            }
            index += 1;
        }
    }

    /// The id of a piece. O(bytes).
    pub(in crate::model) fn get(&self, piece: &[u8]) -> Option<u32> {
        if piece.len() > ShortKey::LONGEST {
            return self.long(piece);
        }
        self.short(ShortKey::new(piece))
    }

    /// The id of a longer piece. O(bytes), O(1) beyond the longest entry.
    #[inline]
    pub(in crate::model) fn long(&self, piece: &[u8]) -> Option<u32> {
        if piece.len() > self.longer.longest { None } else { self.longer.get(piece) }
    }
}

fn shift(capacity: usize) -> u32 {
    64 - capacity.trailing_zeros()
}

fn insert(slots: &mut [Slot], shift: u32, key: ShortKey, id: u32) {
    let mut index = (key.hash() >> shift) as usize;
    while slots[index].key != Key::VACANT.0 {
        if slots[index].key == key.0 {
            return;
        }
        index = (index + 1) & (slots.len() - 1);
    }
    slots[index] = Slot { key: key.0, id, filler: 0 };
}

/// Pieces of more than 15 bytes: open addressing over their numbers, by XXH3.
#[derive(Debug)]
struct Longer {
    slots: Block<u32>,
    /// End of each piece in `bytes`.
    ends: Block<u32>,
    ids: Block<u32>,
    bytes: Block<u8>,
    longest: usize,
}

const NOTHING: u32 = u32::MAX;

impl Longer {
    fn build(pieces: &[(&[u8], u32)]) -> Self {
        let mut slots = vec![NOTHING; (pieces.len() * 2).next_power_of_two().max(2)];
        let mut longer = Longer::empty();
        let (mut ends, mut ids, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        for &(piece, id) in pieces {
            let mut at = xxh3_64(piece) as usize & (slots.len() - 1);
            let text = |number: u32| {
                let start = (number as usize).checked_sub(1).map_or(0, |before| ends[before] as usize);
                &bytes[start..ends[number as usize] as usize]
            };
            while slots[at] != NOTHING && text(slots[at]) != piece {
                at = (at + 1) & (slots.len() - 1);
            }
            if slots[at] == NOTHING {
                slots[at] = ids.len() as u32;
                bytes.extend_from_slice(piece);
                ends.push(bytes.len() as u32);
                ids.push(id);
                longer.longest = longer.longest.max(piece.len());
            }
        }
        Longer { slots: slots.into(), ends: ends.into(), ids: ids.into(), bytes: bytes.into(), ..longer }
    }

    fn empty() -> Self {
        let slots = vec![NOTHING; 2].into();
        Longer { slots, ends: Block::default(), ids: Block::default(), bytes: Block::default(), longest: 0 }
    }

    fn of_sections(sections: &Sections) -> Result<Self> {
        let (slots, ends): (Block<u32>, Block<u32>) = (sections.block(LONG_SLOTS)?, sections.block(LONG_ENDS)?);
        let (ids, bytes): (Block<u32>, Block<u8>) = (sections.block(LONG_IDS)?, sections.block(LONG_BYTES)?);
        let known = slots.iter().all(|&number| number == NOTHING || (number as usize) < ids.len());
        let whole = slots.len().is_power_of_two() && slots.contains(&NOTHING) && ids.len() == ends.len();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let lengths = ends.iter().zip(starts).map(|(&end, start)| end.checked_sub(start));
        let longest = lengths.clone().max().flatten().unwrap_or(0) as usize;
        let in_order = lengths.into_iter().all(|length| length.is_some());
        if !known || !whole || !in_order || ends.last().is_some_and(|&end| end as usize > bytes.len()) {
            return Err(damaged("the table of long tokens contradicts itself"));
        }
        Ok(Longer { slots, ends, ids, bytes, longest })
    }

    fn get(&self, piece: &[u8]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = xxh3_64(piece) as usize & mask;
        loop {
            let number = self.slots[at];
            if number == NOTHING {
                return None;
            }
            if self.piece(number as usize) == piece {
                return Some(self.ids[number as usize]);
            }
            at = (at + 1) & mask;
        }
    }

    fn piece(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.bytes[start..self.ends[number] as usize]
    }
}
