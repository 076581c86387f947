//! What to do with the text of special tokens.

use rustc_hash::FxHashSet;

/// A set of special tokens, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Names {
    /// No token.
    #[default]
    None,
    /// Every special token of the tokenizer.
    All,
    /// These; names that are no special token of the tokenizer have no effect.
    Some(FxHashSet<String>),
}

impl Names {
    pub(super) fn contains(&self, name: &str) -> bool {
        match self {
            Names::None => false,
            Names::All => true,
            Names::Some(names) => names.contains(name),
        }
    }
}

/// What to do with the text of special tokens, as in tiktoken.
///
/// A special token that is disallowed by name is an error wherever its text occurs. One that is allowed becomes its
/// id. Of the others, "all disallowed" makes each an error; else they are plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecialPolicy {
    /// These become ids.
    pub allowed: Names,
    /// These are errors: the named ones always, all of them unless allowed.
    pub disallowed: Names,
}

impl SpecialPolicy {
    pub(super) fn forbids(&self, name: &str) -> bool {
        match &self.disallowed {
            Names::All => !self.allowed.contains(name),
            named => named.contains(name),
        }
    }
}

impl Default for SpecialPolicy {
    /// Nothing is allowed, everything else is an error.
    fn default() -> Self {
        SpecialPolicy { allowed: Names::None, disallowed: Names::All }
    }
}

/// Which added tokens are recognised.
#[derive(Debug, Clone, Copy)]
pub enum Recognise<'p> {
    /// Special ones as the policy says, and all others.
    Policy(&'p SpecialPolicy),
    /// As the `tokenizers` library does: all of them; with `special` false (its `encode_special_tokens`) special ones
    /// are text, which still hides the tokens that overlap them.
    Library {
        /// Special tokens become ids.
        special: bool,
    },
}
