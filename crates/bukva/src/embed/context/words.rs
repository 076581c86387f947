//! What the words of a text are.

use std::ops::Range;
use std::sync::Arc;

use super::letters;
use crate::added::{Names, SpecialPolicy};
use crate::corpus::{Cuts, Cutter};
use crate::error::Result;
use crate::normalize::{Normalizer, Part};
use crate::pipeline::Tokenizer;
use crate::pretokenize::Splitter;
use crate::pretokenize::regex::RegexSplitter;

/// The pattern of words where none is given.
pub const WORD_PATTERN: &str = r"\p{L}+|\p{N}+";

/// How text becomes words. Immutable; shared between threads.
pub struct Words {
    normalizer: Option<Normalizer>,
    by: By,
}

enum By {
    /// [`WORD_PATTERN`], by a scanner.
    Letters,
    /// A named splitter that drops white space.
    Splitter(Splitter),
    /// The matches of an expression.
    Matches(RegexSplitter),
    /// The tokens of a tokenizer; special tokens are text here.
    Tokens(Arc<Tokenizer>),
}

impl Words {
    /// Words by a pattern: `whitespace` (runs of anything but white space), `words` (`\w+|[^\w\s]+`), or a regular
    /// expression, whose matches are the words. Text is normalized first.
    ///
    /// # Errors
    /// [`crate::Kind::Pattern`] for an expression that is none.
    pub fn by_pattern(pattern: &str, normalizer: Option<Normalizer>) -> Result<Self> {
        let by = match pattern {
            WORD_PATTERN => By::Letters,
            "whitespace" => By::Splitter(Splitter::Whitespace),
            "words" => By::Splitter(Splitter::Words),
            other => By::Matches(RegexSplitter::compile(other)?),
        };
        Ok(Words { normalizer, by })
    }

    /// The tokens of a tokenizer.
    pub fn by_tokenizer(tokenizer: Arc<Tokenizer>) -> Self {
        Words { normalizer: None, by: By::Tokens(tokenizer) }
    }

    /// The tokenizer, where words are tokens.
    pub(super) fn tokenizer(&self) -> Option<&Tokenizer> {
        match &self.by {
            By::Tokens(tokenizer) => Some(tokenizer),
            _ => None,
        }
    }

    /// Where documents may be cut without a change to their words.
    pub(super) fn cuts(&self) -> Cuts<'_> {
        let cutter: &(dyn Cutter + Sync) = match &self.by {
            // A letter before and neither letter nor number behind: a word ends there by either pattern.
            By::Letters => &Splitter::Words,
            By::Splitter(splitter) => splitter,
            By::Matches(_) | By::Tokens(_) => return Cuts::never(),
        };
        Cuts::new(self.normalizer.as_ref(), cutter)
    }

    /// Calls `emit` with each word of a text that is not by a tokenizer: with the normalized text, and where the word lies
    /// in it.
    ///
    /// # Errors
    /// What normalizer and expression answer.
    pub(super) fn for_each_word(
        &self,
        text: &str,
        part: Part,
        mut emit: impl FnMut(&[u8], Range<usize>),
    ) -> Result<()> {
        let normalized = self.normalizer.as_ref().map(|normalizer| normalizer.apply_part(text, part)).transpose()?;
        let text = normalized.as_deref().unwrap_or(text);
        let mut word = |from: usize, to: usize| emit(text.as_bytes(), from..to);
        match &self.by {
            By::Letters => letters::scan(text, word),
            By::Splitter(splitter) => splitter.for_each(text, word)?,
            By::Matches(regex) => regex.for_each_match(text, |from, to| {
                if from < to {
                    word(from, to)
                }
            })?,
            By::Tokens(_) => {}
        }
        Ok(())
    }
}

/// The ids of a text in which special tokens are text.
///
/// # Errors
/// What the tokenizer answers.
pub(super) fn tokens_of(tokenizer: &Tokenizer, text: &str, out: &mut Vec<u32>) -> Result<()> {
    tokenizer.encode(text, &SpecialPolicy { allowed: Names::None, disallowed: Names::None }, out)
}
