//! Finding added tokens, special ones among them, in a text.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};
use rustc_hash::FxHashSet;

use crate::error::{Error, Kind, Result, quoted};
use crate::spec::{AddedToken, Spec};

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
    fn contains(&self, name: &str) -> bool {
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
    fn forbids(&self, name: &str) -> bool {
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

/// Where an added token stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddedMatch {
    /// First byte.
    pub start: usize,
    /// Byte behind the last.
    pub end: usize,
    /// The token's id.
    pub id: u32,
}

/// The added tokens of a tokenizer, ready to be searched for.
#[derive(Debug)]
pub struct AddedTokens {
    tokens: Vec<AddedToken>,
    /// Answers "is there any at all?", with the crate's fast prefilters. `None` if there are no added tokens.
    any: Option<AhoCorasick>,
    /// Finds every occurrence, overlapping ones too.
    all: Option<AhoCorasick>,
}

impl AddedTokens {
    /// Compiles the added tokens of a specification.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for white-space and word-boundary rules, which this version does not apply.
    pub fn compile(spec: &Spec) -> Result<Self> {
        let tokens = spec.added_tokens.clone();
        for token in &tokens {
            let with_rules = token.lstrip || token.rstrip || token.single_word;
            if with_rules || (token.normalized && spec.normalizer.is_some()) {
                let message = format!(
                    "added token {:?}: lstrip, rstrip, single_word, and matching in normalised text are not supported by this version",
                    token.content
                );
                return Err(Error::new(Kind::Unsupported, message));
            }
        }
        let build = |kind| {
            let contents = tokens.iter().map(|token| token.content.as_bytes());
            let mut builder = AhoCorasick::builder();
            builder.match_kind(kind).kind(Some(AhoCorasickKind::ContiguousNFA)).build(contents)
        };
        let too_many = |error: aho_corasick::BuildError| Error::new(Kind::Argument, format!("added tokens: {error}"));
        let (any, all) = if tokens.is_empty() {
            (None, None)
        } else {
            let any = build(MatchKind::LeftmostFirst).map_err(too_many)?;
            (Some(any), Some(build(MatchKind::Standard).map_err(too_many)?))
        };
        Ok(AddedTokens { tokens, any, all })
    }

    /// The tokens in the order of the specification.
    pub fn tokens(&self) -> &[AddedToken] {
        &self.tokens
    }

    /// Added tokens in `text`, in order and not overlapping: leftmost first, then longest.
    ///
    /// O(n), with a prefilter that skips most text without any.
    ///
    /// # Errors
    /// [`Kind::SpecialToken`] for the first special token that the policy forbids.
    pub fn find(&self, text: &str, policy: &SpecialPolicy) -> Result<Vec<AddedMatch>> {
        match &self.any {
            Some(any) if any.is_match(text) => self.find_present(text, policy),
            _ => Ok(Vec::new()),
        }
    }

    #[cold]
    fn find_present(&self, text: &str, policy: &SpecialPolicy) -> Result<Vec<AddedMatch>> {
        let Some(all) = &self.all else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for place in all.find_overlapping_iter(Input::new(text)) {
            let token = &self.tokens[place.pattern().as_usize()];
            if token.special && policy.forbids(&token.content) {
                return Err(disallowed(&token.content, text, place.start()));
            }
            if !token.special || policy.allowed.contains(&token.content) {
                found.push(AddedMatch { start: place.start(), end: place.end(), id: token.id });
            }
        }
        Ok(leftmost_longest(found))
    }
}

fn leftmost_longest(mut found: Vec<AddedMatch>) -> Vec<AddedMatch> {
    found.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    let mut end = 0;
    found.retain(|place| {
        let free = place.start >= end;
        if free {
            end = place.end;
        }
        free
    });
    found
}

fn disallowed(name: &str, text: &str, at: usize) -> Error {
    let around = text.get(at..).unwrap_or(text);
    let message = format!(
        "the text contains the special token {name:?} at {}: name it in allowed_special to encode it as a control \
         token, or pass disallowed_special=() to encode it as plain text",
        quoted(around)
    );
    Error::new(Kind::SpecialToken, message).at_byte(at as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Alphabet, Bpe, Model, Vocab};

    fn tokens(contents: &[(&str, bool)]) -> AddedTokens {
        let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Chars, Vocab::new(), Vec::new())));
        for (id, (content, special)) in contents.iter().enumerate() {
            spec.added_tokens.push(AddedToken { special: *special, ..AddedToken::special(*content, id as u32) });
        }
        AddedTokens::compile(&spec).unwrap()
    }

    fn spans(found: &[AddedMatch]) -> Vec<(usize, usize, u32)> {
        found.iter().map(|place| (place.start, place.end, place.id)).collect()
    }

    #[test]
    fn special_text_is_an_error_unless_allowed_or_plain() {
        let tokens = tokens(&[("<|end|>", true), ("<|end|>!", true)]);
        let error = tokens.find("a<|end|>", &SpecialPolicy::default()).unwrap_err();
        assert_eq!((error.kind, error.place.byte_offset), (Kind::SpecialToken, Some(1)));
        let plain = SpecialPolicy { allowed: Names::None, disallowed: Names::None };
        assert_eq!(tokens.find("a<|end|>", &plain).unwrap(), []);
        let all = SpecialPolicy { allowed: Names::All, disallowed: Names::All };
        assert_eq!(spans(&tokens.find("a<|end|>!<|end|>", &all).unwrap()), [(1, 9, 1), (9, 16, 0)]);
        let named = Names::Some(FxHashSet::from_iter(["<|end|>".to_owned()]));
        let both = SpecialPolicy { allowed: Names::All, disallowed: named };
        assert_eq!(tokens.find("a<|end|>", &both).unwrap_err().kind, Kind::SpecialToken);
    }

    #[test]
    fn a_token_left_as_plain_text_hides_no_other() {
        let tokens = tokens(&[("<a>b", true), ("b<c>", true)]);
        let only = Names::Some(FxHashSet::from_iter(["b<c>".to_owned()]));
        let policy = SpecialPolicy { allowed: only, disallowed: Names::None };
        assert_eq!(spans(&tokens.find("<a>b<c>", &policy).unwrap()), [(3, 7, 1)]);
    }

    #[test]
    fn added_tokens_that_are_not_special_always_match() {
        let tokens = tokens(&[("foo", false), ("<s>", true)]);
        let plain = SpecialPolicy { allowed: Names::None, disallowed: Names::None };
        assert_eq!(spans(&tokens.find("<s>foo", &plain).unwrap()), [(3, 6, 0)]);
    }
}
