//! Characters that are one symbol, in a table that stays near the processor.
//!
//! Nearly all characters of a text are such. Four bytes a character instead of the twelve of [`Entry`], and the
//! forbidden neighbours of both sides in one place: there are few different ones.

use rustc_hash::FxHashMap;

use super::characters::{ByteSet, Entry};
use super::number::NO_SYMBOL;
use super::pairs::SYMBOL_BITS;

/// For each character its symbol, below the number of its neighbours. 256 KB.
#[derive(Debug)]
pub(super) struct Single {
    entries: Box<[u32]>,
    neighbours: Vec<Neighbours>,
}

/// The bytes that must not stand before and behind a character.
#[derive(Debug)]
struct Neighbours {
    not_after: ByteSet,
    not_before: ByteSet,
}

/// Not one symbol.
const NOT_HERE: u32 = u32::MAX;
const SYMBOL: u32 = (1 << SYMBOL_BITS) - 1;
/// The most different neighbours that have numbers.
const MOST: usize = (1 << (32 - SYMBOL_BITS)) - 1;

impl Single {
    pub(super) fn new(entries: &[Entry], sets: &[ByteSet]) -> Self {
        let (mut numbers, mut neighbours) = (FxHashMap::default(), Vec::new());
        let entry = |entry: &Entry| {
            if entry.first == NO_SYMBOL || entry.second != NO_SYMBOL {
                return NOT_HERE;
            }
            let number = *numbers.entry((entry.not_after, entry.not_before)).or_insert_with(|| {
                let set = |number: u16| sets[usize::from(number)];
                neighbours.push(Neighbours { not_after: set(entry.not_after), not_before: set(entry.not_before) });
                neighbours.len() - 1
            });
            if number < MOST { (number as u32) << SYMBOL_BITS | entry.first } else { NOT_HERE }
        };
        Single { entries: entries.iter().map(entry).collect(), neighbours }
    }

    /// The symbol of the character `unit` at `start..end` of `piece`, if it is one symbol between its neighbours. O(1).
    #[inline(always)]
    pub(super) fn get(&self, unit: u32, piece: &[u8], start: usize, end: usize) -> Option<u32> {
        let entry = *self.entries.get(unit as usize).filter(|&&entry| entry != NOT_HERE)?;
        let Neighbours { not_after, not_before } = &self.neighbours[(entry >> SYMBOL_BITS) as usize];
        let holds = |set: &ByteSet, byte: u8| set[usize::from(byte / 64)] >> (byte % 64) & 1 == 1;
        let fits = (start == 0 || !holds(not_after, piece[start - 1]))
            && piece.get(end).is_none_or(|&next| !holds(not_before, next));
        fits.then_some(entry & SYMBOL)
    }
}
