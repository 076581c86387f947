//! The tables of a BPE model: texts → tokens, ids and merges.

use rustc_hash::{FxHashMap, FxHashSet};

use super::byte_level;
use super::fields::bad;
use super::raw::{RawMerge, Text};
use crate::error::{Result, quoted};
use crate::spec::{AddedToken, Merge, Vocab};
use crate::together::{self, both};

/// Ids by the text of their token.
pub(super) type Index<'t> = FxHashMap<&'t str, u32>;

/// Indexes a vocabulary.
pub(super) fn index<'t>(entries: &'t [(Text<'_>, u32)]) -> Result<Index<'t>> {
    let mut index = FxHashMap::with_capacity_and_hasher(entries.len(), Default::default());
    for (text, id) in entries {
        if let Some(first) = index.insert(text.as_ref(), *id) {
            return Err(bad(format!("/model/vocab has the token {} twice, with ids {first} and {id}", quoted(text))));
        }
    }
    Ok(index)
}

/// Resolves merges; the rank is the place in the list, and of a merge that is there twice the later place counts, as
/// in the library. O(bytes of all merges).
pub(super) fn merges(raw: &[RawMerge<'_>], index: &Index<'_>, prefix: &str) -> Result<Vec<Merge>> {
    let (first, second) = together::halves(raw);
    let rank = first.len() as u32;
    let (first, second) = both(|| resolve(first, 0, index, prefix), || resolve(second, rank, index, prefix));
    let mut merges = [first?, second?].concat();
    let mut seen = FxHashSet::with_capacity_and_hasher(merges.len(), Default::default());
    if merges.iter().all(|merge| seen.insert((merge.left, merge.right))) {
        return Ok(merges);
    }
    seen.clear();
    merges.reverse();
    merges.retain(|merge| seen.insert((merge.left, merge.right)));
    merges.reverse();
    (0..).zip(&mut merges).for_each(|(rank, merge)| merge.rank = rank);
    Ok(merges)
}

/// Resolves a part of the list, whose first merge has the rank `rank`.
fn resolve(raw: &[RawMerge<'_>], rank: u32, index: &Index<'_>, prefix: &str) -> Result<Vec<Merge>> {
    let mut text = String::new();
    let mut last = None;
    let mut merges = Vec::with_capacity(raw.len());
    for (rank, raw) in (rank..).zip(raw) {
        let (left_text, right_text) = halves(raw, rank)?;
        let id = |text: &str, what: &str| {
            index.get(text).copied().ok_or_else(|| {
                let merge = format!("{} {}", quoted(left_text), quoted(right_text));
                bad(format!("/model/merges/{rank} ({merge}): {what} {} is not in the vocabulary", quoted(text)))
            })
        };
        let (left, right) = (id(left_text, "the left token")?, id(right_text, "the right token")?);
        // Lists that were made of rank files have all merges of a product side by side.
        let tail = right_text.strip_prefix(prefix).unwrap_or(right_text);
        let product = match last {
            Some(product) if text.strip_prefix(left_text) == Some(tail) => product,
            _ => {
                text.clear();
                text.extend([left_text, tail]);
                id(&text, "the product")?
            }
        };
        last = Some(product);
        merges.push(Merge { rank, left, right, product });
    }
    Ok(merges)
}

fn halves<'t>(raw: &'t RawMerge<'_>, rank: u32) -> Result<(&'t str, &'t str)> {
    let halves = match raw {
        RawMerge::Pair(left, right) => Some((left.as_ref(), right.as_ref())),
        RawMerge::Joined(text) => text.split_once(' ').filter(|(_, right)| !right.contains(' ')),
    };
    let whole = || match raw {
        RawMerge::Joined(text) => quoted(text),
        RawMerge::Pair(left, right) => format!("{} {}", quoted(left), quoted(right)),
    };
    halves.filter(|(left, right)| !left.is_empty() && !right.is_empty()).ok_or_else(|| {
        bad(format!("/model/merges/{rank} is {}, which is not two tokens with a space between", whole()))
    })
}

/// Texts as tokens of characters.
pub(super) fn char_vocab(entries: &[(Text<'_>, u32)]) -> Vocab {
    entries.iter().map(|(text, id)| (*id, text.as_bytes())).collect()
}

/// Texts as tokens of bytes, through GPT-2's map. An added token that no merge uses is its own UTF-8 text.
pub(super) fn byte_vocab(entries: &[(Text<'_>, u32)], merges: &[Merge], added: &[AddedToken]) -> Result<Vocab> {
    let mut plain: FxHashMap<u32, &str> = added.iter().map(|token| (token.id, token.content.as_str())).collect();
    for merge in merges {
        for id in [merge.left, merge.right, merge.product] {
            plain.remove(&id);
        }
    }
    let (mut vocab, mut bytes) = (Vocab::new(), Vec::new());
    for (text, id) in entries {
        bytes.clear();
        match plain.get(id) {
            Some(content) if content == text && !is_one_mapped(text) => bytes.extend(text.as_bytes()),
            _ => unmap(text, *id, &mut bytes)?,
        }
        vocab.push(*id, &bytes);
    }
    Ok(vocab)
}

/// Whether the text is one character that stands for a byte.
pub(super) fn is_one_mapped(text: &str) -> bool {
    text.chars().nth(1).is_none() && byte_level::push_bytes(text, &mut Vec::new()).is_ok()
}

fn unmap(text: &str, id: u32, bytes: &mut Vec<u8>) -> Result<()> {
    byte_level::push_bytes(text, bytes).map_err(|char| {
        bad(format!(
            "token {} (id {id}) has {char:?} (U+{:04X}), which stands for no byte in a byte-level vocabulary, \
             and it is not an added token",
            quoted(text),
            u32::from(char)
        ))
    })
}

/// A marker or prefix of a byte-level model, which must spell text.
pub(super) fn unmapped_text(text: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let mapped = byte_level::push_bytes(text, &mut bytes).is_ok();
    let text = String::from_utf8(bytes).ok().filter(|_| mapped);
    text.ok_or_else(|| bad("an affix of a byte-level model is not the text of any bytes"))
}
