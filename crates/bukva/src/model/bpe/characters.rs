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

use rustc_hash::FxHashMap;

use super::edges::Edges;
use super::number::NO_SYMBOL;
use super::pairs::Pairs;
use super::units::code_point;

/// Characters of two and three bytes.
const CHARACTERS: std::ops::Range<u32> = 0x80..0x1_0000;

/// For each character its symbols and the neighbours it must not have. 0.8 MB and the sets.
#[derive(Debug)]
pub(super) struct Characters {
    bytes: Box<[u32; 256]>,
    entries: Box<[Entry]>,
    sets: Vec<ByteSet>,
}

/// What a character becomes, and which sets of bytes forbid it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// [`NO_SYMBOL`] if the character must start from its bytes.
    first: u32,
    /// [`NO_SYMBOL`] if the character is one symbol.
    second: u32,
    not_after: u16,
    not_before: u16,
}

/// A set of byte values.
type ByteSet = [u64; 4];

impl Characters {
    /// Finds the shortcuts of a model whose bytes have the symbols `bytes`. About 0.2 µs a character.
    pub(super) fn new(bytes: [u32; 256], pairs: &Pairs, edges: &Edges) -> Self {
        let nothing = Entry { first: NO_SYMBOL, second: NO_SYMBOL, not_after: 0, not_before: 0 };
        let mut characters = Characters {
            bytes: Box::new(bytes),
            entries: vec![nothing; CHARACTERS.end as usize].into(),
            sets: Vec::new(),
        };
        let mut numbers = FxHashMap::default();
        for c in CHARACTERS.filter_map(char::from_u32) {
            if let Some(steps) = Steps::of(c, &bytes, pairs, edges) {
                characters.note(c, &steps, &mut numbers);
            }
        }
        characters
    }

    fn note(&mut self, c: char, steps: &Steps, numbers: &mut FxHashMap<ByteSet, u16>) {
        let mut number = |set| {
            let next = u16::try_from(self.sets.len()).ok();
            let number = numbers.get(&set).copied().or(next)?;
            if usize::from(number) == self.sets.len() {
                self.sets.push(set);
                numbers.insert(set, number);
            }
            Some(number)
        };
        if let (Some(not_after), Some(not_before)) = (number(steps.not_after), number(steps.not_before)) {
            let second = if steps.count == 2 { steps.state[1] } else { NO_SYMBOL };
            self.entries[c as usize] = Entry { first: steps.state[0], second, not_after, not_before };
        }
    }

    /// Emits the symbols to start from. `piece` is valid UTF-8. O(bytes).
    #[inline]
    pub(super) fn start(&self, piece: &[u8], mut emit: impl FnMut(u32)) {
        let mut at = 0;
        while at < piece.len() {
            let (unit, len) = code_point(&piece[at..]).unwrap_or((0, 1));
            let end = at + len;
            match self.entries.get(unit as usize).filter(|_| len > 1) {
                Some(entry) if self.fits(entry, piece, at, end) => {
                    emit(entry.first);
                    if entry.second != NO_SYMBOL {
                        emit(entry.second);
                    }
                }
                _ => piece[at..end].iter().for_each(|&byte| emit(self.bytes[usize::from(byte)])),
            }
            at = end;
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
