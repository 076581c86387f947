//! The id of each symbol.

use std::ops::Deref;

use crate::block::Block;

/// The symbols of bytes, whose ids are in any order.
const FIRST: u32 = 256;

/// Symbol → id.
#[derive(Debug)]
pub(super) struct Ids {
    all: Block<u32>,
    /// The first ids, if those behind them count up as their symbols do: nearly all of the table need not be asked
    /// then.
    first: Option<Box<[u32; FIRST as usize + 1]>>,
}

impl Ids {
    /// O(symbols).
    pub(super) fn new(all: Block<u32>) -> Self {
        let follow = all.get(FIRST as usize..).is_some_and(|rest| rest.windows(2).all(|two| two[0] + 1 == two[1]));
        let first = all.first_chunk().filter(|_| follow).map(|first| Box::new(*first));
        Ids { all, first }
    }

    /// The id of a symbol. O(1).
    #[inline(always)]
    pub(super) fn of(&self, symbol: u32) -> u32 {
        match &self.first {
            Some(first) => {
                let at = symbol.min(FIRST);
                first[at as usize] + (symbol - at)
            }
            None => self.all[symbol as usize],
        }
    }
}

/// The ids of all symbols, in order.
impl Deref for Ids {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_follow_and_ids_that_do_not() {
        let mut ids: Vec<u32> = (0..256).rev().chain(300..1000).collect();
        for last in [1000, 5] {
            ids.push(last);
            let table = Ids::new(ids.clone().into());
            assert_eq!(table.first.is_some(), last == 1000);
            assert!((0..).zip(&ids).all(|(symbol, &id)| table.of(symbol) == id));
        }
        assert!(Ids::new(vec![7, 8].into()).first.is_none());
    }
}
