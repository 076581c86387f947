//! Splitters by another scanner than the fastest, for tests that take each in turn.

use super::regex::RegexSplitter;
use super::{Instructions, Pretokenizer, Splitter, deepseek};
use crate::error::{Error, Kind, Result};
use crate::paths::Scanner;
use crate::spec::Behavior;

impl Pretokenizer {
    /// The same pre-tokenizer by another scanner.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for instructions that this processor has not.
    pub(crate) fn by(self, scanner: Scanner) -> Result<Self> {
        self.with_cuts(|cut| cut.by(scanner))
    }
}

impl Splitter {
    /// The same splitter by another scanner, where there is one.
    ///
    /// # Errors
    /// As [`Pretokenizer::by`].
    pub fn by(self, scanner: Scanner) -> Result<Self> {
        Ok(match (self, scanner) {
            (Splitter::Named(pattern, _), Scanner::Regex) => isolated(pattern.regex())?,
            (Splitter::Named(pattern, _), _) => Splitter::Named(pattern, instructions(scanner)?),
            (Splitter::DeepSeek(_), Scanner::Regex) => {
                Splitter::Sequence(deepseek::SPLITS.into_iter().map(isolated).collect::<Result<_>>()?)
            }
            (Splitter::DeepSeek(_), _) => Splitter::DeepSeek(instructions(scanner)?),
            (Splitter::Sequence(all), _) => {
                Splitter::Sequence(all.into_iter().map(|one| one.by(scanner)).collect::<Result<_>>()?)
            }
            (other, _) => other,
        })
    }
}

fn isolated(pattern: &str) -> Result<Splitter> {
    Ok(Splitter::Regex { regex: RegexSplitter::compile(pattern)?, behavior: Behavior::Isolated, invert: false })
}

fn instructions(scanner: Scanner) -> Result<Instructions> {
    match scanner {
        Scanner::Characters => Ok(Instructions::CHARACTERS),
        Scanner::Portable => Ok(Instructions::PORTABLE),
        Scanner::Avx2 => Instructions::avx2().ok_or_else(|| {
            Error::new(Kind::Unsupported, "this processor has no AVX2: take the scanner \"automatic\" or \"portable\"")
        }),
        Scanner::Automatic | Scanner::Regex => Ok(Instructions::best()),
    }
}
