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
    /// A literal text without white space is looked for, and ASCII is put there.
    inside_words: bool,
}

impl Replace {
    pub(super) fn compile(pattern: &Pattern, content: &str) -> Result<Self> {
        let finder = Finder::compile(pattern, "the normalizer Replace")?;
        let literal =
            matches!(pattern, Pattern::Literal(text) if !text.is_empty() && !text.contains(char::is_whitespace));
        Ok(Replace { finder, content: content.to_owned(), inside_words: literal && content.is_ascii() })
    }

    /// Whether every match lies inside a word, and ASCII is put there.
    pub(super) fn is_inside_words(&self) -> bool {
        self.inside_words
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
