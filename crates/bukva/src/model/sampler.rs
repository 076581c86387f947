//! Sampling: other tokens for the same text, with a seed.

use super::Excluded;
use super::bpe::BpeSampler;
use super::random::Random;
use super::unigram::UnigramEncoder;
use crate::error::{Error, Kind, Result};
use crate::spec::Model;

/// A segmentation and its score, as lists of the best ones give them.
pub type Scored = (Vec<u32>, f64);

/// A model compiled for sampling. Encoding never samples, whatever dropout a file states.
#[derive(Debug)]
pub enum Sampler {
    /// BPE-dropout.
    Bpe(Box<BpeSampler>),
    /// Sampling by score.
    Unigram(Box<UnigramEncoder>),
}

impl Sampler {
    /// Compiles a model, without the ids that plain text never becomes.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for WordPiece and word-level models, which have one segmentation.
    pub fn compile(model: &Model, excluded: &Excluded) -> Result<Self> {
        match model {
            Model::Bpe(bpe) => BpeSampler::compile(bpe, excluded).map(|sampler| Sampler::Bpe(Box::new(sampler))),
            Model::Unigram(model) => Ok(Sampler::Unigram(Box::new(UnigramEncoder::compile(model, excluded)))),
            Model::WordPiece(_) => Err(one_way("WordPiece")),
            Model::WordLevel(_) => Err(one_way("WordLevel")),
        }
    }

    /// Appends the ids of one pre-token, drawn at random. For BPE `alpha` is the probability with which a merge is left
    /// out, for Unigram the exponent of the probabilities: 1 as they are, towards 0 all alike.
    ///
    /// # Errors
    /// [`Kind::Argument`] for an `alpha` that is not finite, is negative, or above 1 for BPE, and for `n_best` with
    /// BPE; [`Kind::UnknownCharacter`] for text without a token.
    pub fn sample(
        &self,
        piece: &[u8],
        alpha: f64,
        n_best: Option<usize>,
        random: &mut Random,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let highest = if matches!(self, Sampler::Bpe(_)) { 1.0 } else { f64::MAX };
        if !(0.0..=highest).contains(&alpha) {
            let message = format!("alpha is {alpha}; expected a number from 0 to {highest}");
            return Err(Error::new(Kind::Argument, message));
        }
        match self {
            Sampler::Bpe(_) if n_best.is_some() => {
                Err(Error::new(Kind::Argument, "n_best is for Unigram models; BPE samples by leaving merges out"))
            }
            Sampler::Bpe(sampler) => sampler.sample(piece, alpha, random, out),
            Sampler::Unigram(encoder) => encoder.sample(piece, alpha, n_best, random, out),
        }
    }

    /// At most `n` segmentations of one pre-token, the highest score first.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for BPE, which scores nothing; [`Kind::UnknownCharacter`] for text without a token.
    pub fn nbest(&self, piece: &[u8], n: usize) -> Result<Vec<Scored>> {
        match self {
            Sampler::Unigram(encoder) => encoder.nbest(piece, n),
            Sampler::Bpe(_) => Err(one_way("BPE")),
        }
    }
}

/// At most `n` pairs of two lists with the highest sums, each list being in order.
pub(crate) fn joined(left: &[Scored], right: &[Scored], n: usize) -> Vec<Scored> {
    let mut pairs = Vec::new();
    for (index, first) in left.iter().enumerate() {
        // Behind the first n / (index + 1) of the right there are n better pairs.
        for second in right.iter().take(n.div_ceil(index + 1)) {
            pairs.push((first.1 + second.1, first, second));
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    pairs.truncate(n);
    pairs.into_iter().map(|(sum, first, second)| ([&first.0[..], &second.0[..]].concat(), sum)).collect()
}

fn one_way(model: &str) -> Error {
    Error::new(Kind::Unsupported, format!("a {model} model has no scored segmentations to choose from"))
}
