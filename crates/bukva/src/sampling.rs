//! Other segmentations of a text: sampled with a seed, or the best ones in order.

use crate::error::Result;
use crate::model::Excluded;
use crate::model::random::Random;
use crate::model::sampler::{Sampler, Scored, joined};
use crate::pipeline::Tokenizer;

impl Tokenizer {
    /// The model of this tokenizer, compiled for sampling: once, for many texts.
    ///
    /// # Errors
    /// As [`Sampler::compile`].
    pub fn sampler(&self) -> Result<Sampler> {
        Sampler::compile(&self.spec().model, &Excluded::special(self.spec()))
    }

    /// Ids of a text drawn at random, no added token being recognised in it. The same seed gives the same ids. `alpha`
    /// and `n_best` are those of [`Sampler::sample`].
    ///
    /// # Errors
    /// As [`Sampler::sample`], and those of the stages before the model.
    pub fn sample(
        &self,
        sampler: &Sampler,
        text: &str,
        alpha: f64,
        n_best: Option<usize>,
        seed: u64,
    ) -> Result<Vec<u32>> {
        let (mut ids, mut random, mut outcome) = (Vec::new(), Random::new(seed), Ok(()));
        self.for_each_pretoken(text, &mut |piece| {
            if outcome.is_ok() {
                outcome = sampler.sample(piece, alpha, n_best, &mut random, &mut ids);
            }
        })?;
        outcome.map(|()| ids)
    }

    /// At most `n` segmentations of a text with the highest sums of scores, the highest first, no added token being
    /// recognised in it.
    ///
    /// # Errors
    /// As [`Sampler::nbest`], and those of the stages before the model.
    pub fn nbest(&self, sampler: &Sampler, text: &str, n: usize) -> Result<Vec<Scored>> {
        let mut found: Result<Option<Vec<Scored>>> = Ok(None);
        self.for_each_pretoken(text, &mut |piece| {
            let before = std::mem::replace(&mut found, Ok(None));
            found = before.and_then(|before| {
                let next = sampler.nbest(piece, n)?;
                Ok(Some(before.map_or_else(|| next.clone(), |before| joined(&before, &next, n))))
            });
        })?;
        found.map(|found| found.unwrap_or_else(|| vec![(Vec::new(), 0.0)]))
    }
}
