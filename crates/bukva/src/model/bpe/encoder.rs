//! The encoder: a compiled BPE model.
//!
//! A piece is looked up in the whole-vocabulary table, then in the thread's learned cache; what neither knows is
//! merged, and learned.

use super::Scratch;
use super::apart;
use super::canonical::Canonical;
use super::characters::Characters;
use super::few::{self, FEW};
use super::general::{General, Part, Skipped};
use super::joints::Joints;
use super::number::Numbering;
use super::outward::Ids;
use super::pairs::Pairs;
use super::rules::Rules;
use super::runs;
use super::short::{SHORT, Work};
use super::shortcuts::{characters, whole};
use super::symbols::Symbols;
use crate::block::Block;
use crate::error::Result;
use crate::model::lookup::{self, Failed, Memoized, Memory, Misses, Whole, next_serial};
use crate::model::{Excluded, Missing, Span, check_length};
use crate::spec::Bpe;
use crate::together::both;

/// Parts of a long piece that are looked up at a time.
const PARTS: usize = 256;

/// Neighbours that are looked at before any of them is merged.
const STRETCH: usize = 64;

/// A compiled BPE model: read-only, shared by all threads, each with its own [`Scratch`].
#[derive(Debug)]
pub struct BpeEncoder {
    pub(super) symbols: Box<Symbols>,
    pub(super) pairs: Pairs,
    /// Characters to start from, in a byte model.
    pub(super) characters: Option<Characters>,
    /// Where a piece of these falls apart.
    pub(super) joints: Option<Joints>,
    pub(super) whole: Whole,
    /// The id of each symbol.
    pub(super) ids: Ids,
    /// The rank of the specification for each rank of the pair table.
    pub(super) ranks: Block<u32>,
    pub(super) ignore_merges: bool,
    pub(super) rules: Rules,
    /// Excluded ids that merging may end in.
    pub(super) apart: Option<Box<Excluded>>,
    pub(super) serial: u64,
    pub(super) sizes: Sizes,
}

/// How much each way of merging takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// The most bytes of pieces that are merged in turns.
    pub turns: usize,
    /// The most symbols of [`few`].
    pub few: usize,
    /// The most symbols of [`super::short`].
    pub short: usize,
    /// The fewest bytes of [`runs`].
    pub runs: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes { turns: SHORT, few: FEW, short: SHORT, runs: runs::LEAST }
    }
}

impl BpeEncoder {
    /// Compiles a model that no text makes give `excluded` ids. About 0.35 µs a merge; about 110 bytes a token.
    ///
    /// # Errors
    /// [`crate::Kind::Invariant`] if merges are not listed by rank, a rank has two products or the marker has no token;
    /// [`crate::Kind::Unsupported`] above 2^21 symbols.
    pub fn compile(bpe: &Bpe, excluded: &Excluded) -> Result<Self> {
        let rules = Rules::of(bpe, excluded);
        let mut numbering = Numbering::new(&bpe.vocab);
        let symbols = Symbols::compile(bpe, &mut numbering)?;
        let canonical = match rules.general {
            Some(_) => Canonical::none(numbering),
            None => Canonical::of(bpe, &symbols, &numbering)?,
        };
        let Canonical { numbering, merges: numbered, ranks, pairs } = canonical;
        let (characters, whole) = both(
            || symbols.plain_bytes().map(|bytes| characters(bytes, &bpe.vocab, &numbering, &pairs, &numbered)),
            || whole(bpe, &numbering, &symbols, &numbered, &rules, excluded),
        );
        let joints = characters.as_ref().and_then(|characters| Joints::new(&numbered, characters.symbols()));
        let apart = apart::reachable(bpe, |id| numbering.known_symbol(id).is_some(), excluded);
        Ok(BpeEncoder {
            whole,
            symbols: Box::new(symbols),
            pairs,
            characters,
            joints,
            ids: Ids::new(numbering.into_ids().into()),
            ranks: ranks.into(),
            ignore_merges: bpe.ignore_merges,
            rules,
            apart,
            serial: next_serial(),
            sizes: Sizes::default(),
        })
    }

    /// Appends the ids of one pre-token, valid UTF-8. An empty one has none. O(bytes) where it is known, else
    /// O(n log n) for n first symbols.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] if a character has no token and the model no unknown token; the offset counts from
    /// the start of the piece. Nothing is appended then.
    #[inline]
    pub fn encode(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        scratch.serve(self);
        lookup::encode(self, piece, scratch, out)
    }

