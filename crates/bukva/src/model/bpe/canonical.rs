//! Canonical pairs: the one merge of each token that can ever happen.
//!
//! A rank file allows every split of a token, a merge list may name several. But when a pair is merged anywhere in a
//! text, everything inside its span happened without touching a symbol outside, in the order of rank and place. So
//! merging the token's own bytes, alone, passes through the same states and ends with the same merge. Hence each
//! token has at most one merge that can happen, the last one of its own bytes; every other can be left out without
//! changing any result. This needs first symbols that depend on nothing but the unit itself.

use rustc_hash::{FxHashMap, FxHashSet};

use super::general::General;
use super::long::LongWork;
use super::number::{NO_SYMBOL, NumberedMerge, Numbering};
use super::pairs::{Pairs, Spot};
use super::short::{SHORT, Work};
use super::spines::{self, Happening};
use super::symbols::Symbols;
use crate::error::Result;
use crate::model::Missing;
use crate::spec::{Bpe, Merge, Vocab};

/// The merges that can happen, by rank, at most one for each token; a token that its own bytes do not lead to has
/// none. All merges, where ranks have several products or pieces are unused, and where first symbols depend on their
/// place (continuing prefix, end-of-word marker) or stand for unknown characters and are merged further. About 0.1 µs a
/// merge (see `spines`); where a merge uses tokens that are made later, O(bytes of the vocabulary × the symbols of a
/// token), in practice about 0.6 µs a token.
///
/// # Errors
/// [`crate::Kind::Invariant`] if merges are not listed by rank, [`crate::Kind::Unsupported`] if there are too many.
pub fn canonical_pairs(bpe: &Bpe) -> Result<Vec<Merge>> {
    if General::needed(bpe) {
        return Ok(bpe.merges.to_vec());
    }
    let mut numbering = Numbering::new(&bpe.vocab);
    let symbols = Symbols::compile(bpe, &mut numbering)?;
    match by_spines(bpe, &symbols, &numbering)? {
        Some(found) => Ok(found.merges()),
        None => one_by_one(bpe, &symbols, numbering),
    }
}

/// What a model is compiled from: its canonical pairs in symbols, and their tables.
pub(super) struct Canonical {
    pub(super) numbering: Numbering,
    pub(super) merges: Vec<NumberedMerge>,
    /// The rank of the specification for each rank of `pairs`.
    pub(super) ranks: Vec<u32>,
    pub(super) pairs: Pairs,
}

impl Canonical {
    /// The canonical pairs of a model with these first symbols. As [`canonical_pairs`].
    ///
    /// # Errors
    /// As [`canonical_pairs`].
    pub(super) fn of(bpe: &Bpe, symbols: &Symbols, numbering: &Numbering) -> Result<Self> {
        if let Some(found) = by_spines(bpe, symbols, numbering)? {
            return Ok(found);
        }
        let merges = one_by_one(bpe, symbols, numbering.clone())?;
        let mut numbering = numbering.clone();
        let numbered = numbering.merges(&merges)?;
        let (ranks, pairs) = (distinct_ranks(&merges), Pairs::build(&numbered));
        Ok(Canonical { numbering, merges: numbered, ranks, pairs })
    }

    /// No pairs at all, for models whose merges are taken elsewhere.
    pub(super) fn none(numbering: Numbering) -> Self {
        Canonical { numbering, merges: Vec::new(), ranks: Vec::new(), pairs: Pairs::build(&[]) }
    }

    pub(super) fn merges(&self) -> Vec<Merge> {
        let id = |symbol| self.numbering.id(symbol);
        let named = self.merges.iter().zip(&self.ranks).map(|(merge, &rank)| Merge {
            rank,
            left: id(merge.left),
            right: id(merge.right),
            product: id(merge.product),
        });
        named.collect()
    }
}

/// The fast way, where it is exact.
pub(super) fn by_spines(bpe: &Bpe, symbols: &Symbols, numbering: &Numbering) -> Result<Option<Canonical>> {
    let substitutes: FxHashSet<u32> = symbols.substitutes().map(|symbol| numbering.id(symbol)).collect();
    let touches = |merge: &Merge| [merge.left, merge.right, merge.product].iter().any(|id| substitutes.contains(id));
    if !symbols.ignores_place() || (!substitutes.is_empty() && bpe.merges.iter().any(touches)) {
        return Ok(None);
    }
    let mut numbering = numbering.clone();
    let Some(Happening { merges, slots, doubtful }) = spines::find(bpe, &mut numbering) else { return Ok(None) };
    numbering.check_size()?;
    let (merges, ranks): (Vec<NumberedMerge>, Vec<u32>) = merges.into_iter().unzip();
    let pairs = Pairs::of_slots(slots, &merges);
    if any_happens(&doubtful, bpe, symbols, &numbering, &pairs) {
        return Ok(None);
    }
    Ok(Some(Canonical { numbering, merges, ranks, pairs }))
}

