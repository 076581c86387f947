//! What counts as standing near, and how much.

use crate::error::{Error, Kind, Result};

/// What a pair of words at a distance d counts in a window of w.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighting {
    /// 1/d, as in GloVe.
    Harmonic,
    /// 1.
    Flat,
    /// (w - d + 1)/w: what the windows of word2vec count on average.
    Dynamic,
}

/// Where the context of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Before it and behind it: the matrix is symmetric.
    Both,
    /// Before it.
    Left,
    /// Behind it.
    Right,
}

/// Options of counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountOptions {
    /// Words on each side; at least 1.
    pub window: u32,
    /// What a pair counts.
    pub weighting: Weighting,
    /// Which sides.
    pub sides: Sides,
    /// Threads, at least 1. The result does not depend on them.
    pub threads: usize,
    /// Bytes that corpus, cells and working memory may take together.
    pub memory_limit: Option<u64>,
}

impl Default for CountOptions {
    fn default() -> Self {
        CountOptions { window: 5, weighting: Weighting::Harmonic, sides: Sides::Both, threads: 1, memory_limit: None }
    }
}

impl CountOptions {
    /// Looks whether counting can work with these.
    ///
    /// # Errors
    /// [`Kind::Argument`] that names the option and what it may be.
    pub fn check(&self) -> Result<()> {
        for (name, value) in [("window", self.window as usize), ("threads", self.threads)] {
            if value == 0 {
                let message = format!("the {name:?} parameter must be at least 1; got 0 instead");
                return Err(Error::new(Kind::Argument, message));
            }
        }
        Ok(())
    }
}
