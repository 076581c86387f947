//! Encoding many pre-tokens of one text: the look-ups of a group are begun together, so that they wait for memory
//! together.

use super::encoder::Found;
use super::key::{MediumKey, ShortKey};
use super::{BpeEncoder, Cache, Scratch};
use crate::error::Result;

/// Pre-tokens whose look-ups are under way at once.
const GROUP: usize = 16;

/// A pre-token's key and hash.
#[derive(Clone, Copy)]
enum Probe {
    Short(ShortKey, u64),
    Medium(MediumKey, u64),
    Long,
}

impl BpeEncoder {
    /// Appends the ids of the pre-tokens at `spans` (start, end) of `text`, in order: as [`BpeEncoder::encode`] for
    /// each, but faster where there are many.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`], the offset counting from the start of `text`; ids of earlier pre-tokens stay.
    ///
    /// # Panics
    /// If a span does not lie in `text`.
    pub fn encode_spans(
        &self,
        text: &[u8],
        spans: &[(usize, usize)],
        scratch: &mut Scratch,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        scratch.serve(self);
        let mut probes = [Probe::Long; GROUP];
        for group in spans.chunks(GROUP) {
            self.begin(text, group, &mut probes, &scratch.cache);
            for (probe, &(start, end)) in probes.iter().zip(group) {
                let piece = &text[start..end];
                match self.resolve(piece, probe, &scratch.cache) {
                    Found::Token(id) => out.push(id),
                    Found::Learned(ids) => out.extend_from_slice(ids),
                    Found::Nothing => self.encode_new(piece, scratch, out).map_err(|error| shifted(error, start))?,
                }
            }
        }
        Ok(())
    }

    /// The number of ids of the pre-tokens at `spans`: as [`BpeEncoder::encode_spans`], without writing ids.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode_spans`].
    ///
    /// # Panics
    /// If a span does not lie in `text`.
    pub fn count_spans(&self, text: &[u8], spans: &[(usize, usize)], scratch: &mut Scratch) -> Result<usize> {
        scratch.serve(self);
        let mut probes = [Probe::Long; GROUP];
        let mut total = 0;
        for group in spans.chunks(GROUP) {
            self.begin(text, group, &mut probes, &scratch.cache);
            for (probe, &(start, end)) in probes.iter().zip(group) {
                let piece = &text[start..end];
                total += match self.resolve(piece, probe, &scratch.cache) {
                    Found::Token(_) => 1,
                    Found::Learned(ids) => ids.len(),
                    Found::Nothing => self.count_new(piece, scratch).map_err(|error| shifted(error, start))?,
                };
            }
        }
        Ok(total)
    }

    /// Makes the keys of a group and begins its look-ups.
    #[inline]
    fn begin(&self, text: &[u8], group: &[(usize, usize)], probes: &mut [Probe; GROUP], cache: &Cache) {
        for (probe, &(start, end)) in probes.iter_mut().zip(group) {
            *probe = Probe::new(&text[start..end]);
            self.prefetch(probe, cache);
        }
    }

    /// Begins to load what the look-up will need.
    #[inline]
    fn prefetch(&self, probe: &Probe, cache: &Cache) {
        match *probe {
            Probe::Short(_, hash) => {
                self.whole.prefetch(hash);
                cache.short.prefetch(hash);
            }
            Probe::Medium(_, hash) => cache.medium.prefetch(hash),
            Probe::Long => {}
        }
    }

    #[inline]
    fn resolve<'a>(&'a self, piece: &[u8], probe: &Probe, cache: &'a Cache) -> Found<'a> {
        match *probe {
            Probe::Short(key, hash) => self.look_up_short(piece, key, hash, cache),
            Probe::Medium(key, hash) => self.look_up_medium(piece, key, hash, cache),
            Probe::Long => self.look_up_long(piece),
        }
    }
}

impl Probe {
    #[inline]
    fn new(piece: &[u8]) -> Self {
        if piece.len() <= ShortKey::LONGEST {
            let key = ShortKey::new(piece);
            Probe::Short(key, key.hash())
        } else if piece.len() <= MediumKey::LONGEST {
            let key = MediumKey::new(piece);
            Probe::Medium(key, key.hash())
        } else {
            Probe::Long
        }
    }
}

fn shifted(error: crate::Error, start: usize) -> crate::Error {
    match error.place.byte_offset {
        Some(offset) => error.at_byte(offset + start as u64),
        None => error,
    }
}