    /// The number of ids of one pre-token. As [`BpeEncoder::encode`], without writing ids.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    #[inline]
    pub fn count(&self, piece: &[u8], scratch: &mut Scratch) -> Result<usize> {
        scratch.serve(self);
        lookup::count(self, piece, scratch)
    }

    /// Appends the ids of the pre-tokens at `spans` (start, end) of `text`, in order: as [`BpeEncoder::encode`] for
    /// each, but faster where there are many.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`], the offset counting from the start of `text`; ids of earlier pre-tokens stay.
    ///
    /// # Panics
    /// If a span does not lie in `text`.
    pub fn encode_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        scratch.serve(self);
        lookup::encode_spans(self, text, spans, scratch, out)
    }

    /// The number of ids of the pre-tokens at `spans`: as [`BpeEncoder::encode_spans`], without writing ids.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode_spans`].
    ///
    /// # Panics
    /// If a span does not lie in `text`.
    pub fn count_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch) -> Result<usize> {
        scratch.serve(self);
        lookup::count_spans(self, text, spans, scratch)
    }

    /// The id of a piece that is emitted whole because it is an entry of the vocabulary.
    pub(super) fn whole_entry(&self, piece: &[u8]) -> Option<u32> {
        self.whole.get(piece).filter(|_| self.ignore_merges)
    }

    /// Encodes a piece part by part, as [`Rules`] divides it; `false` if it is one part.
    fn encode_parts(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<bool> {
        let mut parts = self.rules.parts(piece).peekable();
        if parts.peek() == Some(&(0, piece.len())) {
            return Ok(false);
        }
        let (start, mut group) = (out.len(), Vec::with_capacity(PARTS));
        while parts.peek().is_some() {
            group.clear();
            group.extend(parts.by_ref().take(PARTS));
            if let Err(error) = lookup::encode_spans(self, piece, &group, scratch, out) {
                out.truncate(start);
                return Err(error);
            }
        }
        Ok(true)
    }

    /// Merges by the letter of the rules.
    fn merge_general(&self, general: &General, piece: &[u8], out: &mut Vec<u32>) -> Result<()> {
        let started = self.symbols.start_with_lengths(piece, Missing::Refused)?;
        let parts: Vec<Part> = started.into_iter().map(|(symbol, length)| (self.ids.of(symbol), length)).collect();
        out.extend(general.merge(&parts, Skipped::IsGone, || false).into_iter().map(|part| part.0));
        Ok(())
    }

    fn merge_any(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        check_length(piece)?;
        if let Some(general) = &self.rules.general {
            return self.merge_general(general, piece, out);
        }
        if self.merge_runs(piece, out) {
            return Ok(());
        }
        let mut symbols = std::mem::take(&mut scratch.symbols);
        let started = match &self.characters {
            Some(characters) => {
                if symbols.len() < piece.len() {
                    symbols.resize(piece.len(), 0);
                }
                let count = characters.start(piece, &mut symbols);
                self.merge_parts(&mut symbols[..count], scratch, out);
                Ok(false)
            }
            None => {
                symbols.clear();
                let started = self.symbols.start(piece, scratch.missing, &mut symbols);
                if started.is_ok() {
                    self.merge(&mut symbols, scratch, out);
                }
                started
            }
        };
        symbols.truncate(1 << 16);
        symbols.shrink_to(1 << 16);
        scratch.symbols = symbols;
        scratch.left_out |= started?;
        Ok(())
    }

    /// Merges a piece, and takes apart what no text becomes.
    pub(super) fn merge_met(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        let start = out.len();
        self.merge_any(piece, scratch, out)?;
        if self.is_met(&out[start..]) {
            out.truncate(start);
            out.extend(self.parts_apart(piece, Missing::Refused)?.into_iter().map(|part| part.0));
        }
        Ok(())
    }

    /// Merges a long piece of few runs; `false` if it is none.
    fn merge_runs(&self, piece: &[u8], out: &mut Vec<u32>) -> bool {
        let Some(characters) = self.characters.as_ref().filter(|_| piece.len() >= self.sizes.runs) else {
            return false;
        };
        let Some(mut found) = runs::of(piece, characters.bytes()) else { return false };
        if runs::merge(&self.pairs, &mut found).is_none() {
            return false;
        }
        for (symbol, count) in found {
            out.extend(std::iter::repeat_n(self.ids.of(symbol), count));
        }
        true
    }

    /// Merges the first symbols of a piece, part by part where they fall apart.
    fn merge_parts(&self, symbols: &mut [u32], scratch: &mut Scratch, out: &mut Vec<u32>) {
        let Some(joints) = &self.joints else { return self.merge(symbols, scratch, out) };
        let (mut start, mut at) = (0, 0);
        while at + 1 < symbols.len() {
            // The joints of a stretch first: what merging will look up is on its way then.
            let (mut cuts, stretch) = (0_u64, &symbols[at..symbols.len().min(at + STRETCH + 1)]);
            for (place, (&left, &right)) in stretch.iter().zip(&stretch[1..]).enumerate() {
                cuts |= u64::from(!joints.may_join(left, right)) << place;
                self.pairs.prefetch(left, right);
            }
            let end = at + stretch.len() - 1;
            while cuts != 0 {
                let cut = at + cuts.trailing_zeros() as usize + 1;
                cuts &= cuts - 1;
                self.merge(&mut symbols[start..cut], scratch, out);
                start = cut;
            }
            at = end;
        }
        self.merge(&mut symbols[start..], scratch, out);
    }

    /// Merges symbols and appends the ids of what is left.
    #[inline]
    fn merge(&self, symbols: &mut [u32], scratch: &mut Scratch, out: &mut Vec<u32>) {
        if let [symbol] = *symbols {
            out.push(self.ids.of(symbol));
        } else if symbols.len() <= self.sizes.few {
            let left = few::merge(&self.pairs, symbols);
            out.extend(symbols[..left].iter().map(|&symbol| self.ids.of(symbol)));
        } else if symbols.len() <= self.sizes.short {
            scratch.work.symbols[..symbols.len()].copy_from_slice(symbols);
            self.merge_short(symbols.len(), &mut scratch.work, out);
        } else {
            scratch.list.clear();
            scratch.list.extend_from_slice(symbols);
            scratch.long.merge(&self.pairs, &mut scratch.list, |_, _, _| {});
            out.extend(scratch.list.iter().map(|&symbol| self.ids.of(symbol)));
            scratch.list.shrink_to(1 << 16);
        }
    }

    /// Whether a unit may have to be left out.
    #[inline]
    pub(in crate::model) fn leaves_out(&self, scratch: &Scratch) -> bool {
        scratch.missing == Missing::LeftOut && !self.symbols.are_total()
    }

    /// Encodes a piece whole, for what is left out may bring symbols together anywhere; learns only what nothing was
    /// left out of, for that is so in every mode.
    fn encode_leaving_out(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        let start = out.len();
        scratch.left_out = false;
        self.merge_any(piece, scratch, out)?;
        if self.is_met(&out[start..]) {
            out.truncate(start);
            out.extend(self.parts_apart(piece, Missing::LeftOut)?.into_iter().map(|part| part.0));
        }
        if !scratch.left_out {
            scratch.memory.cache.learn(piece, &out[start..]);
        }
        Ok(())
    }

    #[inline]
    fn merge_short(&self, count: usize, work: &mut Work, out: &mut Vec<u32>) {
        work.merge(&self.pairs, count, |_, _, _| {});
        out.extend(work.left().map(|symbol| self.ids.of(symbol)));
    }
}

