//! Starting from whole characters in a byte model, where that is proven to change nothing.
//!
//! Alone, the bytes of a character merge in steps with ranks r1, r2, …, and end in one or two symbols. Inside a piece
//! a merge may cross the character's edge instead: one whose right part is the character's first symbol in some step,
//! or whose left part is its last. If each crossing merge that the neighbouring byte allows
//!
//! - has a higher rank than the step that is due, then the character takes all its steps undisturbed;
//! - has a higher rank than all steps, once they are taken, then taking them at once overtakes nothing.
//!
//! Both together make the shortcut exact. The neighbouring bytes that allow a lower rank form a small set for each
//! edge of each character; few sets are different.

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};
use rustc_hash::FxHashMap;

use super::compact::Compact;
use super::edges::Edges;
use super::number::NO_SYMBOL;
use super::pairs::Pairs;
use super::units::code_point;
use crate::block::{Block, Bytes, Sections, damaged};
use crate::error::Result;
use crate::model::Span;

const ENTRIES: &str = "bpe.characters";
const SETS: &str = "bpe.sets";

/// Characters of two and three bytes.
const CHARACTERS: std::ops::Range<u32> = 0x80..0x1_0000;

/// For each character its symbols and the neighbours it must not have. 1.3 MB and the sets.
#[derive(Debug)]
pub(super) struct Characters {
    bytes: Box<[u32; 256]>,
    entries: Block<Entry>,
    sets: Block<ByteSet>,
    compact: Compact,
}

/// What a character becomes, and which sets of bytes forbid it.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Entry {
    /// [`NO_SYMBOL`] if the character must start from its bytes.
    pub first: u32,
    /// [`NO_SYMBOL`] if the character is one symbol.
    pub second: u32,
    pub not_after: u16,
    pub not_before: u16,
}

/// A set of byte values.
pub(super) type ByteSet = [u64; 4];

impl Characters {
    /// Finds the shortcuts of a model whose bytes have the symbols `bytes`. About 0.2 µs a character.
    pub(super) fn new(bytes: [u32; 256], pairs: &Pairs, edges: &Edges) -> Self {
        let nothing = Entry { first: NO_SYMBOL, second: NO_SYMBOL, not_after: 0, not_before: 0 };
        let mut entries = vec![nothing; CHARACTERS.end as usize];
        let mut sets = Sets::default();
        for c in CHARACTERS.filter_map(char::from_u32) {
            let entry = Steps::of(c, &bytes, pairs, edges).and_then(|steps| steps.entry(&mut sets));
            entry.into_iter().for_each(|entry| entries[c as usize] = entry);
        }
        Characters::with_tables(bytes, entries.into(), sets.list.into())
    }

    fn with_tables(bytes: [u32; 256], entries: Block<Entry>, sets: Block<ByteSet>) -> Self {
        Characters { bytes: Box::new(bytes), compact: Compact::new(&entries, &sets), entries, sets }
    }

    /// The symbols of the bytes.
    pub(super) fn bytes(&self) -> &[u32; 256] {
        &self.bytes
    }

    /// All symbols that pieces may start from, some of them repeatedly.
    pub(super) fn symbols(&self) -> impl Iterator<Item = u32> {
        let whole = self.entries.iter().flat_map(|entry| [entry.first, entry.second]);
        self.bytes.iter().copied().chain(whole).filter(|&symbol| symbol != NO_SYMBOL)
    }

