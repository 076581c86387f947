//! Encoding many pre-tokens of one text: the look-ups of a group are begun together, so that they wait for memory
//! together.

use super::key::{MediumKey, ShortKey};
use super::misses::{Failed, Misses};
use super::output::{Counted, Kept, Output};
use super::{Cache, Memory, Whole};
use crate::error::Result;

/// Pre-tokens whose look-ups are under way at once.
const GROUP: usize = 32;

/// Pre-tokens whose misses are encoded together.
const STRETCH: usize = 1024;

/// A model that gives a piece the same ids wherever it stands.
pub(in crate::model) trait Memoized: Sized {
    /// What one thread remembers and works in.
    type Scratch;

    /// The pieces that are certainly one token.
    fn whole(&self) -> &Whole;

    /// What the thread remembers of this model.
    fn memory(scratch: &mut Self::Scratch) -> &mut Memory;

    /// Whether a piece of more than 15 bytes is not worth looking for: it is cheaper to encode it anew.
    #[inline(always)]
    fn is_one_off(&self, _: &[u8]) -> bool {
        false
    }

    /// The same for a piece of any length.
    #[inline]
    fn is_long_one_off(&self, piece: &[u8]) -> bool {
        piece.len() > ShortKey::LONGEST && self.is_one_off(piece)
    }

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

    /// Encodes pieces of `text` that were not where they were looked for first, and learns them.
    ///
    /// # Errors
    /// That of the first miss that has one; all earlier ones have their ids then.
    fn encode_misses(&self, text: &[u8], misses: &mut Misses, scratch: &mut Self::Scratch) -> Result<(), Failed> {
        encode_one_by_one(self, text, misses, scratch)
    }
}

/// Encodes misses in their order.
pub(in crate::model) fn encode_one_by_one<M: Memoized>(
    model: &M,
    text: &[u8],
    misses: &mut Misses,
    scratch: &mut M::Scratch,
) -> Result<(), Failed> {
    for number in 0..misses.len() {
        if !find_again(model, text, number, misses, scratch) {
            encode_miss(model, text, number, misses, scratch)?;
        }
    }
    Ok(())
}

/// Looks for a miss once more, where only few pieces are looked for: among those learned meanwhile, and among all tokens.
#[inline]
pub(in crate::model) fn find_again<M: Memoized>(
    model: &M,
    text: &[u8],
    number: usize,
    misses: &mut Misses,
    scratch: &mut M::Scratch,
) -> bool {
    let (start, end) = misses.span(number);
    let (piece, cache) = (&text[start..end], &mut M::memory(scratch).cache);
    if let Some(ids) = learned(model, piece, cache) {
        misses.give(number, ids);
    } else if let Some(id) = token(model, piece) {
        misses.give(number, &[id]);
        cache.learn(piece, &[id]);
    } else {
        return false;
    }
    true
}

/// Encodes a miss alone.
pub(in crate::model) fn encode_miss<M: Memoized>(
    model: &M,
    text: &[u8],
    number: usize,
    misses: &mut Misses,
    scratch: &mut M::Scratch,
) -> Result<(), Failed> {
    let ((start, end), first) = (misses.span(number), misses.ids.len());
    let done = model.encode_new(&text[start..end], scratch, &mut misses.ids);
    misses.give_from(number, first);
    done.map_err(|error| (number, error.moved_by(start)))
}

/// Appends the ids of one piece.
#[inline]
pub(in crate::model) fn encode<M: Memoized>(
    model: &M,
    piece: &[u8],
    scratch: &mut M::Scratch,
    out: &mut Vec<u32>,
) -> Result<()> {
    one(model, piece, scratch, &mut Kept::behind(out))
}

