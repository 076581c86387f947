//! The tables of a BPE model: texts → tokens, ids and merges.

use rustc_hash::{FxHashMap, FxHashSet};

use super::byte_level;
use super::fields::bad;
use super::index::Index;
use super::merge_texts::MergeTexts;
use super::texts::Entries;
use crate::error::{Result, quoted};
use crate::spec::{AddedToken, Merge, Vocab};
use crate::together::both;

/// Indexes a vocabulary.
pub(super) fn index(entries: &Entries) -> Result<Index<'_>> {
    Index::of(entries).map_err(|(first, second)| {
        let (text, first, second) = (quoted(entries.text(first)), entries.id(first), entries.id(second));
        bad(format!("/model/vocab has the token {text} twice, with ids {first} and {second}"))
    })
}

/// Resolves merges; the rank is the place in the list, and of a merge that is there twice the later place counts, as
/// in the library. O(bytes of all merges).
pub(super) fn merges(texts: &MergeTexts, entries: &Entries, index: &Index<'_>, prefix: &str) -> Result<Vec<Merge>> {
    let resolver = Resolver { texts, entries, index, prefix };
    let half = texts.len() / 2;
    let (first, second) = both(|| resolver.resolve(0..half), || resolver.resolve(half..texts.len()));
    let (mut merges, mut second) = (first?, second?);
    merges.append(&mut second);
    if repeats(&merges, entries) {
        leave_out_repeated(&mut merges);
    }
    Ok(merges)
}

/// Texts of merges on their way to ids.
struct Resolver<'t> {
    texts: &'t MergeTexts,
    entries: &'t Entries,
    index: &'t Index<'t>,
    prefix: &'t str,
}

/// Merges that are looked up at a time.
const GROUP: usize = 16;

impl Resolver<'_> {
    /// Resolves a part of the list.
    fn resolve(&self, part: std::ops::Range<usize>) -> Result<Vec<Merge>> {
        let mut merges = Vec::with_capacity(part.len());
        let (mut hashes, mut joined, mut last) = ([[0; 2]; GROUP], String::new(), 0);
        for start in part.clone().step_by(GROUP) {
            let group = start..part.end.min(start + GROUP);
            // Look-ups of a group wait for memory together.
            for (merge, hashes) in group.clone().zip(&mut hashes) {
                let (left, right) = self.texts.get(merge);
                *hashes = [self.index.ask(left), self.index.ask(right)];
            }
            hashes.iter().flatten().for_each(|&hash| self.index.ask_on(hash));
            for (merge, hashes) in group.zip(&hashes) {
                let product = self.product(merge, &mut joined);
                let [left, right, product] = self.entries_of(merge, hashes, product, last)?;
                last = product;
                let id = |entry| self.entries.id(entry);
                merges.push(Merge { rank: merge as u32, left: id(left), right: id(right), product: id(product) });
            }
        }
        Ok(merges)
    }

    /// What a merge spells: without the prefix of its right half.
    fn product<'a>(&'a self, merge: usize, joined: &'a mut String) -> &'a str {
        let (left, right) = self.texts.get(merge);
        match right.strip_prefix(self.prefix).filter(|_| !self.prefix.is_empty()) {
            None => self.texts.joined(merge),
            Some(tail) => {
                joined.clear();
                joined.extend([left, tail]);
                joined
            }
        }
    }

    /// The entries of left, right and product. The product of a merge is often that of the one before, where lists were
    /// made of rank files, or the next entry, where a vocabulary was trained: `last` is the one before.
    #[inline]
    fn entries_of(&self, merge: usize, hashes: &[u64; 2], product: &str, last: usize) -> Result<[usize; 3]> {
        let (left, right) = self.texts.get(merge);
        let missing = |what: &str, text: &str| {
            let merge_text = format!("{} {}", quoted(left), quoted(right));
            bad(format!("/model/merges/{merge} ({merge_text}): {what} {} is not in the vocabulary", quoted(text)))
        };
        if let Some(shown) = self.texts.broken(merge) {
            let message = format!("/model/merges/{merge} is {shown}, which is not two tokens with a space between");
            return Err(bad(message));
        }
        let is = |entry: usize| entry < self.entries.len() && self.entries.text(entry) == product;
        let guessed = [last, last + 1].into_iter().find(|&entry| is(entry));
        Ok([
            self.index.look_up(hashes[0], left).ok_or_else(|| missing("the left token", left))?,
            self.index.look_up(hashes[1], right).ok_or_else(|| missing("the right token", right))?,
            guessed.or_else(|| self.index.entry(product)).ok_or_else(|| missing("the product", product))?,
        ])
    }
}

const NOTHING: u32 = u32::MAX;

/// Whether a merge is there twice. Merges of two equal halves have one product, so only those of one product are
/// compared: for each the one before it with the same product. O(merges × merges of a product), where a product of n
/// bytes has fewer than n of them.
fn repeats(merges: &[Merge], entries: &Entries) -> bool {
    let highest = entries.ids().iter().copied().max().map_or(0, |id| id as usize + 1);
    if highest > 4 * entries.len() + 65_536 {
        let mut seen = FxHashSet::default();
        return !merges.iter().all(|merge| seen.insert((merge.left, merge.right)));
    }
    let (mut latest, mut before) = (vec![NOTHING; highest], Vec::with_capacity(merges.len()));
    for (place, merge) in (0..).zip(merges) {
        let mut other = std::mem::replace(&mut latest[merge.product as usize], place);
        before.push(other);
        while other != NOTHING {
            if merges[other as usize].left == merge.left && merges[other as usize].right == merge.right {
                return true;
            }
            other = before[other as usize];
        }
    }
    false
}

/// Leaves out merges that come again, and ranks the others anew.
fn leave_out_repeated(merges: &mut Vec<Merge>) {
    let mut seen = FxHashSet::default();
    merges.reverse();
    merges.retain(|merge| seen.insert((merge.left, merge.right)));
    merges.reverse();
    (0..).zip(merges).for_each(|(rank, merge)| merge.rank = rank);
}

/// Texts as tokens of bytes, through GPT-2's map. An added token that no merge uses is its own UTF-8 text.
pub(super) fn byte_vocab(entries: &Entries, merges: &[Merge], added: &[AddedToken]) -> Result<Vocab> {
    let plain = plain(entries, merges, added);
    let (mut ends, mut bytes) = (Vec::with_capacity(entries.len()), Vec::new());
    for (text, id) in entries.iter() {
        match plain.get(&id) {
            Some(&content) if content == text => bytes.extend_from_slice(text.as_bytes()),
            _ => unmap(text, id, &mut bytes)?,
        }
        ends.push(bytes.len() as u64);
    }
    Ok(Vocab::of_parts(entries.ids().to_vec(), ends, bytes))
}

/// The texts of added tokens that no merge uses, other than those that are one character of the map.
fn plain<'a>(entries: &Entries, merges: &[Merge], added: &'a [AddedToken]) -> FxHashMap<u32, &'a str> {
    let own = added.iter().filter(|token| !is_one_mapped(&token.content));
    let mut plain: FxHashMap<u32, &str> = own.map(|token| (token.id, token.content.as_str())).collect();
    let (Some(&lowest), Some(&highest)) = (plain.keys().min(), plain.keys().max()) else { return plain };
    // Added tokens have few ids side by side, and merges use others.
    let near = |id: &u32| (lowest..=highest).contains(id);
    if entries.ids().iter().any(near) {
        let used = merges.iter().flat_map(|merge| [merge.left, merge.right, merge.product]).filter(near);
        used.for_each(|id| _ = plain.remove(&id));
    }
    plain
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
