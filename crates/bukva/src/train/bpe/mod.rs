//! Byte-pair encoding: training.
//!
//! *Definition.* Every pre-token is a sequence of symbols. Again and again, the pair of neighbours with the highest
//! count over all pre-tokens becomes one new symbol, wherever it stands, from left to right and without overlap
//! (`aaa` counts (a, a) twice, and becomes `aa` `a`). Ties go by [`TieBreak`]. Source: Sennrich, Haddow, Birch 2016.
//!
//! *Cost.* Not a recount for each merge: [`engine`] touches only the words where the pair stands. A merge costs
//! O(places where it stands); counting anew happens a handful of times in a run ([`recount`]).
//!
//! The parts: [`options`] and [`stop`] face the caller; [`alphabet`] and [`tokens`] know texts, ids and lengths;
//! [`corpus`] holds the words ([`record`], [`long`]); [`pairs`] and [`heap`] hold the candidates; [`sides`] sums what a
//! merge changes.

mod alphabet;
mod corpus;
mod counts;
mod engine;
mod heap;
mod layout;
mod long;
mod options;
mod pairs;
mod pulse;
mod record;
mod recount;
mod sides;
mod sketch;
mod stop;
mod tokens;

#[cfg(test)]
mod tests;

use alphabet::Alphabet;
use corpus::Corpus;
use engine::{Chosen, Engine, Target};
pub use layout::Trained;
pub use options::{BpeOptions, Limit};
use pulse::Pulse;
pub use stop::StopReason;
use tokens::Tokens;

use super::TieBreak;
use super::tie_break::{ById, ByPlace, ByText};
use super::words::Words;
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Ticker};

/// Trains BPE on weighted pre-tokens.
///
/// The result depends on the words, their counts and (under [`TieBreak::FirstSeen`]) the order of their places only.
/// Time O(bytes + places touched by all merges), memory at most about 12 bytes for each byte
/// of distinct pre-tokens.
///
/// # Errors
/// [`Kind::Argument`] for options that contradict each other; [`Kind::Corpus`] for no pre-tokens;
/// [`Kind::Training`] for a vocabulary smaller than alphabet and special tokens, or for counts out of range;
/// what `monitor` answers.
pub fn train_bpe(words: Words, options: &BpeOptions, monitor: &mut dyn Monitor) -> Result<Trained> {
    options.validate()?;
    if words.is_empty() {
        let message = "the corpus has no pre-token: give a text that is not empty, and a pattern that keeps some of it";
        return Err(Error::new(Kind::Corpus, message));
    }
    let specials = options.specials();
    let mut tokens = Tokens::new(options);
    if options.tie_break.specials_first() {
        specials.iter().for_each(|token| {
            tokens.add_special(token.as_bytes());
        });
    }
    let alphabet = Alphabet::build(&words, options, &mut tokens)?;
    let before = tokens.len() + if options.tie_break.specials_first() { 0 } else { specials.len() };
    let target = target(options, &alphabet, before, specials.len())?;
    let mut pulse = Pulse::new(Ticker::new(monitor), target.merges.min(target.ids));
    let corpus = Corpus::build(&words, &alphabet, &mut pulse)?;
    drop(words);
    let (chosen, stopped) = run(options.tie_break, corpus, &mut tokens, target, &mut pulse)?;
    pulse.finish()?;
    Ok(layout::lay_out(options, &tokens, &chosen, stopped))
}

fn run(
    rule: TieBreak,
    corpus: Corpus,
    tokens: &mut Tokens,
    target: Target,
    pulse: &mut Pulse<'_>,
) -> Result<(Vec<Chosen>, StopReason)> {
    match rule {
        TieBreak::Huggingface | TieBreak::RawBytes => Engine::<ById>::new(corpus, tokens, target).run(pulse),
        TieBreak::FirstSeen => Engine::<ByPlace>::new(corpus, tokens, target).run(pulse),
        TieBreak::SentencePiece => Engine::<ByText>::new(corpus, tokens, target).run(pulse),
    }
}

/// Merges and ids that may be made, `before` ids being there from the start.
fn target(options: &BpeOptions, alphabet: &Alphabet, before: usize, specials: usize) -> Result<Target> {
    let room = u64::from(u32::MAX) - before as u64;
    let (merges, ids) = match options.limit {
        Limit::Merges(merges) => (u64::from(merges), room),
        Limit::VocabSize(size) => match u64::from(size).checked_sub(before as u64) {
            Some(ids) => (u64::MAX, ids),
            None => {
                let message = format!(
                    "vocab_size {size} is smaller than the alphabet of {} symbols with {specials} special tokens: \
                     give at least {before}",
                    alphabet.len()
                );
                return Err(Error::new(Kind::Training, message));
            }
        },
    };
    Ok(Target { merges, ids, min_frequency: options.min_frequency.max(1) })
}
