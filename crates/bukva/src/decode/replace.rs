//! Matches in a token replaced by a fixed text.

use std::borrow::Cow;

use super::each::replaced;
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::Pattern;

/// What to look for, compiled, and what to put there.
#[derive(Debug, Clone)]
pub(super) struct Replacer {
    finder: Finder,
    content: String,
}

#[derive(Debug, Clone)]
enum Finder {
    Literal(String),
    // Files hold look-around, which only this engine knows.
    Regex(fancy_regex::Regex),
}

impl Replacer {
    pub(super) fn compile(pattern: &Pattern, content: &str) -> Result<Self> {
        let regex = |source: &str| {
            fancy_regex::Regex::new(source).map(Finder::Regex).map_err(|error| {
                let source = quoted(source);
                Error::new(Kind::Pattern, format!("decoder Replace: {source} is not a regular expression: {error}"))
            })
        };
        let finder = match pattern {
            Pattern::Literal(text) if text.is_empty() => {
                let message = "the decoder Replace looks for an empty text; give one that is not";
                return Err(Error::new(Kind::Pattern, message));
            }
            Pattern::Literal(text) => Finder::Literal(text.clone()),
            Pattern::Regex(source) => regex(source)?,
            Pattern::Named(name) => regex(name.regex())?,
        };
        Ok(Replacer { finder, content: content.to_owned() })
    }

    /// O(n) for a literal text; as the engine's for a regular expression. A regular expression sees the stretches of a
    /// piece that are UTF-8, each for itself.
    pub(super) fn apply<'p>(&self, piece: Cow<'p, [u8]>) -> Result<Cow<'p, [u8]>> {
        let regex = match &self.finder {
            Finder::Literal(sought) => return Ok(replaced(piece, sought.as_bytes(), self.content.as_bytes())),
            Finder::Regex(regex) => regex,
        };
        let mut out = Vec::with_capacity(piece.len());
        for chunk in piece.utf8_chunks() {
            let (text, mut from) = (chunk.valid(), 0);
            for found in regex.find_iter(text) {
                let found = found.map_err(|error| gave_up(regex.as_str(), &error))?;
                out.extend_from_slice(&text.as_bytes()[from..found.start()]);
                out.extend_from_slice(self.content.as_bytes());
                from = found.end();
            }
            out.extend_from_slice(&text.as_bytes()[from..]);
            out.extend_from_slice(chunk.invalid());
        }
        Ok(Cow::Owned(out))
    }
}

fn gave_up(source: &str, error: &fancy_regex::Error) -> Error {
    Error::new(Kind::Pattern, format!("decoder Replace: {} gave up on the text: {error}", quoted(source)))
}