/// Whether merging the bytes of a product ends in the two halves of a doubtful merge.
fn any_happens(doubtful: &[Merge], bpe: &Bpe, symbols: &Symbols, numbering: &Numbering, pairs: &Pairs) -> bool {
    let mut halves: FxHashMap<u32, Vec<[Option<u32>; 2]>> = FxHashMap::default();
    for merge in doubtful {
        let known = [merge.left, merge.right].map(|id| numbering.known_symbol(id));
        halves.entry(merge.product).or_default().push(known);
    }
    let (mut work, mut state) = (LongWork::default(), Vec::new());
    bpe.vocab.iter().filter(|entry| halves.contains_key(&entry.id)).any(|entry| {
        state.clear();
        if symbols.start(entry.bytes, Missing::Refused, &mut state).is_err() {
            return false;
        }
        work.merge(pairs, &mut state, |_, _, _| {});
        matches!(state[..], [left, right] if halves[&entry.id].contains(&[Some(left), Some(right)]))
    })
}

/// The way that is always exact: each token's bytes are merged.
pub(super) fn one_by_one(bpe: &Bpe, symbols: &Symbols, mut numbering: Numbering) -> Result<Vec<Merge>> {
    let merges = numbering.merges(&bpe.merges)?;
    if !is_context_free(symbols, &merges) {
        return Ok(bpe.merges.to_vec());
    }
    let mut found = last_merges(&bpe.vocab, &numbering, symbols, &merges);
    found.sort_unstable_by_key(|merge| merge.rank);
    let ranks: Vec<u32> = distinct_ranks(&bpe.merges);
    let named = found.iter().map(|merge| Merge {
        rank: ranks[merge.rank as usize],
        left: numbering.id(merge.left),
        right: numbering.id(merge.right),
        product: numbering.id(merge.product),
    });
    Ok(named.collect())
}

/// Whether a token's bytes always start from the same symbols, whatever is around them.
pub(super) fn is_context_free(symbols: &Symbols, merges: &[NumberedMerge]) -> bool {
    let mut substitutes: Vec<u32> = symbols.substitutes().collect();
    substitutes.sort_unstable();
    let merged = |symbol: u32| substitutes.binary_search(&symbol).is_ok();
    let clean = |merge: &NumberedMerge| ![merge.left, merge.right, merge.product].into_iter().any(merged);
    symbols.ignores_place() && (substitutes.is_empty() || merges.iter().all(clean))
}

/// The rank values of merges in order, without repetition.
pub(super) fn distinct_ranks(merges: &[Merge]) -> Vec<u32> {
    let mut ranks: Vec<u32> = merges.iter().map(|merge| merge.rank).collect();
    ranks.dedup();
    ranks
}

/// Merges every product's own bytes and notes the last merge where it makes the product.
fn last_merges(
    vocab: &Vocab,
    numbering: &Numbering,
    symbols: &Symbols,
    merges: &[NumberedMerge],
) -> Vec<NumberedMerge> {
    let pairs = Pairs::build(merges);
    let highest = merges.iter().map(|merge| merge.product).max().unwrap_or(0);
    let mut is_product = vec![false; highest as usize + 1];
    merges.iter().for_each(|merge| is_product[merge.product as usize] = true);
    let mut alone = Alone::default();
    let mut found = Vec::with_capacity(vocab.len());
    for entry in vocab.iter() {
        let symbol = numbering.known_symbol(entry.id).unwrap_or(NO_SYMBOL);
        if is_product.get(symbol as usize) == Some(&true) {
            found.extend(alone.last_merge(&pairs, symbols, entry.bytes).filter(|merge| merge.product == symbol));
        }
    }
    found
}

/// Merging of one token's bytes with nothing around them.
#[derive(Default)]
struct Alone {
    work: Work,
    long: LongWork,
    start: Vec<u32>,
}

impl Alone {
    /// The last merge, if merging ends in one symbol.
    fn last_merge(&mut self, pairs: &Pairs, symbols: &Symbols, token: &[u8]) -> Option<NumberedMerge> {
        self.start.clear();
        symbols.start(token, Missing::Refused, &mut self.start).ok()?;
        let mut last = None;
        let note = |rank, left: Spot, right: Spot| last = Some((rank, left.symbol, right.symbol));
        let left_over = self.merge(pairs, note);
        let (rank, left, right) = last.filter(|_| left_over == 1)?;
        Some(NumberedMerge { rank, left, right, product: pairs.product(rank) })
    }

    fn merge(&mut self, pairs: &Pairs, note: impl FnMut(u32, Spot, Spot)) -> usize {
        let count = self.start.len();
        if count > SHORT {
            self.long.merge(pairs, &mut self.start, note);
            return self.start.len();
        }
        self.work.symbols[..count].copy_from_slice(&self.start);
        self.work.merge(pairs, count, note).count_ones() as usize
    }
}
