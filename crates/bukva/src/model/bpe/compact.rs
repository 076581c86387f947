//! Characters that are one or two symbols, in a table that stays near the processor.
//!
//! Nearly all characters of a text are such. Eight bytes a character instead of the twelve of [`Entry`], and the
//! forbidden neighbours of both sides in one place: there are few different ones.

use rustc_hash::FxHashMap;

use super::characters::{ByteSet, Entry};
use super::number::NO_SYMBOL;
use super::pairs::SYMBOL_BITS;
use crate::model::Span;

/// For each character its symbols, below the number of its neighbours. 512 KB.
#[derive(Debug)]
pub(super) struct Compact {
    entries: Box<[u64]>,
    neighbours: Vec<Neighbours>,
}

/// The bytes that must not stand before and behind a character.
#[derive(Debug)]
struct Neighbours {
    not_after: ByteSet,
    not_before: ByteSet,
}

/// Not here.
const NOT_HERE: u64 = u64::MAX;
/// The bits of a symbol; as a second one: none.
const SYMBOL: u64 = (1 << SYMBOL_BITS) - 1;
/// The most different neighbours that have numbers.
const MOST: usize = 1 << 20;

impl Compact {
    pub(super) fn new(entries: &[Entry], sets: &[ByteSet]) -> Self {
        let (mut numbers, mut neighbours) = (FxHashMap::default(), Vec::new());
        let entry = |entry: &Entry| {
            if entry.first == NO_SYMBOL {
                return NOT_HERE;
            }
            let number = *numbers.entry((entry.not_after, entry.not_before)).or_insert_with(|| {
                let set = |number: u16| sets[usize::from(number)];
                neighbours.push(Neighbours { not_after: set(entry.not_after), not_before: set(entry.not_before) });
                neighbours.len() - 1
            });
            let symbols = u64::from(entry.second) & SYMBOL | u64::from(entry.first) << SYMBOL_BITS;
            if number < MOST { (number as u64) << (2 * SYMBOL_BITS) | symbols } else { NOT_HERE }
        };
        Compact { entries: entries.iter().map(entry).collect(), neighbours }
    }

    /// Writes the symbols of the character `unit` at a span of `piece`, if it may start whole between its neighbours.
    /// Returns how many there are, or zero. O(1).
    ///
    /// # Panics
    /// If `symbols` has no room for two.
    #[inline(always)]
    pub(super) fn start(&self, unit: u32, piece: &[u8], (start, end): Span, symbols: &mut [u32]) -> usize {
        let Some(&entry) = self.entries.get(unit as usize).filter(|&&entry| entry != NOT_HERE) else { return 0 };
        let Neighbours { not_after, not_before } = &self.neighbours[(entry >> (2 * SYMBOL_BITS)) as usize];
        let holds = |set: &ByteSet, byte: u8| set[usize::from(byte / 64)] >> (byte % 64) & 1 == 1;
        let fits = (start == 0 || !holds(not_after, piece[start - 1]))
            && piece.get(end).is_none_or(|&next| !holds(not_before, next));
        if !fits {
            return 0;
        }
        let second = entry & SYMBOL;
        (symbols[0], symbols[1]) = ((entry >> SYMBOL_BITS & SYMBOL) as u32, second as u32);
        1 + usize::from(second != SYMBOL)
    }
}
