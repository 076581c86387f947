//! BPE-dropout: merges are left out at random. Source: Provilkov, Emelianenko, Voita 2020, arXiv 1910.13267.

use super::apart;
use super::general::{General, Part, Skipped};
use super::number::Numbering;
use super::rules::Rules;
use super::symbols::Symbols;
use crate::error::Result;
use crate::model::random::Random;
use crate::model::{Excluded, Missing, check_length};
use crate::spec::Bpe;

/// A model compiled for sampling: with all merges, for those that never happen in full merging may happen here.
#[derive(Debug)]
pub struct BpeSampler {
    symbols: Symbols,
    ids: Vec<u32>,
    rules: Rules,
    general: General,
    skipped: Skipped,
    excluded: Option<Box<Excluded>>,
}

impl BpeSampler {
    /// Compiles a model that no text makes give `excluded` ids, as far as merges make them. O(vocabulary + merges).
    ///
    /// # Errors
    /// [`crate::Kind::Invariant`] if the end-of-word marker has no token.
    pub fn compile(bpe: &Bpe, excluded: &Excluded) -> Result<Self> {
        let mut numbering = Numbering::new(&bpe.vocab);
        let symbols = Symbols::compile(bpe, &mut numbering)?;
        let skipped = if bpe.pieces.is_some() { Skipped::IsGone } else { Skipped::Waits };
        let (rules, general) = (Rules::of(bpe, excluded), General::of(bpe, excluded));
        let excluded =
            apart::reachable(bpe, |id| numbering.known_symbol(id).is_some() && Some(id) != bpe.unk, excluded);
        Ok(BpeSampler { symbols, ids: numbering.into_ids(), rules, general, skipped, excluded })
    }

    /// Appends the ids of a pre-token, each merge left out with probability `dropout` when it is due. With 0 they are
    /// those of encoding without `ignore_merges`, with 1 first symbols. A merge that is left out may come back: after
    /// the next merge in the `tokenizers` library, whose rule is used, and in a SentencePiece model never, unless its
    /// pair comes about anew. O(n log n) for n first symbols, times the tries.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] for text without a token; nothing is appended then.
    pub fn sample(&self, piece: &[u8], dropout: f64, random: &mut Random, out: &mut Vec<u32>) -> Result<()> {
        check_length(piece)?;
        let first = out.len();
        for (from, to) in self.rules.parts(piece) {
            if let Err(error) = self.sample_part(&piece[from..to], dropout, random, out) {
                out.truncate(first);
                return Err(error.moved_by(from));
            }
        }
        Ok(())
    }

    fn sample_part(&self, part: &[u8], dropout: f64, random: &mut Random, out: &mut Vec<u32>) -> Result<()> {
        if let Some(id) = self.rules.frozen_id(part) {
            out.push(id);
            return Ok(());
        }
        let started = self.symbols.start_with_lengths(part, Missing::Refused)?;
        let parts: Vec<Part> =
            started.into_iter().map(|(symbol, length)| (self.ids[symbol as usize], length)).collect();
        let merged = self.general.merge(&parts, self.skipped, || random.next_unit() < dropout);
        let mut at = 0;
        for (id, length) in merged {
            match self.excluded.as_ref().filter(|excluded| length > 0 && excluded.has(id)) {
                None => out.push(id),
                Some(_) => {
                    let found = self.symbols.stand_ins(&part[at..at + length], at)?;
                    out.extend(found.into_iter().map(|(symbol, _)| self.ids[symbol as usize]));
                }
            }
            at += length;
        }
        Ok(())
    }
}
