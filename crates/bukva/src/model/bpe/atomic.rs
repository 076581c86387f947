//! Atomic characters: characters of two to four bytes that always become one symbol first, whatever is around them.
//!
//! Merging a character's bytes passes through states; in each, its first symbol may be the right part and its last
//! symbol the left part of a merge with the outside. Where every such merge has a higher rank than the merge that
//! the character itself makes next, the character is whole before anything crosses its edge. A piece may then start
//! from the whole character.

use super::number::{NO_SYMBOL, NumberedMerge};
use super::pairs::{NO_RANK, Pairs};
use super::short::Work;
use super::units::UnitTable;
use crate::spec::Vocab;

/// The atomic characters of a byte model whose bytes have the symbols `bytes`, by code point. O(vocabulary).
pub(super) fn atomic_characters(
    vocab: &Vocab,
    bytes: &[u32; 256],
    merges: &[NumberedMerge],
    pairs: &Pairs,
) -> UnitTable {
    let edges = Edges::new(merges);
    let mut table = UnitTable::new();
    let mut work = Work::default();
    for c in vocab.iter().filter_map(|entry| wide_character(entry.bytes)) {
        let symbol = edges.whole(c, bytes, pairs, &mut work);
        if symbol != NO_SYMBOL {
            table.set(u32::from(c), symbol);
        }
    }
    table
}

/// The one character of several bytes that a token spells.
fn wide_character(token: &[u8]) -> Option<char> {
    let token = std::str::from_utf8(token.get(..4).unwrap_or(token)).ok().filter(|_| (2..=4).contains(&token.len()))?;
    let mut chars = token.chars();
    chars.next().filter(|_| chars.as_str().is_empty())
}

/// For each symbol the lowest rank of a merge that has it as left part, and as right part.
struct Edges {
    as_left: Vec<u32>,
    as_right: Vec<u32>,
}

impl Edges {
    fn new(merges: &[NumberedMerge]) -> Self {
        let highest = merges.iter().map(|merge| merge.left.max(merge.right).max(merge.product)).max().unwrap_or(0);
        let count = highest.max(255) as usize + 1;
        let mut edges = Edges { as_left: vec![NO_RANK; count], as_right: vec![NO_RANK; count] };
        for merge in merges {
            let left = &mut edges.as_left[merge.left as usize];
            *left = merge.rank.min(*left);
            let right = &mut edges.as_right[merge.right as usize];
            *right = merge.rank.min(*right);
        }
        edges
    }

    /// The symbol of `c` if it is atomic.
    fn whole(&self, c: char, bytes: &[u32; 256], pairs: &Pairs, work: &mut Work) -> u32 {
        let mut utf8 = [0; 4];
        let spelled = c.encode_utf8(&mut utf8).as_bytes();
        let mut state: Vec<u32> = spelled.iter().map(|&byte| bytes[usize::from(byte)]).collect();
        work.symbols[..state.len()].copy_from_slice(&state);
        let mut is_safe = true;
        let left_over = work.merge(pairs, spelled.len(), |rank, left, right| {
            let (first, last) = (state[0], state[state.len() - 1]);
            is_safe &= self.as_right[first as usize] > rank && self.as_left[last as usize] > rank;
            replace(&mut state, left, right, pairs.product(rank));
        });
        if is_safe && left_over == 1 { state[0] } else { NO_SYMBOL }
    }
}

/// Replaces the leftmost occurrence of a pair by its product.
fn replace(state: &mut Vec<u32>, left: u32, right: u32, product: u32) {
    if let Some(at) = state.windows(2).position(|pair| pair == [left, right]) {
        state.splice(at..at + 2, [product]);
    }
}
