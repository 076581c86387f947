//! Sampling and lists of the best segmentations.

use std::sync::{Arc, OnceLock};

use bukva::model::sampler::{Sampler, Scored};
use bukva::pipeline::Tokenizer;
use bukva::{Error, Kind, Result};

/// The sampler of one tokenizer, compiled when first asked for.
#[derive(Default)]
pub struct Samplers {
    compiled: OnceLock<Arc<Sampler>>,
}

impl Samplers {
    fn get(&self, tokenizer: &Tokenizer) -> Result<Arc<Sampler>> {
        if let Some(sampler) = self.compiled.get() {
            return Ok(sampler.clone());
        }
        let sampler = Arc::new(tokenizer.sampler()?);
        Ok(self.compiled.get_or_init(|| sampler).clone())
    }

    /// Ids drawn at random; `n_best` -1 for all segmentations.
    pub fn sample(&self, tokenizer: &Tokenizer, text: &str, alpha: f64, seed: u64, n_best: i64) -> Result<Vec<u32>> {
        let n_best = match n_best {
            -1 => None,
            1.. => Some(n_best as usize),
            _ => {
                let message = format!("n_best is {n_best}; expected a positive number, or -1 for all segmentations");
                return Err(Error::new(Kind::Argument, message));
            }
        };
        tokenizer.sample(&*self.get(tokenizer)?, text, alpha, n_best, seed)
    }

    /// The best segmentations with their scores.
    pub fn nbest(&self, tokenizer: &Tokenizer, text: &str, n: usize) -> Result<Vec<Scored>> {
        tokenizer.nbest(&*self.get(tokenizer)?, text, n)
    }
}