    /// The table as an image holds it.
    pub(super) fn sections(&self) -> Vec<Bytes<'_>> {
        vec![
            (ENTRIES, Cow::Borrowed(bytemuck::cast_slice(&self.entries))),
            (SETS, Cow::Borrowed(bytemuck::cast_slice(&self.sets))),
        ]
    }

    /// The table of an image, for a model of `symbols` symbols. O(characters): every symbol and set is there.
    pub(super) fn of_sections(sections: &Sections, bytes: [u32; 256], symbols: usize) -> Result<Self> {
        let (entries, sets): (Block<Entry>, Block<ByteSet>) = (sections.block(ENTRIES)?, sections.block(SETS)?);
        let known = |symbol: u32| symbol == NO_SYMBOL || (symbol as usize) < symbols;
        let fits = |entry: &Entry| {
            let absent = entry.first == NO_SYMBOL;
            let sets = usize::from(entry.not_after.max(entry.not_before)) < sets.len();
            known(entry.first) && known(entry.second) && (absent || sets)
        };
        if entries.len() != CHARACTERS.end as usize || !entries.iter().all(fits) {
            return Err(damaged("the table of characters names symbols or sets that are not there"));
        }
        Ok(Characters::with_tables(bytes, entries, sets))
    }

    /// Writes the symbols to start from and returns how many there are. `piece` is valid UTF-8. O(bytes).
    ///
    /// # Panics
    /// If `symbols` is shorter than `piece`.
    #[inline]
    pub(super) fn start(&self, piece: &[u8], symbols: &mut [u32]) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Some(&first) = piece.get(at) {
            if first < 0x80 {
                symbols[count] = self.bytes[usize::from(first)];
                (at, count) = (at + 1, count + 1);
                continue;
            }
            let (unit, length) = code_point(&piece[at..]).unwrap_or((0, 1));
            let end = at + length;
            let started = self.compact.start(unit, piece, (at, end), &mut symbols[count..]);
            count += match started {
                0 => self.start_one(unit, piece, (at, end), &mut symbols[count..]),
                started => started,
            };
            at = end;
        }
        count
    }

    /// The symbols of the character at a span; returns how many.
    #[inline(never)]
    fn start_one(&self, unit: u32, piece: &[u8], (start, end): Span, symbols: &mut [u32]) -> usize {
        match self.entries.get(unit as usize).filter(|_| end - start > 1) {
            Some(entry) if self.fits(entry, piece, start, end) => {
                symbols[0] = entry.first;
                if entry.second == NO_SYMBOL {
                    return 1;
                }
                symbols[1] = entry.second;
                2
            }
            _ => {
                let bytes = &piece[start..end];
                bytes.iter().zip(symbols).for_each(|(&byte, symbol)| *symbol = self.bytes[usize::from(byte)]);
                bytes.len()
            }
        }
    }

    /// Whether the character at `start..end` may start whole between its neighbours.
    #[inline]
    fn fits(&self, entry: &Entry, piece: &[u8], start: usize, end: usize) -> bool {
        let holds = |set: u16, byte: u8| self.sets[usize::from(set)][usize::from(byte / 64)] >> (byte % 64) & 1 == 1;
        entry.first != NO_SYMBOL
            && (start == 0 || !holds(entry.not_after, piece[start - 1]))
            && piece.get(end).is_none_or(|&next| !holds(entry.not_before, next))
    }
}

/// Sets by number, each once.
#[derive(Default)]
struct Sets {
    list: Vec<ByteSet>,
    numbers: FxHashMap<ByteSet, u16>,
}

impl Sets {
    fn number(&mut self, set: ByteSet) -> Option<u16> {
        let next = u16::try_from(self.list.len()).ok();
        let number = self.numbers.get(&set).copied().or(next)?;
        if usize::from(number) == self.list.len() {
            self.list.push(set);
            self.numbers.insert(set, number);
        }
        Some(number)
    }
}

/// The merging of one character alone.
struct Steps {
    state: [u32; 3],
    count: usize,
    not_after: ByteSet,
    not_before: ByteSet,
}

impl Steps {
    /// Merges `c` alone; `None` if nothing merges.
    fn of(c: char, bytes: &[u32; 256], pairs: &Pairs, edges: &Edges) -> Option<Self> {
        let mut utf8 = [0; 4];
        let spelled = c.encode_utf8(&mut utf8).as_bytes();
        let mut steps = Steps { state: [0; 3], count: spelled.len(), not_after: [0; 4], not_before: [0; 4] };
        spelled.iter().zip(&mut steps.state).for_each(|(&byte, symbol)| *symbol = bytes[usize::from(byte)]);
        let mut highest = None;
        while let Some((rank, at)) = steps.lowest(pairs) {
            highest = highest.max(Some(rank));
            steps.forbid_below(rank, edges);
            steps.state[at] = pairs.product(rank);
            steps.state.copy_within(at + 2.., at + 1);
            steps.count -= 1;
        }
        steps.forbid_below(highest?, edges);
        Some(steps)
    }

    /// What the character becomes; `None` where there are too many sets.
    fn entry(&self, sets: &mut Sets) -> Option<Entry> {
        let second = if self.count == 2 { self.state[1] } else { NO_SYMBOL };
        let (not_after, not_before) = (sets.number(self.not_after)?, sets.number(self.not_before)?);
        Some(Entry { first: self.state[0], second, not_after, not_before })
    }

    fn lowest(&self, pairs: &Pairs) -> Option<(u32, usize)> {
        let ranks = (1..self.count).map(|at| (pairs.rank(self.state[at - 1], self.state[at]), at - 1));
        ranks.min().filter(|&(rank, _)| rank != super::pairs::NO_RANK)
    }

    /// Forbids the neighbours that allow a merge across an edge at or below `rank` in this state.
    fn forbid_below(&mut self, rank: u32, edges: &Edges) {
        let insert = |set: &mut ByteSet, byte: u8| set[usize::from(byte / 64)] |= 1 << (byte % 64);
        for byte in edges.bytes_before(self.state[0], rank) {
            insert(&mut self.not_after, byte);
        }
        for byte in edges.bytes_after(self.state[self.count - 1], rank) {
            insert(&mut self.not_before, byte);
        }
    }
}
