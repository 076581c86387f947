//! Where a piece falls apart: between two first symbols that no token holds side by side.
//!
//! A merge joins what ends in a left symbol with what begins with a right one. Each product comes about by one merge
//! (see [`super::canonical`]), so the first symbols that its bytes may have come from at either end are known: they lie
//! on its spines. If no merge has `x` at the end of its left half and `y` at the beginning of its right half, nothing
//! ever joins the two, and what lies on both sides merges apart. Most neighbours in Chinese and Japanese are such; a long
//! piece becomes a few short ones.

use std::borrow::Cow;

use super::number::NumberedMerge;
use super::pairs::pair_hash;
use crate::block::{Block, Bytes, Sections, damaged};
use crate::error::Result;

const BITS: &str = "bpe.joints";

/// Bits of the table: eight a pair for the largest vocabularies, few enough for the second-level cache.
const SIZE: usize = 1 << 20;

/// The pairs of first symbols that may be joined, by a hash: a bit that is set may be another pair's. Source: Bloom
/// 1970, with one hash function. 128 KB.
#[derive(Debug)]
pub(super) struct Joints(Block<u64>);

impl Joints {
    /// The joints of `merges` between the symbols that pieces start from. O(merges × length of spines). `None` where a
    /// product has several merges.
    pub(super) fn new(merges: &[NumberedMerge], first: impl Iterator<Item = u32>) -> Option<Self> {
        let spines = Spines::new(merges, first)?;
        let (mut bits, mut ends) = (vec![0_u64; SIZE / 64], Vec::new());
        for merge in merges {
            ends.clear();
            ends.extend(spines.along(merge.left, |halves| halves.1));
            for right in spines.along(merge.right, |halves| halves.0) {
                for &left in &ends {
                    let bit = place(left, right);
                    bits[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        Some(Joints(bits.into()))
    }

    /// The table as an image holds it.
    pub(super) fn sections(&self) -> Vec<Bytes<'_>> {
        vec![(BITS, Cow::Borrowed(bytemuck::cast_slice(&self.0)))]
    }

    /// The table of an image, if it has one.
    pub(super) fn of_sections(sections: &Sections) -> Result<Option<Self>> {
        if !sections.has(BITS) {
            return Ok(None);
        }
        let bits: Block<u64> = sections.block(BITS)?;
        if bits.len() != SIZE / 64 {
            return Err(damaged(format!("a table of joints of {} words", bits.len())));
        }
        Ok(Some(Joints(bits)))
    }

    /// Whether the two may come to lie in one token. O(1).
    #[inline(always)]
    pub(super) fn may_join(&self, left: u32, right: u32) -> bool {
        let bit = place(left, right);
        self.0[bit / 64 % (SIZE / 64)] >> (bit % 64) & 1 == 1
    }
}

#[inline(always)]
fn place(left: u32, right: u32) -> usize {
    (pair_hash(left, right) >> (64 - SIZE.trailing_zeros())) as usize
}

/// How every symbol was made, and which of them pieces may start from.
struct Spines {
    halves: Vec<Option<(u32, u32)>>,
    is_first: Vec<bool>,
}

impl Spines {
    fn new(merges: &[NumberedMerge], first: impl Iterator<Item = u32>) -> Option<Self> {
        let highest = |merge: &NumberedMerge| merge.product.max(merge.left).max(merge.right);
        let symbols = merges.iter().map(highest).max().map_or(0, |highest| highest as usize + 1);
        let mut halves = vec![None; symbols];
        for merge in merges {
            if halves[merge.product as usize].replace((merge.left, merge.right)).is_some() {
                return None;
            }
        }
        let mut is_first = vec![false; symbols];
        for symbol in first {
            // One that no merge names joins nothing.
            is_first.get_mut(symbol as usize).into_iter().for_each(|is| *is = true);
        }
        Some(Spines { halves, is_first })
    }

    /// The first symbols on a spine of `symbol`, itself the first. `half` is the half that lies on it.
    fn along(&self, symbol: u32, half: impl Fn((u32, u32)) -> u32) -> impl Iterator<Item = u32> {
        // A half is made of fewer bytes than the whole, so the spine ends.
        let next = move |&symbol: &u32| self.halves[symbol as usize].map(&half);
        std::iter::successors(Some(symbol), next).filter(|&symbol| self.is_first[symbol as usize])
    }
}
