//! The pair table: (left symbol, right symbol) → rank and product.
//!
//! Read-only open addressing over packed 8-byte slots, and a dense grid for the first 256 symbols, among which the
//! first look-ups of every piece fall.

use std::borrow::Cow;

use super::number::NumberedMerge;
use crate::block::{Block, Bytes, Sections, damaged};
use crate::error::Result;
use crate::huge;
use crate::prefetch::prefetch;

/// "No such rank": larger than every rank.
pub(super) const NO_RANK: u32 = u32::MAX;

/// Bits of a symbol number and of a rank.
pub(super) const SYMBOL_BITS: u32 = 21;

const EMPTY: u64 = u64::MAX;
const GRID: u32 = 256;
const RANK_MASK: u64 = (1 << SYMBOL_BITS) - 1;
/// Part of the format of images: a change needs a new version of it.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

const SLOTS: &str = "bpe.pairs";
const CORNER: &str = "bpe.corner";
const PRODUCTS: &str = "bpe.products";

/// One side of a merge that happens: the symbol, and its place among the first symbols of the piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub symbol: u32,
    pub place: u32,
}

/// All merges of a model, for look-up by pair. 8 bytes a slot, at most half of the slots used.
#[derive(Debug)]
pub(super) struct Pairs {
    slots: Block<u64>,
    shift: u32,
    grid: Block<u32>,
    products: Products,
}

/// Rank → product.
#[derive(Debug)]
enum Products {
    /// Symbols are numbered by rank: the product of rank `r` is `base + r`.
    Consecutive {
        base: u32,
    },
    Listed(Block<u32>),
}

impl Pairs {
    /// Builds the table. Of two merges of one pair the lower rank stays. O(merges).
    pub(super) fn build(merges: &[NumberedMerge]) -> Self {
        let mut slots = Slots::new(merges.len());
        merges.iter().for_each(|merge| slots.insert(merge));
        Pairs::of_slots(slots, merges)
    }

    /// The table whose slots hold `merges` already.
    pub(super) fn of_slots(Slots { slots, shift }: Slots, merges: &[NumberedMerge]) -> Self {
        let mut grid = vec![NO_RANK; (GRID * GRID) as usize];
        for merge in merges.iter().filter(|merge| (merge.left | merge.right) < GRID) {
            let rank = &mut grid[(merge.left * GRID + merge.right) as usize];
            *rank = merge.rank.min(*rank);
        }
        Pairs { slots: slots.into(), shift, grid: grid.into(), products: Products::new(merges) }
    }

    /// The table as an image holds it.
    pub(super) fn sections(&self) -> Vec<Bytes<'_>> {
        let products = match &self.products {
            Products::Consecutive { base } => Cow::Owned(base.to_le_bytes().to_vec()),
            Products::Listed(products) => Cow::Borrowed(bytemuck::cast_slice(products)),
        };
        vec![
            (SLOTS, Cow::Borrowed(bytemuck::cast_slice(&self.slots))),
            (CORNER, Cow::Borrowed(bytemuck::cast_slice(&self.grid))),
            (PRODUCTS, products),
        ]
    }

    /// The table of an image, for `ranks` ranks and `symbols` symbols. O(slots): every rank and product is one that
    /// exists, and a search ends.
    pub(super) fn of_sections(sections: &Sections, ranks: usize, symbols: usize) -> Result<Self> {
        let (slots, grid): (Block<u64>, Block<u32>) = (sections.block(SLOTS)?, sections.block(CORNER)?);
        if !slots.len().is_power_of_two() || slots.len() < 2 || grid.len() != (GRID * GRID) as usize {
            return Err(damaged(format!("a pair table of {} and {} entries", slots.len(), grid.len())));
        }
        let products: Block<u32> = sections.block(PRODUCTS)?;
        let (products, last) = match products[..] {
            [base] => (Products::Consecutive { base }, u64::from(base) + ranks as u64),
            _ if products.len() == ranks => {
                let last = products.iter().max().map_or(0, |&last| u64::from(last) + 1);
                (Products::Listed(products), last)
            }
            _ => return Err(damaged(format!("{} products for {ranks} ranks", products.len()))),
        };
        let highest = slots.iter().filter(|&&slot| slot != EMPTY).map(|slot| slot & RANK_MASK).max();
        let corner = grid.iter().filter(|&&rank| rank != NO_RANK).max().map(|&rank| u64::from(rank));
        let known = |rank: Option<u64>| rank.is_none_or(|rank| rank < ranks as u64);
        if !known(highest) || !known(corner) || last > symbols as u64 || !slots.contains(&EMPTY) {
            return Err(damaged("the pair table names ranks or symbols that are not there, or is full"));
        }
        Ok(Pairs { shift: shift(slots.len()), slots, grid, products })
    }

    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(MULTIPLIER) >> self.shift) as usize
    }

    /// The rank of the pair, or [`NO_RANK`]. O(1).
    #[inline]
    pub(super) fn rank(&self, left: u32, right: u32) -> u32 {
        if Self::is_near(left, right) {
            return self.grid[(left * GRID + right) as usize];
        }
        let key = pair_key(left, right);
        let mask = self.slots.len() - 1;
        let mut index = self.home(key);
        loop {
            let slot = self.slots[index & mask];
            if slot >> SYMBOL_BITS == key {
                return (slot & RANK_MASK) as u32;
            }
            if slot == EMPTY {
                return NO_RANK;
            }
            index += 1;
        }
    }

    /// Whether the pair is one of bytes, whose rank is near the processor.
    #[inline(always)]
    pub(super) fn is_near(left: u32, right: u32) -> bool {
        (left | right) < GRID
    }

    /// Begins to load what [`Pairs::rank`] will look at.
    #[inline(always)]
    pub(super) fn prefetch(&self, left: u32, right: u32) {
        prefetch(&self.slots[self.home(pair_key(left, right)) & (self.slots.len() - 1)]);
    }

    /// The same, if there may be something: no address depends on a decision that nothing foretells.
    #[inline(always)]
    pub(super) fn prefetch_if(&self, wanted: bool, left: u32, right: u32) {
        let home = self.home(pair_key(left, right)) & (self.slots.len() - 1);
        prefetch(&self.slots[if wanted { home } else { 0 }]);
    }

    /// The product of a rank that [`Pairs::rank`] returned. O(1).
    #[inline]
    pub(super) fn product(&self, rank: u32) -> u32 {
        match &self.products {
            Products::Consecutive { base } => base + rank,
            Products::Listed(products) => products[rank as usize],
        }
    }
}

