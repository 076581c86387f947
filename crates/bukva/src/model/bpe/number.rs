//! Symbols: token ids renumbered densely, first symbols first, then products by rank.
//!
//! Dense numbers make table entries small, and numbering products by rank makes the product a function of the rank.

use rustc_hash::FxHashMap;

use super::pairs::SYMBOL_BITS;
use crate::error::{Error, Kind, Result};
use crate::spec::{Merge, Vocab};

/// "No such symbol": larger than every symbol.
pub(super) const NO_SYMBOL: u32 = u32::MAX;

/// A merge in symbols, with ranks from 0 and without gaps.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberedMerge {
    pub rank: u32,
    pub left: u32,
    pub right: u32,
    pub product: u32,
}

/// Token id ↔ symbol. Symbols count up from 0 in the order in which ids were first seen.
#[derive(Debug, Clone)]
pub(super) struct Numbering {
    /// Symbols of the ids below its length: all of them in every published vocabulary.
    dense: Vec<u32>,
    /// Symbols of the other ids.
    sparse: FxHashMap<u32, u32>,
    ids: Vec<u32>,
}

impl Numbering {
    /// An empty numbering for the ids of `vocab`.
    pub(super) fn new(vocab: &Vocab) -> Self {
        let highest = vocab.ids().iter().copied().max().map_or(0, |id| id as usize + 1);
        let dense = vec![NO_SYMBOL; highest.min(4 * vocab.len() + 65_536)];
        Numbering { dense, sparse: FxHashMap::default(), ids: Vec::new() }
    }

    /// The numbering that gives the ids of `vocab` these symbols.
    pub(super) fn of_ids(vocab: &Vocab, ids: &[u32]) -> Self {
        let mut numbering = Numbering::new(vocab);
        ids.iter().for_each(|&id| _ = numbering.symbol(id));
        numbering
    }

    /// The symbol of `id`, a new one if it has none yet.
    pub(super) fn symbol(&mut self, id: u32) -> u32 {
        let next = self.ids.len() as u32;
        let symbol = match self.dense.get_mut(id as usize) {
            Some(symbol) => symbol,
            None => self.sparse.entry(id).or_insert(NO_SYMBOL),
        };
        if *symbol == NO_SYMBOL {
            *symbol = next;
            self.ids.push(id);
        }
        *symbol
    }

    /// The symbol of `id`, if it has one.
    pub(super) fn known_symbol(&self, id: u32) -> Option<u32> {
        let symbol = self.dense.get(id as usize).or_else(|| self.sparse.get(&id));
        symbol.copied().filter(|&symbol| symbol != NO_SYMBOL)
    }

    /// The id of each symbol.
    pub(super) fn into_ids(self) -> Vec<u32> {
        self.ids
    }

    /// Number of symbols.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The id of `symbol`.
    pub(super) fn id(&self, symbol: u32) -> u32 {
        self.ids[symbol as usize]
    }

    /// Numbers merges that are listed by rank. O(merges).
    ///
    /// # Errors
    /// [`Kind::Invariant`] if they are not in order, or if a rank has two products; [`Kind::Unsupported`] if there are
    /// more than 2^21 symbols.
    pub(super) fn merges(&mut self, merges: &[Merge]) -> Result<Vec<NumberedMerge>> {
        merges.iter().for_each(|merge| _ = self.symbol(merge.product));
        let mut rank = 0;
        let mut numbered = Vec::with_capacity(merges.len());
        for (index, merge) in merges.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).map(|before| &merges[before]) {
                check_order(before, merge)?;
                rank += u32::from(before.rank != merge.rank);
            }
            let (left, right) = (self.symbol(merge.left), self.symbol(merge.right));
            numbered.push(NumberedMerge { rank, left, right, product: self.symbol(merge.product) });
        }
        self.check_size()?;
        Ok(numbered)
    }

    /// # Errors
    /// [`Kind::Unsupported`] if there are more than 2^21 symbols.
    pub(super) fn check_size(&self) -> Result<()> {
        let (count, limit) = (self.ids.len(), 1_usize << SYMBOL_BITS);
        if count < limit {
            return Ok(());
        }
        let message = format!("the model has {count} symbols, which exceeds the maximum of {}", limit - 1);
        Err(Error::new(Kind::Unsupported, message))
    }
}

fn check_order(before: &Merge, merge: &Merge) -> Result<()> {
    let (first, second) = (before.rank, merge.rank);
    if second < first {
        let message = format!("merges must be listed by rank: rank {second} follows rank {first}");
        return Err(Error::new(Kind::Invariant, message));
    }
    if second == first && before.product != merge.product {
        let (one, two) = (before.product, merge.product);
        let message = format!("merges of equal rank must share their product: rank {first} gives ids {one} and {two}");
        return Err(Error::new(Kind::Invariant, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocab(ids: &[u32]) -> Vocab {
        ids.iter().map(|&id| (id, &b"x"[..])).collect()
    }

    #[test]
    fn dense_and_sparse_ids_are_numbered_alike() {
        for ids in [[5, 3, 9], [5, 3, 4_000_000_000]] {
            let mut numbering = Numbering::new(&vocab(&ids));
            assert_eq!(numbering.known_symbol(ids[2]), None);
            assert_eq!(ids.map(|id| numbering.symbol(id)), [0, 1, 2]);
            assert_eq!(numbering.symbol(ids[1]), 1);
            assert_eq!(numbering.known_symbol(ids[2]), Some(2));
            assert_eq!(numbering.into_ids(), ids);
        }
    }

    #[test]
    fn ranks_lose_their_gaps_and_must_be_in_order() {
        let merge = |rank, product| Merge { rank, left: 1, right: 2, product };
        let ranks = |merges: &[Merge]| {
            let numbered = Numbering::new(&vocab(&[1, 2, 3, 4])).merges(merges)?;
            Ok::<_, Error>(numbered.iter().map(|merge| merge.rank).collect::<Vec<_>>())
        };
        assert_eq!(ranks(&[merge(7, 3), merge(7, 3), merge(90, 4)]).unwrap(), [0, 0, 1]);
        assert!(ranks(&[merge(7, 3), merge(6, 4)]).unwrap_err().message.contains("rank 6 follows rank 7"));
        assert!(ranks(&[merge(7, 3), merge(7, 4)]).unwrap_err().message.contains("ids 3 and 4"));
    }
}
