//! Matches in a token replaced by a fixed text.

use std::borrow::Cow;

use super::each::replaced;
use crate::error::{Error, Kind, Result};
use crate::finder::{Finder, Sought};
use crate::spec::Pattern;

/// What to look for, compiled, and what to put there.
#[derive(Debug, Clone)]
pub(super) struct Replacer {
    finder: Finder,
    content: String,
}

impl Replacer {
    pub(super) fn compile(pattern: &Pattern, content: &str) -> Result<Self> {
        if matches!(pattern, Pattern::Literal(text) if text.is_empty()) {
            let message = "the decoder Replace looks for an empty text; give one that is not";
            return Err(Error::new(Kind::Pattern, message));
        }
        Ok(Replacer { finder: Finder::compile(pattern, "the decoder Replace")?, content: content.to_owned() })
    }

    /// O(n) for a literal text; as the engine's for a regular expression. A regular expression sees the stretches of a
    /// piece that are UTF-8, each for itself.
    pub(super) fn apply<'p>(&self, piece: Cow<'p, [u8]>) -> Result<Cow<'p, [u8]>> {
        if let Sought::Literal(sought) = self.finder.sought() {
            return Ok(replaced(piece, sought.as_bytes(), self.content.as_bytes()));
        }
        let mut out = Vec::with_capacity(piece.len());
        for chunk in piece.utf8_chunks() {
            let (text, mut from) = (chunk.valid(), 0);
            self.finder.each_match(text, |range| {
                out.extend_from_slice(&text.as_bytes()[from..range.start]);
                out.extend_from_slice(self.content.as_bytes());
                from = range.end;
            })?;
            out.extend_from_slice(&text.as_bytes()[from..]);
            out.extend_from_slice(chunk.invalid());
        }
        Ok(Cow::Owned(out))
    }
}
