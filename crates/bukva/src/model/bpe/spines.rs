//! Canonical pairs without merging a single token: by looking along the edge between its two halves.
//!
//! Let a merge make its product from two tokens that were made at lower ranks. It happens when the product's bytes
//! stand alone exactly if both halves come about as if each stood alone, that is, if nothing merges across the edge
//! between them before. At every moment only two symbols touch the edge: the last of the left half and the first of
//! the right half, and going back in rank they change only where the last merge on one of the two edges (spines) is
//! undone. So it is enough to ask at each of these moments whether the two symbols that touch have a rank at which
//! they would have merged. Among equal ranks the leftmost place is first: a merge across the edge comes behind one in
//! the left half and before one in the right half.
//!
//! This is exact as long as the halves of every merge that happens were made at lower ranks, as in every trained
//! vocabulary. Merges with a half that is made later are given back as doubtful where nothing else makes their product.
//! What was found is exact for every token that has no doubtful product in its bytes: the shortest token for which it were
//! not would contradict one of the two. The same idea is in the `bpe` crate of github/rust-gems, for rank files.

use super::number::{NumberedMerge, Numbering};
use super::pairs::{NO_RANK, Slots, pair_hash};
use crate::spec::{Bpe, Merge};

/// The merges that happen if no doubtful one does: by rank from 0, at most one a product.
pub(super) struct Happening {
    pub(super) merges: Vec<NumberedMerge>,
    /// The rank of each in the specification.
    pub(super) ranks: Vec<u32>,
    pub(super) slots: Slots,
    /// Merges with a half that is made later, of products that nothing else makes.
    pub(super) doubtful: Vec<Merge>,
}

/// Finds the merges that happen; each product gets its symbol here. `None` where different products share a rank, or a
/// product is a first symbol. About 0.1 µs a merge. First symbols must not depend on their place.
pub(super) fn find(bpe: &Bpe, numbering: &mut Numbering) -> Option<Happening> {
    let shares = |pair: &[Merge]| pair[0].rank == pair[1].rank && pair[0].product != pair[1].product;
    if bpe.merges.windows(2).any(shares) || !bpe.merges.is_sorted_by_key(|merge| merge.rank) {
        return None;
    }
    let mut spines = Spines::new(numbering.len(), bpe.merges.len().min(bpe.vocab.len()));
    let (mut ranks, mut waiting) = (Vec::with_capacity(spines.made.capacity()), Vec::new());
    for merge in &bpe.merges {
        let made = |id| numbering.known_symbol(id);
        match made(merge.product) {
            Some(product) if spines.is_made(product) => continue,
            // A first symbol that is also made by a merge: nothing here is about such models.
            Some(_) => return None,
            None => {}
        }
        match (made(merge.left), made(merge.right)) {
            (Some(left), Some(right)) if spines.fit(left, right) => {
                let product = numbering.symbol(merge.product);
                spines.make(NumberedMerge { rank: spines.made.len() as u32, left, right, product });
                ranks.push(merge.rank);
            }
            (Some(_), Some(_)) => {}
            _ => waiting.push(merge),
        }
    }
    let made = |id| numbering.known_symbol(id).is_some();
    let late = waiting.into_iter().filter(|merge| !made(merge.product) && made(merge.left) && made(merge.right));
    Some(Happening { doubtful: late.copied().collect(), merges: spines.made, ranks, slots: spines.slots })
}

/// The merges found so far. Products are numbered as they are made, behind the first symbols.
struct Spines {
    units: u32,
    made: Vec<NumberedMerge>,
    slots: Slots,
    known: Known,
}

impl Spines {
    fn new(units: usize, merges: usize) -> Self {
        Spines {
            units: units as u32,
            made: Vec::with_capacity(merges),
            slots: Slots::new(merges),
            known: Known::new(merges),
        }
    }

    fn is_made(&self, symbol: u32) -> bool {
        self.halves(symbol).is_some()
    }

    fn make(&mut self, merge: NumberedMerge) {
        self.slots.insert(&merge);
        self.known.insert(merge.left, merge.right);
        self.made.push(merge);
    }

    /// The halves and the rank of the merge that makes a symbol; `None` for first symbols.
    #[inline]
    fn halves(&self, symbol: u32) -> Option<&NumberedMerge> {
        self.made.get(symbol.wrapping_sub(self.units) as usize)
    }

    /// The rank of a pair, or [`NO_RANK`].
    #[inline]
    fn rank(&self, left: u32, right: u32) -> u32 {
        if self.known.may_have(left, right) { self.slots.rank(left, right) } else { NO_RANK }
    }

    /// Whether `left` and `right` come about side by side, each as if it stood alone. O(length of the spines).
    fn fit(&self, mut left: u32, mut right: u32) -> bool {
        let mut until = NO_RANK;
        loop {
            if self.rank(left, right) < until {
                return false;
            }
            match (self.halves(left), self.halves(right)) {
                (None, None) => return true,
                (Some(last), first) if first.is_none_or(|first| first.rank < last.rank) => {
                    (left, until) = (last.right, last.rank);
                }
                (_, Some(first)) => (right, until) = (first.left, first.rank + 1),
                (Some(_), None) => return false,
            }
        }
    }
}

/// A bit for each pair by its hash: most pairs that are asked for have none, and the bits stay near the processor where
/// the table does not. Source: Bloom 1970, with one hash function.
struct Known {
    bits: Vec<u64>,
    shift: u32,
}

impl Known {
    /// Room for `merges` pairs, eight bits each.
    fn new(merges: usize) -> Self {
        let words = (merges / 8).next_power_of_two();
        Known { bits: vec![0; words], shift: 64 - 6 - words.trailing_zeros() }
    }

    fn insert(&mut self, left: u32, right: u32) {
        let bit = self.bit(left, right);
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    #[inline]
    fn may_have(&self, left: u32, right: u32) -> bool {
        let bit = self.bit(left, right);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn bit(&self, left: u32, right: u32) -> usize {
        (pair_hash(left, right) >> self.shift) as usize
    }
}