/// The number of ids of one piece.
#[inline]
pub(in crate::model) fn count<M: Memoized>(model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<usize> {
    let mut counted = Counted(0);
    one(model, piece, scratch, &mut counted)?;
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
    each(model, text, spans, scratch, &mut Kept::behind(out))
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
    spans.chunks(STRETCH).try_for_each(|stretch| {
        let Memory { cache, misses, .. } = M::memory(scratch);
        look_up(model, text, stretch, cache, misses, out);
        if misses.is_empty() { Ok(()) } else { put_misses(model, text, scratch, out) }
    })
}

/// Puts out what is found at once, and collects the rest. A function of its own: only then the compiler knows that cache,
/// misses and ids lie apart, and does not read again what it has read (15 to 12 ns a pre-token).
#[inline(never)]
fn look_up<M: Memoized>(
    model: &M,
    text: &[u8],
    spans: &[(usize, usize)],
    cache: &Cache,
    misses: &mut Misses,
    out: &mut impl Output,
) {
    let mut probes = [Probe::NONE; GROUP];
    for group in spans.chunks(GROUP) {
        for (probe, &span) in probes.iter_mut().zip(group) {
            *probe = Probe::begin(text, span, cache);
        }
        for (probe, &span) in probes.iter().zip(group) {
            if !probe.put(text, span, cache, out) {
                misses.push(span, out.count());
                model.whole().prefetch(probe.key);
            }
        }
    }
}

/// Encodes the misses and puts their ids in their places.
#[inline(never)]
fn put_misses<M: Memoized>(model: &M, text: &[u8], scratch: &mut M::Scratch, out: &mut impl Output) -> Result<()> {
    // A model may look up parts of a piece meanwhile, and these may be missed too.
    let mut misses = std::mem::take(&mut M::memory(scratch).misses);
    let done = model.encode_misses(text, &mut misses, scratch).map_err(|(number, error)| {
        out.cut(misses.cut(number));
        error
    });
    out.put_between(&misses);
    misses.clear();
    M::memory(scratch).misses = misses;
    done
}

fn one<M: Memoized>(model: &M, piece: &[u8], scratch: &mut M::Scratch, out: &mut impl Output) -> Result<()> {
    let (span, cache) = ((0, piece.len()), &M::memory(scratch).cache);
    if Probe::begin(piece, span, cache).put(piece, span, cache, out) {
        return Ok(());
    }
    not_there(model, piece, scratch, out)
}

/// A look-up that is under way.
#[derive(Clone, Copy)]
struct Probe {
    /// The key, if the piece is short.
    key: ShortKey,
    /// The bucket in the level of the piece's length.
    bucket: usize,
}

impl Probe {
    const NONE: Self = Probe { key: ShortKey::EMPTY, bucket: 0 };

    /// Begins to look up the piece at a span.
    #[inline(always)]
    fn begin(text: &[u8], (start, end): (usize, usize), cache: &Cache) -> Self {
        let length = end - start;
        if length <= ShortKey::LONGEST {
            let key = ShortKey::within(text, start, end);
            Probe { key, bucket: cache.short.begin(key) }
        } else if length <= MediumKey::LONGEST {
            Probe { key: ShortKey::EMPTY, bucket: cache.medium.begin(MediumKey::within(text, start, end)) }
        } else {
            Probe::NONE
        }
    }

    /// Puts out the ids of the piece if they are where they were looked for. The cache may have grown since.
    #[inline(always)]
    fn put(&self, text: &[u8], (start, end): (usize, usize), cache: &Cache, out: &mut impl Output) -> bool {
        let length = end - start;
        if length <= ShortKey::LONGEST {
            match cache.short.entry_in(self.bucket, self.key) {
                Some(entry) if entry.is_whole() => out.put(&entry.ids),
                _ => return false,
            }
        } else if length <= MediumKey::LONGEST {
            match cache.medium.entry_in(self.bucket, MediumKey::within(text, start, end)) {
                Some(entry) => out.put(&entry.ids),
                None => return false,
            }
        } else {
            return false;
        }
        true
    }
}

/// Encodes a piece that is not where it was looked for first.
#[inline(never)]
fn not_there<M: Memoized>(model: &M, piece: &[u8], scratch: &mut M::Scratch, out: &mut impl Output) -> Result<()> {
    let cache = &mut M::memory(scratch).cache;
    if let Some(ids) = learned(model, piece, cache) {
        out.put_all(ids);
    } else if let Some(id) = token(model, piece) {
        out.put_all(&[id]);
        cache.learn(piece, &[id]);
    } else {
        out.put_new(model, piece, scratch)?;
    }
    Ok(())
}

/// What is known of a piece, wherever it was put.
#[inline]
fn learned<'a, M: Memoized>(model: &M, piece: &[u8], cache: &'a Cache) -> Option<&'a [u32]> {
    match piece.len() {
        length if length <= ShortKey::LONGEST => cache.few_bytes(piece),
        length if length <= MediumKey::LONGEST && !model.is_one_off(piece) => cache.medium.get(MediumKey::new(piece)),
        _ => None,
    }
}

/// The id of a piece that is certainly one token.
#[inline]
fn token<M: Memoized>(model: &M, piece: &[u8]) -> Option<u32> {
    if piece.len() <= ShortKey::LONGEST {
        model.whole().short(ShortKey::new(piece))
    } else if model.is_one_off(piece) {
        None
    } else {
        model.whole().long(piece)
    }
}
