//! Rank files: a list of tokens by rank, without merges, as tiktoken keeps them.
//!
//! The rank belongs to the token: two neighbours may merge whenever their bytes joined are a token, and the token of
//! the lowest rank comes first. So every split of a token into two tokens is a merge.

use crate::spec::{Merge, Vocab};
use crate::together::{self, both};

const EMPTY: u64 = u64::MAX;
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Every split of every token into two tokens, ordered by rank, then by the id of the left part, as the `merges` of
/// converted tokenizer.json files are. The rank of a merge is the id of its product. About 60 ns a split.
pub fn all_pairs_by_rank(vocab: &Vocab) -> Vec<Merge> {
    all_pairs_by_order(vocab, vocab.ids())
}

/// The same where ranks are not ids: `ranks` has one for each entry, and equal ones come in the order of the entries.
///
/// # Panics
/// If there are fewer ranks than entries.
pub fn all_pairs_by_order(vocab: &Vocab, ranks: &[u32]) -> Vec<Merge> {
    let tokens = TokenIndex::new(vocab);
    let mut by_rank: Vec<usize> = (0..vocab.len()).collect();
    by_rank.sort_by_key(|&index| ranks[index]);
    let (first, second) = together::halves(&by_rank);
    let (mut merges, more) = both(|| splits(&tokens, first, ranks), || splits(&tokens, second, ranks));
    merges.extend(more);
    merges
}

/// The splits of these entries.
fn splits(tokens: &TokenIndex<'_>, entries: &[usize], ranks: &[u32]) -> Vec<Merge> {
    let mut merges = Vec::with_capacity(5 * entries.len());
    let mut prefixes = Vec::new();
    for &index in entries {
        let entry = tokens.vocab.entry(index);
        prefix_hashes(entry.bytes, &mut prefixes);
        let whole = prefixes[entry.bytes.len()];
        let first = merges.len();
        for (cut, &prefix) in prefixes.iter().enumerate().take(entry.bytes.len()).skip(1) {
            let (left, right) = entry.bytes.split_at(cut);
            let Some(left) = tokens.find(left, prefix) else { continue };
            let suffix = whole.wrapping_sub(prefix.wrapping_mul(tokens.powers[right.len()]));
            let Some(right) = tokens.find(right, suffix) else { continue };
            merges.push(Merge { rank: ranks[index], left, right, product: entry.id });
        }
        merges[first..].sort_unstable_by_key(|merge| merge.left);
    }
    merges
}

/// Tokens by a polynomial hash, which gives the hash of every prefix and suffix in one step.
struct TokenIndex<'a> {
    vocab: &'a Vocab,
    /// The upper half of the hash over the token's index.
    slots: Vec<u64>,
    /// Powers of the base up to the longest token.
    powers: Vec<u64>,
}

impl<'a> TokenIndex<'a> {
    fn new(vocab: &'a Vocab) -> Self {
        let longest = vocab.iter().map(|entry| entry.bytes.len()).max().unwrap_or(0);
        let powers = std::iter::successors(Some(1_u64), |power| Some(power.wrapping_mul(BASE)));
        let mut index = TokenIndex {
            vocab,
            slots: vec![EMPTY; (vocab.len() * 2).next_power_of_two().max(2)],
            powers: powers.take(longest + 1).collect(),
        };
        for (number, entry) in vocab.iter().enumerate() {
            index.insert(number, hash_of(entry.bytes));
        }
        index
    }

    fn insert(&mut self, number: usize, hash: u64) {
        let hash = scramble(hash);
        let mut at = hash as usize & (self.slots.len() - 1);
        while self.slots[at] != EMPTY {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = hash & !u64::from(u32::MAX) | number as u64;
    }

    /// The id of the first token with these bytes, whose hash is `hash`.
    fn find(&self, bytes: &[u8], hash: u64) -> Option<u32> {
        let hash = scramble(hash);
        let mut at = hash as usize & (self.slots.len() - 1);
        loop {
            let slot = self.slots[at];
            if slot == EMPTY {
                return None;
            }
            if (slot ^ hash) >> 32 == 0 {
                let entry = self.vocab.entry(slot as u32 as usize);
                if entry.bytes == bytes {
                    return Some(entry.id);
                }
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

/// Spreads the polynomial hash, whose low bits depend on few bytes.
fn scramble(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    hash ^ hash >> 29
}

fn next_hash(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1)
}

fn hash_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash, &byte| next_hash(hash, byte))
}

/// Hashes of the prefixes of length 0, 1, … of `bytes`.
fn prefix_hashes(bytes: &[u8], out: &mut Vec<u64>) {
    out.clear();
    out.push(0);
    let mut hash = 0;
    out.extend(bytes.iter().map(|&byte| {
        hash = next_hash(hash, byte);
        hash
    }));
}
