//! How vectors are trained.

use crate::error::{Error, Kind, Result};

/// What is put in for a word in the middle of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Each word of its context by itself.
    SkipGram,
    /// The mean of the words of its context. Each moves as the mean does, as in the code of word2vec.
    Cbow,
}

/// Where negatives come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Negatives {
    /// One draw for all pairs of a window. The rows stay in the cache, which makes it four times as fast.
    Shared,
    /// A draw for each pair, as in word2vec.
    Independent,
}

/// Options of training by context.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainOptions {
    /// What is put in.
    pub method: Method,
    /// Numbers of a vector; at least 1.
    pub dim: usize,
    /// Words before and after a word that count as its context; each window is cut to a random part, at least 1.
    pub window: u32,
    /// Negatives for a pair; at least 1.
    pub negatives: u32,
    /// Where they come from.
    pub sharing: Negatives,
    /// The power of the counts that they are drawn by.
    pub noise_exponent: f64,
    /// Passes over the corpus; at least 1.
    pub epochs: u32,
    /// The threshold of subsampling; 0 keeps every word.
    pub sample: f64,
    /// The learning rate at the start.
    pub alpha: f64,
    /// The learning rate at the end; it falls in a straight line.
    pub min_alpha: f64,
    /// Where random numbers start.
    pub seed: u64,
    /// Threads; more than one make results differ from run to run.
    pub threads: usize,
}

impl Default for TrainOptions {
    fn default() -> Self {
        TrainOptions {
            method: Method::SkipGram,
            dim: 100,
            window: 5,
            negatives: 5,
            sharing: Negatives::Shared,
            noise_exponent: 0.75,
            epochs: 5,
            sample: 1e-3,
            alpha: 0.05,
            min_alpha: 1e-4,
            seed: 0,
            threads: 1,
        }
    }
}

impl TrainOptions {
    /// Looks whether training can work with these.
    ///
    /// # Errors
    /// [`Kind::Argument`] that names the option, its value and what it may be.
    pub fn check(&self) -> Result<()> {
        at_least_1("dim", self.dim as u64)?;
        at_least_1("window", self.window.into())?;
        at_least_1("negatives", self.negatives.into())?;
        at_least_1("epochs", self.epochs.into())?;
        at_least_1("threads", self.threads as u64)?;
        not_negative("sample", self.sample)?;
        not_negative("alpha", self.alpha)?;
        not_negative("min_alpha", self.min_alpha)?;
        if !self.noise_exponent.is_finite() {
            return Err(wrong("noise_exponent", "a finite number", self.noise_exponent));
        }
        if self.alpha == 0.0 || self.alpha < self.min_alpha {
            let message = format!("a number above 0 and not below min_alpha, which is {}", self.min_alpha);
            return Err(wrong("alpha", &message, self.alpha));
        }
        Ok(())
    }
}

fn at_least_1(name: &str, value: u64) -> Result<()> {
    if value == 0 { Err(wrong(name, "at least 1", value)) } else { Ok(()) }
}

fn not_negative(name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(wrong(name, "a finite number of at least 0", value)) }
}

fn wrong(name: &str, expected: &str, value: impl std::fmt::Display) -> Error {
    Error::new(Kind::Argument, format!("the {name:?} parameter must be {expected}; got {value} instead"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_cannot_work_are_named() {
        type Change = fn(&mut TrainOptions);
        let cases: [(&str, Change); 9] = [
            ("dim", |options| options.dim = 0),
            ("window", |options| options.window = 0),
            ("negatives", |options| options.negatives = 0),
            ("epochs", |options| options.epochs = 0),
            ("sample", |options| options.sample = -1.0),
            ("alpha", |options| options.alpha = f64::NAN),
            ("alpha", |options| options.alpha = 0.0),
            ("alpha", |options| options.min_alpha = 1.0),
            ("noise_exponent", |options| options.noise_exponent = f64::INFINITY),
        ];
        assert_eq!(TrainOptions::default().check(), Ok(()));
        for (name, change) in cases {
            let mut options = TrainOptions::default();
            change(&mut options);
            let error = options.check().unwrap_err();
            assert!(error.kind == Kind::Argument && error.message.contains(&format!("{name:?}")), "{error}");
        }
    }
}