fn shift(capacity: usize) -> u32 {
    64 - capacity.trailing_zeros()
}

/// The slots of a table that is being built.
pub(super) struct Slots {
    slots: Vec<u64>,
    shift: u32,
}

impl Slots {
    /// Room for `merges` merges.
    pub(super) fn new(merges: usize) -> Self {
        let capacity = (merges * 2).next_power_of_two().max(64);
        Slots { slots: huge::vec(EMPTY, capacity), shift: shift(capacity) }
    }

    /// Puts a merge into its slot, unless its pair has one.
    pub(super) fn insert(&mut self, merge: &NumberedMerge) {
        let key = pair_key(merge.left, merge.right);
        let index = self.place(key);
        if self.slots[index] == EMPTY {
            self.slots[index] = key << SYMBOL_BITS | u64::from(merge.rank);
        }
    }

    /// The rank of the pair, or [`NO_RANK`]. O(1).
    pub(super) fn rank(&self, left: u32, right: u32) -> u32 {
        match self.slots[self.place(pair_key(left, right))] {
            EMPTY => NO_RANK,
            slot => (slot & RANK_MASK) as u32,
        }
    }

    /// Where the pair is, or where it would be put.
    fn place(&self, key: u64) -> usize {
        let mut index = (key.wrapping_mul(MULTIPLIER) >> self.shift) as usize;
        while self.slots[index] != EMPTY && self.slots[index] >> SYMBOL_BITS != key {
            index = (index + 1) & (self.slots.len() - 1);
        }
        index
    }
}

impl Products {
    fn new(merges: &[NumberedMerge]) -> Self {
        let Some(first) = merges.first() else { return Products::Consecutive { base: 0 } };
        if merges.iter().all(|merge| merge.product == first.product + merge.rank) {
            return Products::Consecutive { base: first.product };
        }
        let mut products: Vec<u32> = Vec::with_capacity(merges.len());
        for merge in merges {
            if merge.rank as usize == products.len() {
                products.push(merge.product);
            }
        }
        Products::Listed(products.into())
    }
}

/// A hash of a pair; the high bits are the best.
#[inline]
pub(super) fn pair_hash(left: u32, right: u32) -> u64 {
    pair_key(left, right).wrapping_mul(MULTIPLIER)
}

#[inline]
fn pair_key(left: u32, right: u32) -> u64 {
    u64::from(left) << SYMBOL_BITS | u64::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(rank: u32, left: u32, right: u32, product: u32) -> NumberedMerge {
        NumberedMerge { rank, left, right, product }
    }

    #[test]
    fn finds_every_pair_and_no_other() {
        let merges: Vec<_> =
            (0..5000).map(|rank| merge(rank, rank * 7 % 900, rank / 900 + 300, 10_000 + rank)).collect();
        let pairs = Pairs::build(&merges);
        for wanted in &merges {
            let first = merges.iter().find(|other| (other.left, other.right) == (wanted.left, wanted.right)).unwrap();
            assert_eq!(pairs.rank(wanted.left, wanted.right), first.rank);
            assert_eq!(pairs.product(wanted.rank), wanted.product);
        }
        assert_eq!(pairs.rank(1, 299), NO_RANK);
        assert_eq!(pairs.rank(299, 1), NO_RANK);
    }

    #[test]
    fn small_symbols_use_the_grid() {
        let pairs = Pairs::build(&[merge(0, 3, 255, 900), merge(1, 255, 3, 700)]);
        assert_eq!(pairs.rank(3, 255), 0);
        assert_eq!(pairs.rank(255, 3), 1);
        assert_eq!(pairs.product(1), 700);
        assert_eq!(pairs.rank(3, 3), NO_RANK);
        assert_eq!(pairs.rank(256, 3), NO_RANK);
    }

    #[test]
    fn no_merges_at_all() {
        assert_eq!(Pairs::build(&[]).rank(1, 2), NO_RANK);
    }
}
