//! Every match of a pattern replaced by a fixed text.

use std::ops::Range;

use super::align::trimmed;
use crate::align::AlignedText;
use crate::error::Result;
use crate::finder::Finder;
use crate::spec::Pattern;

/// What to look for, compiled, and what to put there.
#[derive(Debug, Clone)]
pub(super) struct Replace {
    finder: Finder,
    content: String,
}

impl Replace {
    pub(super) fn compile(pattern: &Pattern, content: &str) -> Result<Self> {
        Ok(Replace { finder: Finder::compile(pattern, "the normalizer Replace")?, content: content.to_owned() })
    }

    /// O(n) for a literal text; as the engine's for a regular expression.
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) -> Result<()> {
        self.finder.each_match(text, |range| {
            if let Some((changed, new)) = trimmed(&text[range.clone()], &self.content) {
                emit(range.start + changed.start..range.start + changed.end, new);
            }
        })
    }

    /// The same with the places of `tokenizers`.
    pub(super) fn apply_hf(&self, text: &mut AlignedText) -> Result<()> {
        let mut matches = Vec::new();
        self.finder.each_match(text.text(), |range| matches.push(range))?;
        text.replace(matches, &self.content);
        Ok(())
    }
}
