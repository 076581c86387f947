//! Encoding many pre-tokens of one text: the look-ups of a group are begun together, so that they wait for memory
//! together.

use super::key::{MediumKey, ShortKey};
use super::output::{Counted, Output};
use super::{Cache, Memory, Whole};
use crate::error::Result;

/// Pre-tokens whose look-ups are under way at once.
const GROUP: usize = 32;

/// A model that gives a piece the same ids wherever it stands.
pub(in crate::model) trait Memoized: Sized {
    /// What one thread remembers and works in.
    type Scratch;

    /// The pieces that are certainly one token.
    fn whole(&self) -> &Whole;

    /// What the thread remembers of this model.
    fn memory(scratch: &mut Self::Scratch) -> &mut Memory;

    /// Encodes a piece that is in no table, and learns it. Appends nothing where it fails.
    fn encode_new(&self, piece: &[u8], scratch: &mut Self::Scratch, out: &mut Vec<u32>) -> Result<()>;

    /// Counts the ids of a piece that is in no table, and learns it.
    fn count_new(&self, piece: &[u8], scratch: &mut Self::Scratch) -> Result<usize> {
        let mut ids = std::mem::take(&mut Self::memory(scratch).ids);
        ids.clear();
        let result = self.encode_new(piece, scratch, &mut ids);
        let count = ids.len();
        ids.shrink_to(1 << 16);
        Self::memory(scratch).ids = ids;
        result.map(|()| count)
    }
}

/// Appends the ids of one piece.
#[inline]
pub(in crate::model) fn encode<M: Memoized>(
    model: &M,
    piece: &[u8],
    scratch: &mut M::Scratch,
    out: &mut Vec<u32>,
) -> Result<()> {
    one(model, piece, 0, piece.len(), hash(piece, 0, piece.len()), scratch, out)
}

/// The number of ids of one piece.
#[inline]
pub(in crate::model) fn count<M: Memoized>(model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<usize> {
    let mut counted = Counted(0);
    one(model, piece, 0, piece.len(), hash(piece, 0, piece.len()), scratch, &mut counted)?;
    Ok(counted.0)
}

/// Appends the ids of the pre-tokens at `spans` (start, end) of `text`, in order: as [`encode`] for each, but faster
/// where there are many. The offset of an error counts from the start of `text`; ids of earlier pre-tokens stay.
///
/// # Panics
/// If a span does not lie in `text`.
pub(in crate::model) fn encode_spans<M: Memoized>(
    model: &M,
    text: &[u8],
    spans: &[(usize, usize)],
    scratch: &mut M::Scratch,
    out: &mut Vec<u32>,
) -> Result<()> {
    each(model, text, spans, scratch, out)
}

/// The number of ids of the pre-tokens at `spans`: as [`encode_spans`], without writing ids.
///
/// # Panics
/// If a span does not lie in `text`.
pub(in crate::model) fn count_spans<M: Memoized>(
    model: &M,
    text: &[u8],
    spans: &[(usize, usize)],
    scratch: &mut M::Scratch,
) -> Result<usize> {
    let mut counted = Counted(0);
    each(model, text, spans, scratch, &mut counted)?;
    Ok(counted.0)
}

fn each<M: Memoized>(
    model: &M,
    text: &[u8],
    spans: &[(usize, usize)],
    scratch: &mut M::Scratch,
    out: &mut impl Output,
) -> Result<()> {
    let mut hashes = [0; GROUP];
    for group in spans.chunks(GROUP) {
        begin(text, group, &mut hashes, &M::memory(scratch).cache);
        for (&hash, &(start, end)) in hashes.iter().zip(group) {
            one(model, text, start, end, hash, scratch, out)?;
        }
    }
    Ok(())
}

/// Hashes the pieces of a group and begins to look them up.
#[inline(always)]
fn begin(text: &[u8], group: &[(usize, usize)], hashes: &mut [u64; GROUP], cache: &Cache) {
    for (slot, &(start, end)) in hashes.iter_mut().zip(group) {
        *slot = hash(text, start, end);
        if end - start <= ShortKey::LONGEST {
            cache.short.prefetch(*slot);
        } else {
            cache.medium.prefetch(*slot);
        }
    }
}

/// The hash by which a piece is looked up; a long one has none.
#[inline(always)]
fn hash(text: &[u8], start: usize, end: usize) -> u64 {
    match end - start {
        ..=ShortKey::LONGEST => ShortKey::within(text, start, end).hash(),
        ..=MediumKey::LONGEST => MediumKey::within(text, start, end).hash(),
        _ => 0,
    }
}

/// Encodes the piece `text[start..end]` of this hash: from the learned cache, from the table of all tokens, else anew.
#[inline(always)]
fn one<M: Memoized>(
    model: &M,
    text: &[u8],
    start: usize,
    end: usize,
    hash: u64,
    scratch: &mut M::Scratch,
    out: &mut impl Output,
) -> Result<()> {
    let cache = &M::memory(scratch).cache;
    match end - start {
        ..=ShortKey::LONGEST => {
            let key = ShortKey::within(text, start, end);
            if let Some(entry) = cache.short.entry(key, hash) {
                out.put(&entry.ids, entry.count);
                return Ok(());
            }
        }
        ..=MediumKey::LONGEST => {
            if let Some(entry) = cache.medium.entry(MediumKey::within(text, start, end), hash) {
                out.put(&entry.ids, entry.count);
                return Ok(());
            }
        }
        _ => {}
    }
    not_met(model, text, start, end, hash, scratch, out)
}

/// Encodes a piece that is not where it was looked for first.
#[inline(never)]
fn not_met<M: Memoized>(
    model: &M,
    text: &[u8],
    start: usize,
    end: usize,
    hash: u64,
    scratch: &mut M::Scratch,
    out: &mut impl Output,
) -> Result<()> {
    let piece = &text[start..end];
    let token = if piece.len() <= ShortKey::LONGEST {
        let (key, cache) = (ShortKey::within(text, start, end), &mut M::memory(scratch).cache);
        let token = model.whole().short(key, hash);
        if let Some(ids) = token.is_none().then(|| cache.few_bytes_many_ids(piece)).flatten() {
            out.put_all(ids);
            return Ok(());
        }
        token
    } else {
        model.whole().long(piece)
    };
    match token {
        Some(id) => {
            out.put_all(&[id]);
            M::memory(scratch).cache.learn(piece, &[id]);
            Ok(())
        }
        None => out.put_new(model, piece, scratch).map_err(|error| error.moved_by(start)),
    }
}
