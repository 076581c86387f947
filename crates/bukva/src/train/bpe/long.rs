//! Long words: linked symbols, so that a merge costs the same wherever it happens.
//!
//! A record is rewritten as a whole, which is best for words of a few symbols and quadratic for a word of a million.
//! Here a posting is the position of one symbol, and a merge relinks its neighbours: O(1).

use super::sides::Sides;
use crate::train::tie_break::{Occurrence, Pair};

/// No symbol: a cell that was merged away, or the end of a word.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
struct LongWord {
    /// First position behind the word.
    end: u32,
    count: u64,
    /// Start of the first record that lies behind this word in the corpus.
    anchor: u32,
}

/// All long words, one behind the other. A symbol keeps its position until it is merged into its left neighbour.
#[derive(Debug, Default)]
pub(super) struct LongWords {
    symbols: Vec<u32>,
    previous: Vec<u32>,
    next: Vec<u32>,
    words: Vec<LongWord>,
}

impl LongWords {
    /// Adds a word whose symbols `spell` appends; `anchor` is the start of the next record.
    pub(super) fn push(&mut self, count: u64, anchor: u32, spell: impl FnOnce(&mut Vec<u32>)) {
        let start = self.symbols.len();
        spell(&mut self.symbols);
        let end = self.symbols.len();
        self.previous.extend((start..end).map(|at| if at == start { NONE } else { at as u32 - 1 }));
        self.next.extend((start..end).map(|at| if at + 1 == end { NONE } else { at as u32 + 1 }));
        self.words.push(LongWord { end: end as u32, count, anchor });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn word_of(&self, position: u32) -> &LongWord {
        &self.words[self.words.partition_point(|word| word.end <= position)]
    }

    /// The right symbol's position if the pair stands at `position`.
    #[inline]
    fn find(&self, pair: Pair, position: u32) -> Option<u32> {
        let at = position as usize;
        let next = self.next[at];
        (self.symbols[at] == pair.left && next != NONE && self.symbols[next as usize] == pair.right).then_some(next)
    }

    /// Merges the pair at `position` if it is there. O(log words).
    pub(super) fn merge(&mut self, pair: Pair, product: u32, position: u32, base: u32, sides: &mut Sides) {
        let Some(right) = self.find(pair, position) else { return };
        let weight = self.word_of(position).count;
        let (before, after) = (self.previous[position as usize], self.next[right as usize]);
        if before != NONE {
            sides.left.add(self.symbols[before as usize], weight, base + before);
        }
        if after != NONE {
            sides.right.add(self.symbols[after as usize], weight, base + position);
            self.previous[after as usize] = position;
        }
        self.symbols[position as usize] = product;
        self.symbols[right as usize] = NONE;
        self.next[position as usize] = after;
    }

    /// Shows every pair with its weight and position, in order. Stops at the first error.
    pub(super) fn walk<E>(&self, mut see: impl FnMut(Pair, u64, u32) -> Result<(), E>) -> Result<(), E> {
        let mut start = 0;
        for word in &self.words {
            let (mut at, mut next) = (start, self.next[start as usize]);
            while next != NONE {
                see(Pair::new(self.symbols[at as usize], self.symbols[next as usize]), word.count, at)?;
                (at, next) = (next, self.next[next as usize]);
            }
            start = word.end;
        }
        Ok(())
    }

    /// Where the pair stands, if it stands at `position`.
    pub(super) fn occurrence(&self, pair: Pair, position: u32) -> Option<Occurrence> {
        self.find(pair, position)?;
        // Even numbers: in front of the record that begins at the anchor.
        Some(Occurrence { word: 2 * u64::from(self.word_of(position).anchor), offset: position })
    }

    /// Moves the anchors as the records have moved: `moved` maps starts in rising order.
    pub(super) fn move_anchors(&mut self, mut moved: impl FnMut(u32) -> u32) {
        for word in &mut self.words {
            word.anchor = moved(word.anchor);
        }
    }
}
