//! Encoding many pre-tokens of one text: the look-ups of a group are begun together, so that they wait for memory
//! together.

use super::key::{MediumKey, ShortKey};
use super::{Cache, Memory, Whole};
use crate::error::Result;

/// Pre-tokens whose look-ups are under way at once.
const GROUP: usize = 16;

/// A model that gives a piece the same ids wherever it stands.
pub(in crate::model) trait Memoized {
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

/// What the tables know of a piece.
enum Found<'a> {
    Token(u32),
    Learned(&'a [u32]),
    Nothing,
}

/// A pre-token's key and hash.
#[derive(Clone, Copy)]
enum Probe {
    Short(ShortKey, u64),
    Medium(MediumKey, u64),
    Long,
}

/// Appends the ids of one piece.
#[inline]
pub(in crate::model) fn encode<M: Memoized>(
    model: &M,
    piece: &[u8],
    scratch: &mut M::Scratch,
    out: &mut Vec<u32>,
) -> Result<()> {
    match Probe::new(piece, 0, piece.len()).resolve(piece, model.whole(), &M::memory(scratch).cache) {
        Found::Token(id) => out.push(id),
        Found::Learned(ids) => out.extend_from_slice(ids),
        Found::Nothing => return model.encode_new(piece, scratch, out),
    }
    Ok(())
}

/// The number of ids of one piece.
#[inline]
pub(in crate::model) fn count<M: Memoized>(model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<usize> {
    match Probe::new(piece, 0, piece.len()).resolve(piece, model.whole(), &M::memory(scratch).cache) {
        Found::Token(_) => Ok(1),
        Found::Learned(ids) => Ok(ids.len()),
        Found::Nothing => model.count_new(piece, scratch),
    }
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
    let mut probes = [Probe::Long; GROUP];
    for group in spans.chunks(GROUP) {
        begin(text, group, &mut probes, model.whole(), &M::memory(scratch).cache);
        for (probe, &(start, end)) in probes.iter().zip(group) {
            let piece = &text[start..end];
            match probe.resolve(piece, model.whole(), &M::memory(scratch).cache) {
                Found::Token(id) => out.push(id),
                Found::Learned(ids) => out.extend_from_slice(ids),
                Found::Nothing => {
                    model.encode_new(piece, scratch, out).map_err(|error| error.moved_by(start))?;
                }
            }
        }
    }
    Ok(())
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
    let mut probes = [Probe::Long; GROUP];
    let mut total = 0;
    for group in spans.chunks(GROUP) {
        begin(text, group, &mut probes, model.whole(), &M::memory(scratch).cache);
        for (probe, &(start, end)) in probes.iter().zip(group) {
            let piece = &text[start..end];
            total += match probe.resolve(piece, model.whole(), &M::memory(scratch).cache) {
                Found::Token(_) => 1,
                Found::Learned(ids) => ids.len(),
                Found::Nothing => model.count_new(piece, scratch).map_err(|error| error.moved_by(start))?,
            };
        }
    }
    Ok(total)
}

/// Makes the keys of a group and begins its look-ups.
#[inline]
fn begin(text: &[u8], group: &[(usize, usize)], probes: &mut [Probe; GROUP], whole: &Whole, cache: &Cache) {
    for (probe, &(start, end)) in probes.iter_mut().zip(group) {
        *probe = Probe::new(text, start, end);
        probe.prefetch(whole, cache);
    }
}

impl Probe {
    #[inline]
    fn new(text: &[u8], start: usize, end: usize) -> Self {
        let length = end - start;
        if length <= ShortKey::LONGEST {
            let key = ShortKey::within(text, start, end);
            Probe::Short(key, key.hash())
        } else if length <= MediumKey::LONGEST {
            let key = MediumKey::within(text, start, end);
            Probe::Medium(key, key.hash())
        } else {
            Probe::Long
        }
    }

    /// Begins to load what the look-up will need.
    #[inline]
    fn prefetch(&self, whole: &Whole, cache: &Cache) {
        match *self {
            Probe::Short(_, hash) => {
                whole.prefetch(hash);
                cache.short.prefetch(hash);
            }
            Probe::Medium(_, hash) => cache.medium.prefetch(hash),
            Probe::Long => {}
        }
    }

    #[inline]
    fn resolve<'a>(&self, piece: &[u8], whole: &Whole, cache: &'a Cache) -> Found<'a> {
        match *self {
            Probe::Short(key, hash) => match whole.short(key, hash) {
                Some(id) => Found::Token(id),
                None => cache.short_or_medium(piece, key, hash).map_or(Found::Nothing, Found::Learned),
            },
            Probe::Medium(key, hash) => match cache.medium.get(key, hash) {
                Some(ids) => Found::Learned(ids),
                None => whole.long(piece).map_or(Found::Nothing, Found::Token),
            },
            Probe::Long => whole.long(piece).map_or(Found::Nothing, Found::Token),
        }
    }
}
