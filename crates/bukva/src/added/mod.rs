//! Finding added tokens, special ones among them, in a text.
//!
//! As in the `tokenizers` library there are two searches: tokens that are not `normalized` are found in the text as it
//! stands, the others in the normalized text between those, where their own normalized text is looked for.

mod finder;
mod policy;
mod rules;
mod starts;

use finder::Finder;
pub use policy::{Names, Recognise, SpecialPolicy};
pub use rules::Part;

use std::ops::Range;

use crate::corpus::Uncut;
use crate::error::Result;
use crate::normalize::Normalizer;
use crate::spec::{self, AddedToken, Spec};

/// Where an added token stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AddedMatch {
    start: usize,
    end: usize,
    /// Which of the tokens searched for.
    index: usize,
}

impl AddedMatch {
    fn of(found: aho_corasick::Match) -> Self {
        AddedMatch { start: found.start(), end: found.end(), index: found.pattern().as_usize() }
    }
}

/// The added tokens of a tokenizer, ready to be searched for.
#[derive(Debug)]
pub struct AddedTokens {
    tokens: Vec<AddedToken>,
    in_text: Finder,
    in_normalized: Finder,
}

impl AddedTokens {
    /// Compiles the added tokens of a specification; `normalizer` is its own. A SentencePiece normalizer leaves its
    /// `normalized` tokens to the model, which knows them as user-defined pieces.
    ///
    /// # Errors
    /// Those of the normalizer, on the text of a token.
    pub fn compile(spec: &Spec, normalizer: Option<&Normalizer>) -> Result<Self> {
        let of_model = matches!(spec.normalizer, Some(spec::Normalizer::SentencePiece { .. }));
        let (mut raw, mut normalized) = (Vec::new(), Vec::new());
        for token in &spec.added_tokens {
            match (token.normalized, normalizer) {
                (false, _) => raw.push((token.clone(), token.content.clone())),
                (true, _) if of_model => {}
                (true, None) => normalized.push((token.clone(), token.content.clone())),
                (true, Some(normalizer)) => {
                    normalized.push((token.clone(), normalizer.apply(&token.content)?.into_owned()));
                }
            }
        }
        let (in_text, in_normalized) = (Finder::compile(raw)?, Finder::compile(normalized)?);
        Ok(AddedTokens { tokens: spec.added_tokens.clone(), in_text, in_normalized })
    }

    /// The tokens in the order of the specification.
    pub fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    /// Whether some tokens are found in the normalized text only.
    pub fn any_normalized(&self) -> bool {
        !self.in_normalized.is_empty()
    }

    /// The parts of a text before normalization: added tokens, leftmost first, then longest, and the text between;
    /// none empty, and none at all where no token was found. O(n), with a prefilter that skips most text without any.
    ///
    /// # Errors
    /// [`crate::Kind::SpecialToken`] for the first special token that the policy forbids.
    #[inline]
    pub fn parts_of_text(&self, text: &str, recognise: Recognise) -> Result<Vec<Part>> {
        self.in_text.parts(text, recognise)
    }

    /// The same for normalized text that lies between parts of the first search.
    ///
    /// # Errors
    /// As [`AddedTokens::parts_of_text`].
    #[inline]
    pub fn parts_of_normalized(&self, text: &str, recognise: Recognise) -> Result<Vec<Part>> {
        self.in_normalized.parts(text, recognise)
    }
}

/// The texts by which tokens are found: in the text as it stands, where nothing normalizes it.
impl Uncut for AddedTokens {
    fn longest(&self) -> usize {
        self.in_text.longest().max(self.in_normalized.longest())
    }

    fn occurrences(&self, text: &str) -> Result<Vec<Range<usize>>> {
        let mut found = self.in_text.occurrences(text)?;
        found.extend(self.in_normalized.occurrences(text)?);
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
