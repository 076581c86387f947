//! How GloVe is trained.

use crate::error::{Error, Kind, Result};

/// Options of GloVe.
#[derive(Debug, Clone, PartialEq)]
pub struct GloveOptions {
    /// Numbers of a vector; at least 1.
    pub dim: usize,
    /// Passes over the cells; at least 1.
    pub epochs: u32,
    /// From here on a cell weighs 1.
    pub x_max: f64,
    /// The power by which smaller cells weigh less; at least 0.
    pub weight_exponent: f64,
    /// The learning rate of AdaGrad.
    pub alpha: f64,
    /// Where random numbers start.
    pub seed: u64,
    /// Threads; more than one make results differ from run to run.
    pub threads: usize,
}

impl Default for GloveOptions {
    fn default() -> Self {
        GloveOptions { dim: 100, epochs: 25, x_max: 100.0, weight_exponent: 0.75, alpha: 0.05, seed: 0, threads: 1 }
    }
}

impl GloveOptions {
    /// Looks whether training can work with these.
    ///
    /// # Errors
    /// [`Kind::Argument`] that names the option, its value and what it may be.
    pub fn check(&self) -> Result<()> {
        for (name, value) in [("dim", self.dim), ("epochs", self.epochs as usize), ("threads", self.threads)] {
            if value == 0 {
                return Err(wrong(name, "at least 1", 0.0));
            }
        }
        for (name, value) in [("x_max", self.x_max), ("alpha", self.alpha)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(wrong(name, "a finite number above 0", value));
            }
        }
        if !(self.weight_exponent.is_finite() && self.weight_exponent >= 0.0) {
            return Err(wrong("weight_exponent", "a finite number of at least 0", self.weight_exponent));
        }
        Ok(())
    }
}

fn wrong(name: &str, expected: &str, value: f64) -> Error {
    Error::new(Kind::Argument, format!("the {name:?} parameter must be {expected}; got {value} instead"))
}
