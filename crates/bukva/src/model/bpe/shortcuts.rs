//! The shortcuts of a model, from its merges and its vocabulary: characters to start from, and pieces that are one token.

use super::canonical::is_context_free;
use super::characters::Characters;
use super::edges::Edges;
use super::number::{NumberedMerge, Numbering};
use super::pairs::Pairs;
use super::rules::Rules;
use super::symbols::Symbols;
use crate::model::Excluded;
use crate::model::ids::IdSet;
use crate::model::lookup::Whole;
use crate::spec::{Bpe, Vocab, VocabEntry};

/// The characters that a byte model may start from.
pub(super) fn characters(
    bytes: &[u32; 256],
    vocab: &Vocab,
    numbering: &Numbering,
    pairs: &Pairs,
    merges: &[NumberedMerge],
) -> Characters {
    let mut ends = vec![(0, 0); numbering.len()];
    for entry in vocab.iter() {
        let ends_of_entry = entry.bytes.first().copied().zip(entry.bytes.last().copied());
        if let Some((symbol, pair)) = numbering.known_symbol(entry.id).zip(ends_of_entry) {
            ends[symbol as usize] = pair;
        }
    }
    let edges = Edges::new(merges, ends.len(), |symbol| ends[symbol as usize]);
    Characters::new(*bytes, pairs, &edges)
}

/// The pieces that are one token: every entry where merges are ignored; else the tokens that have a symbol, other than
/// by standing for something else, for each is what its own bytes become. None where first symbols depend on their
/// place: the learned cache serves there. No excluded id.
pub(super) fn whole(
    bpe: &Bpe,
    numbering: &Numbering,
    symbols: &Symbols,
    merges: &[NumberedMerge],
    rules: &Rules,
    excluded: &Excluded,
) -> Whole {
    let substitutes: IdSet = symbols.substitutes().collect();
    let context_free = is_context_free(symbols, merges);
    let spells_itself = |id| {
        let symbol = numbering.known_symbol(id).filter(|_| context_free);
        symbol.is_some_and(|symbol| !substitutes.contains(symbol))
    };
    let unbroken = |entry: &VocabEntry| spells_itself(entry.id) && !rules.breaks(entry.bytes);
    let frozen = |entry: &VocabEntry| rules.frozen_id(entry.bytes) == Some(entry.id);
    let known = bpe.vocab.iter().filter(|entry| bpe.ignore_merges || unbroken(entry) || frozen(entry));
    let known = known.filter(|entry| !excluded.has(entry.id));
    Whole::build(known.map(|entry| (entry.bytes, entry.id)))
}
