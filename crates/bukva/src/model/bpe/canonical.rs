//! Canonical pairs: the one merge of each token that can ever happen.
//!
//! A rank file allows every split of a token, a merge list may name several. But when a pair is merged anywhere in a
//! text, everything inside its span happened without touching a symbol outside, in the order of rank and place. So
//! merging the token's own bytes, alone, passes through the same states and ends with the same merge. Hence each
//! token has at most one merge that can happen, the last one of its own bytes; every other can be left out without
//! changing any result. This needs first symbols that depend on nothing but the unit itself.

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::general::General;
use super::long::LongWork;
use super::number::{NO_SYMBOL, NumberedMerge, Numbering};
use super::pairs::{Pairs, Spot};
use super::short::{SHORT, Work};
use super::spines::{self, Happening};
use super::symbols::Symbols;
use crate::error::Result;
use crate::model::Missing;
use crate::model::ids::IdSet;
use crate::spec::{Bpe, Merge, Vocab};

/// The merges that can happen, by rank, at most one for each token; a token that its own bytes do not lead to has
/// none. All merges, where ranks have several products or pieces are unused, and where first symbols depend on their
/// place (continuing prefix, end-of-word marker) or stand for unknown characters and are merged further. About 0.1 µs a
/// merge (see `spines`), and 0.6 µs for each token that has in it what a merge of tokens made later may make.
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
        let merges = match by_spines(bpe, symbols, numbering)? {
            Some(Fast::Compiled(found)) => return Ok(*found),
            Some(Fast::Listed(merges)) => merges,
            None => one_by_one(bpe, symbols, numbering.clone())?,
        };
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

/// What the fast way finds.
pub(super) enum Fast {
    /// All canonical pairs, compiled.
    Compiled(Box<Canonical>),
    /// All canonical pairs, some of which were found the other way.
    Listed(Vec<Merge>),
}

impl Fast {
    pub(super) fn merges(self) -> Vec<Merge> {
        match self {
            Fast::Compiled(canonical) => canonical.merges(),
            Fast::Listed(merges) => merges,
        }
    }
}

/// Bytes of doubtful tokens beyond which the fast way is none.
const MOST_DOUBT: usize = 1 << 16;

/// The fast way, where it is exact.
///
/// A doubtful merge changes only how tokens come about that have the bytes of its product in them: anywhere else its two
/// halves never stand side by side. Those tokens, few in practice, are merged one by one.
pub(super) fn by_spines(bpe: &Bpe, symbols: &Symbols, numbering: &Numbering) -> Result<Option<Fast>> {
    let substitutes: IdSet = symbols.substitutes().map(|symbol| numbering.id(symbol)).collect();
    let touches =
        |merge: &Merge| [merge.left, merge.right, merge.product].into_iter().any(|id| substitutes.contains(id));
    if !symbols.ignores_place() || (!substitutes.is_empty() && bpe.merges.iter().any(touches)) {
        return Ok(None);
    }
    let mut own = numbering.clone();
    let Some(Happening { merges, ranks, slots, doubtful }) = spines::find(bpe, &mut own) else { return Ok(None) };
    own.check_size()?;
    let pairs = Pairs::of_slots(slots, &merges);
    let found = Canonical { numbering: own, merges, ranks, pairs };
    if doubtful.is_empty() {
        return Ok(Some(Fast::Compiled(Box::new(found))));
    }
    let products: IdSet = doubtful.iter().map(|merge| merge.product).collect();
    let doubt: Vec<&[u8]> =
        bpe.vocab.iter().filter(|entry| products.contains(entry.id)).map(|entry| entry.bytes).collect();
    if doubt.iter().map(|bytes| bytes.len()).sum::<usize>() > MOST_DOUBT {
        return Ok(None);
    }
    let Some(affected) = having(&doubt, &bpe.vocab) else { return Ok(None) };
    let mut merges = found.merges();
    merges.retain(|merge| !affected.contains(merge.product));
    merges.extend(anew(bpe, symbols, numbering.clone(), &affected)?);
    merges.sort_by_key(|merge| merge.rank);
    Ok(Some(Fast::Listed(merges)))
}

