//! Which of several ways to the same ids is taken: a switch for tests, which take each in turn; and whether threads
//! remember what they met, which is for the caller to say.

use crate::error::{Error, Kind, Result};
use crate::pipeline::Tokenizer;

/// The ways of one tokenizer. None of them changes an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paths {
    /// How pre-tokens are found.
    pub scanner: Scanner,
    /// Whether each thread keeps what it learned.
    pub cache: bool,
    /// Whether whole tokens are looked up in a table of all. What a model takes whole, whatever its merges say, always is.
    pub whole: bool,
    /// How a byte-pair model merges.
    pub merging: Merging,
}

impl Default for Paths {
    fn default() -> Self {
        Paths { scanner: Scanner::Automatic, cache: true, whole: true, merging: Merging::Automatic }
    }
}

/// How the pre-tokens of named patterns are found. Other patterns have one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scanner {
    /// The fastest of this processor.
    Automatic,
    /// Character by character.
    Characters,
    /// By masks, with instructions that every processor has.
    Portable,
    /// By masks, with AVX2.
    Avx2,
    /// By the regular expression.
    Regex,
}

/// How a byte-pair model merges. Where a way does not serve, such as one for short pieces, the next one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merging {
    /// By the number of symbols; many new pieces in turns.
    Automatic,
    /// The same, but each piece alone.
    Alone,
    /// From bytes, as the definition does; nothing is taken apart beforehand.
    Bytes,
    /// From whole characters, but nothing is taken apart beforehand.
    Together,
    /// By packed ranks.
    Short,
    /// By a queue.
    Long,
    /// Run by run.
    Runs,
    /// By the letter of the rules.
    General,
}

/// A way, and what options call it.
type Named<T> = (&'static str, T);

const SCANNERS: [Named<Scanner>; 5] = [
    ("automatic", Scanner::Automatic),
    ("characters", Scanner::Characters),
    ("portable", Scanner::Portable),
    ("avx2", Scanner::Avx2),
    ("regex", Scanner::Regex),
];

const MERGINGS: [Named<Merging>; 8] = [
    ("automatic", Merging::Automatic),
    ("alone", Merging::Alone),
    ("bytes", Merging::Bytes),
    ("together", Merging::Together),
    ("short", Merging::Short),
    ("long", Merging::Long),
    ("runs", Merging::Runs),
    ("general", Merging::General),
];

impl Paths {
    /// The ways with these names.
    ///
    /// # Errors
    /// [`Kind::Argument`] for a name that there is not.
    pub fn named(scanner: &str, cache: bool, whole: bool, merging: &str) -> Result<Self> {
        let (scanner, merging) = (find("scanner", &SCANNERS, scanner)?, find("merging", &MERGINGS, merging)?);
        Ok(Paths { scanner, cache, whole, merging })
    }
}

fn find<T: Copy>(what: &str, all: &[Named<T>], name: &str) -> Result<T> {
    let found = all.iter().find(|known| known.0 == name).map(|known| known.1);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|known| known.0).collect();
        Error::new(Kind::Argument, format!("unknown {what} {name:?}: expected one of {}", names.join(", ")))
    })
}

impl Tokenizer {
    /// The same tokenizer, whose threads remember nothing: every pre-token that is no token is encoded anew. It shares all
    /// tables. O(1), but for an expression to compile.
    ///
    /// # Errors
    /// None where this tokenizer could be made.
    pub fn without_cache(&self) -> Result<Self> {
        self.with_paths(Paths { cache: false, ..self.paths() })
    }
}

#[cfg(test)]
mod tests;