impl Memoized for BpeEncoder {
    type Scratch = Scratch;

    fn whole(&self) -> &Whole {
        &self.whole
    }

    fn memory(scratch: &mut Scratch) -> &mut Memory {
        &mut scratch.memory
    }

    #[inline(always)]
    fn is_one_off(&self, piece: &[u8]) -> bool {
        // Chinese and Japanese phrases do not come again as words do.
        self.joints.is_some() && piece[piece.len() - 3] >= 0xE3
    }

    #[inline(never)]
    fn encode_new(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        if self.leaves_out(scratch) {
            return self.encode_leaving_out(piece, scratch, out);
        }
        let start = out.len();
        if self.rules.divide(piece) && self.encode_parts(piece, scratch, out)? {
            scratch.memory.cache.learn(piece, &out[start..]);
            return Ok(());
        }
        self.merge_met(piece, scratch, out)?;
        if !self.is_long_one_off(piece) {
            scratch.memory.cache.learn(piece, &out[start..]);
        }
        Ok(())
    }

    fn encode_misses(&self, text: &[u8], misses: &mut Misses, scratch: &mut Scratch) -> Result<(), Failed> {
        match &self.characters {
            // What is left out, or taken apart, is a matter of single pieces.
            Some(characters) if self.apart.is_none() && !self.leaves_out(scratch) && self.rules.general.is_none() => {
                self.encode_in_turns(characters, text, misses, scratch)
            }
            _ => lookup::encode_one_by_one(self, text, misses, scratch),
        }
    }
}