/// The ids of tokens that have some of the strings `parts` in them; `None` where the search cannot be built.
fn having(parts: &[&[u8]], vocab: &Vocab) -> Option<IdSet> {
    let search = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(parts).ok()?;
    let (bytes, ends) = (vocab.joined_bytes(), vocab.ends());
    let mut ids = IdSet::default();
    let mut entry = 0;
    // Occurrences come by their end. One that begins in an earlier token lies across an edge.
    for found in search.find_overlapping_iter(bytes) {
        while ends[entry] < found.end() as u64 {
            entry += 1;
        }
        if entry == 0 || ends[entry - 1] <= found.start() as u64 {
            ids.insert(vocab.ids()[entry]);
        }
    }
    Some(ids)
}

/// The way that is always exact: each token's bytes are merged.
pub(super) fn one_by_one(bpe: &Bpe, symbols: &Symbols, mut numbering: Numbering) -> Result<Vec<Merge>> {
    let merges = numbering.merges(&bpe.merges)?;
    if !is_context_free(symbols, &merges) {
        return Ok(bpe.merges.to_vec());
    }
    let mut found = merged_alone(&bpe.vocab, &bpe.merges, symbols, &numbering, &merges, |_| true);
    found.sort_unstable_by_key(|merge| merge.rank);
    Ok(found)
}

/// The canonical pairs of the tokens that `wanted` names, in any order: their bytes are merged. Only merges matter whose
/// product may lie in one of them: two bytes side by side in it stand side by side in one of them.
fn anew(bpe: &Bpe, symbols: &Symbols, mut numbering: Numbering, wanted: &IdSet) -> Result<Vec<Merge>> {
    let tokens = bpe.vocab.iter().filter(|entry| wanted.contains(entry.id));
    let side_by_side: IdSet = tokens.flat_map(|entry| pairs_of(entry.bytes)).collect();
    let near = bpe.vocab.iter().filter(|entry| pairs_of(entry.bytes).all(|pair| side_by_side.contains(pair)));
    let near: IdSet = near.map(|entry| entry.id).collect();
    let merges: Vec<Merge> = bpe.merges.iter().filter(|merge| near.contains(merge.product)).copied().collect();
    let numbered = numbering.merges(&merges)?;
    Ok(merged_alone(&bpe.vocab, &merges, symbols, &numbering, &numbered, |id| wanted.contains(id)))
}

/// Every two bytes side by side, as one number.
fn pairs_of(token: &[u8]) -> impl Iterator<Item = u32> {
    token.windows(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]))
}

/// The last merges of the wanted tokens by `merges`, which are `numbered`.
fn merged_alone(
    vocab: &Vocab,
    merges: &[Merge],
    symbols: &Symbols,
    numbering: &Numbering,
    numbered: &[NumberedMerge],
    wanted: impl Fn(u32) -> bool,
) -> Vec<Merge> {
    let ranks = distinct_ranks(merges);
    let named = last_merges(vocab, numbering, symbols, numbered, wanted).into_iter().map(|merge| Merge {
        rank: ranks[merge.rank as usize],
        left: numbering.id(merge.left),
        right: numbering.id(merge.right),
        product: numbering.id(merge.product),
    });
    named.collect()
}

/// Whether a token's bytes always start from the same symbols, whatever is around them.
pub(super) fn is_context_free(symbols: &Symbols, merges: &[NumberedMerge]) -> bool {
    let substitutes: IdSet = symbols.substitutes().collect();
    let merged = |symbol: u32| substitutes.contains(symbol);
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
    wanted: impl Fn(u32) -> bool,
) -> Vec<NumberedMerge> {
    let pairs = Pairs::build(merges);
    let highest = merges.iter().map(|merge| merge.product).max().unwrap_or(0);
    let mut is_product = vec![false; highest as usize + 1];
    merges.iter().for_each(|merge| is_product[merge.product as usize] = true);
    let mut alone = Alone::default();
    let mut found = Vec::new();
    for entry in vocab.iter().filter(|entry| wanted(entry.id)) {
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
