//! What a writer returns: files in memory, and what they could not hold.

use std::fmt;

use crate::error::{Error, Kind, Result};

/// One file in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its usual name inside a folder, such as `tokenizer.json`; with a `/` if it lies in a folder of that.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// One thing that the target format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The part of the tokenizer, such as `pattern` or `special tokens`.
    pub what: &'static str,
    /// What exactly is lost, and how to supply it again where that is possible.
    pub detail: String,
}

impl Loss {
    /// A loss of `what`.
    pub fn new(what: &'static str, detail: impl Into<String>) -> Self {
        Loss { what, detail: detail.into() }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.detail)
    }
}

/// The files of a tokenizer in one format, and what they leave out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The files, at least one.
    pub files: Vec<File>,
    /// What they leave out, in the order of the stages.
    pub losses: Vec<Loss>,
}

impl Written {
    /// One file that holds everything but `losses`.
    pub fn single(name: &str, bytes: Vec<u8>, losses: Vec<Loss>) -> Self {
        Written { files: vec![File { name: name.to_owned(), bytes }], losses }
    }

    /// The same, if nothing was lost.
    ///
    /// # Errors
    /// [`Kind::Loss`], naming every loss.
    pub fn lossless(self) -> Result<Self> {
        if self.losses.is_empty() {
            return Ok(self);
        }
        let named: Vec<String> = self.losses.iter().map(Loss::to_string).collect();
        let message =
            format!("the format cannot hold the whole tokenizer: {}; allow the loss to write it", named.join("; "));
        Err(Error::new(Kind::Loss, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_loss_is_named() {
        let losses = vec![Loss::new("pattern", "\"a+\""), Loss::new("normalizer", "Lowercase")];
        let error = Written::single("x", vec![1], losses).lossless().unwrap_err();
        assert_eq!(error.kind, Kind::Loss);
        assert!(error.message.contains("pattern: \"a+\"; normalizer: Lowercase"), "{error}");
        assert!(Written::single("x", vec![1], vec![]).lossless().is_ok());
    }
}
