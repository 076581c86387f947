//! Whole texts with SentencePiece's rules: word by word, with the sum carried along.

use super::best::LARGEST_SUM;
use super::encoder::{Scratch, UnigramEncoder};
use super::spell::Run;
use crate::error::Result;
use crate::model::check_length;
use crate::model::lookup::{MediumKey, ShortKey};

/// The distance of neighbouring single numbers, relative to their size, is at most this.
const UNIT: f64 = 1.0 / (1 << 23) as f64;

impl UnigramEncoder {
    /// Tells `emit` the ids of a text. The search is that over the whole text: no piece crosses a cut, so the best
    /// path to a place behind it goes through it, and what lies behind needs only the sum there. A word is taken from
    /// the cache where [`super::margin`] proves that the sum plays no part in it.
    pub(super) fn encode_sentence(&self, text: &[u8], scratch: &mut Scratch, emit: &mut impl FnMut(u32)) -> Result<()> {
        check_length(text)?;
        let (mut total, mut run, mut start) = (0.0, None, 0);
        while start < text.len() {
            let end = self.cuts.next(text, start);
            let word = &text[start..end];
            match self.recall(word, total, scratch) {
                Some(known) => {
                    self.entries.close(text, &mut run, &mut |token| emit(token.id))?;
                    for &entry in known {
                        total = self.entries.add(total, self.entries.scores[entry as usize]);
                        emit(self.entries.ids[entry as usize]);
                    }
                }
                None => total = self.encode_word(text, (start, end), total, scratch, &mut run, emit)?,
            }
            start = end;
        }
        self.entries.close(text, &mut run, &mut |token| emit(token.id))?;
        scratch.best.shrink();
        Ok(())
    }

    /// The learned entries of a word, if they are certain behind the sum `total`. The first learned number is the
    /// margin.
    #[inline]
    fn recall<'a>(&self, word: &[u8], total: f64, scratch: &'a Scratch) -> Option<&'a [u32]> {
        let learned = if word.len() <= ShortKey::LONGEST {
            scratch.memory.cache.few_bytes(word)?
        } else if word.len() <= MediumKey::LONGEST {
            scratch.memory.cache.medium.get(MediumKey::new(word))?
        } else {
            return None;
        };
        let (&margin, entries) = learned.split_first()?;
        let word_most = self.largest * MediumKey::LONGEST as f64;
        // A search that may count anew within the word is not foretold.
        let most = total.abs() + word_most;
        (most < LARGEST_SUM && f64::from(f32::from_bits(margin)) > most * UNIT).then_some(entries)
    }

    /// Searches a word behind the sum `total`, learns it, and returns the sum behind it.
    #[inline(never)]
    fn encode_word(
        &self,
        text: &[u8],
        (start, end): (usize, usize),
        total: f64,
        scratch: &mut Scratch,
        run: &mut Run,
        emit: &mut impl FnMut(u32),
    ) -> Result<f64> {
        let word = &text[start..end];
        let total = scratch.best.search(&self.entries, word, total);
        self.entries.spell(text, &scratch.best.path, start, run, &mut |token| emit(token.id))?;
        self.learn(word, scratch);
        Ok(total)
    }

    /// Learns a word that is not known, has no unknown character, and whose best path leads by a margin.
    fn learn(&self, word: &[u8], scratch: &mut Scratch) {
        let path = &scratch.best.path;
        if !scratch.memory.cache.learns
            || word.len() > MediumKey::LONGEST
            || path.len() > 6
            || path.iter().any(|step| self.entries.is_unknown(step.entry))
        {
            return;
        }
        if self.recall(word, 0.0, scratch).is_some() {
            return;
        }
        let margin = (scratch.margin.per_character(&self.entries, word) as f32).next_down();
        if f64::from(margin) > self.largest * MediumKey::LONGEST as f64 * UNIT {
            // A search from zero, for the sum before this word may have mattered.
            scratch.best.search(&self.entries, word, 0.0);
            scratch.learned.clear();
            scratch.learned.push(margin.to_bits());
            scratch.learned.extend(scratch.best.path.iter().map(|step| step.entry));
            scratch.memory.cache.learn(word, &scratch.learned);
        }
    }
}
