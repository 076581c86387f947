//! Finding a set of tokens in a text.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use super::rules::{self, Part};
use super::starts::Starts;
use super::{AddedMatch, Recognise, SpecialPolicy};
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::AddedToken;

/// Tokens with the texts by which they are found.
#[derive(Debug)]
pub(super) struct Finder {
    tokens: Vec<AddedToken>,
    patterns: Vec<String>,
    /// Indexes of special tokens, and of the others.
    kinds: [Vec<usize>; 2],
    /// All tokens, leftmost-longest: finds them where all are recognised, and answers "is there any at all?" with the
    /// crate's fast prefilters. `None` if there are no tokens.
    all: Option<AhoCorasick>,
    starts: Starts,
    /// Special tokens only, every occurrence. Made when a text first has a token.
    special: OnceLock<AhoCorasick>,
    /// The other tokens only, leftmost-longest. Made as `special`.
    ordinary: OnceLock<AhoCorasick>,
    /// All tokens, every occurrence: for texts in which some special tokens are text. Made when first needed.
    every: OnceLock<AhoCorasick>,
}

impl Finder {
    /// Compiles tokens with their patterns; those without a pattern are never found.
    pub(super) fn compile(tokens: Vec<(AddedToken, String)>) -> Result<Self> {
        let (tokens, patterns): (Vec<_>, Vec<_>) =
            tokens.into_iter().filter(|(_, pattern)| !pattern.is_empty()).unzip();
        let all = match patterns.is_empty() {
            true => None,
            false => Some(automaton(patterns.iter(), MatchKind::LeftmostLongest)?),
        };
        let kinds =
            [true, false].map(|special| (0..tokens.len()).filter(|&index| tokens[index].special == special).collect());
        let (special, ordinary, every) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let starts = Starts::of(&patterns);
        Ok(Finder { tokens, patterns, kinds, all, starts, special, ordinary, every })
    }

    /// The parts of a text, none empty; no part at all if it has no token. O(n), with a prefilter that skips most text
    /// without any.
    #[inline]
    pub(super) fn parts(&self, text: &str, recognise: Recognise) -> Result<Vec<Part>> {
        match &self.all {
            Some(all) if self.is_in(all, text) => self.parts_of_present(all, text, recognise),
            _ => Ok(Vec::new()),
        }
    }

    /// Whether a text has any of the tokens. For a short text the automaton's own prefilter takes longer than this one.
    #[inline]
    fn is_in(&self, all: &AhoCorasick, text: &str) -> bool {
        let from = self.starts.first_in(text.as_bytes());
        from.is_some_and(|from| all.is_match(Input::new(text).range(from..)))
    }

    /// Whether there is no token to be found.
    pub(super) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Bytes of the longest text that is searched for.
    pub(super) fn longest(&self) -> usize {
        self.patterns.iter().map(String::len).max().unwrap_or(0)
    }

    /// Where the texts of tokens stand, whatever becomes of them; overlapping ones too. O(n).
    pub(super) fn occurrences(&self, text: &str) -> Result<Vec<Range<usize>>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let every = made(&self.every, || automaton(self.patterns.iter(), MatchKind::Standard))?;
        Ok(every.find_overlapping_iter(Input::new(text)).map(|found| found.range()).collect())
    }

    #[cold]
    fn parts_of_present(&self, all: &AhoCorasick, text: &str, recognise: Recognise) -> Result<Vec<Part>> {
        let longest =
            |automaton: &AhoCorasick| -> Vec<AddedMatch> { automaton.find_iter(text).map(AddedMatch::of).collect() };
        Ok(match recognise {
            Recognise::Library { special } => {
                let recognised = |index: usize| Some(&self.tokens[index]).filter(|token| special || !token.special);
                rules::apply(text, longest(all).into_iter(), recognised)
            }
            Recognise::Policy(policy) => {
                let matches = match self.plain_special(text, policy)? {
                    Plain::NonePresent => self.ordinary_matches(text)?,
                    Plain::None => longest(all),
                    Plain::Some => self.chosen_matches(text, policy)?,
                };
                rules::apply(text, matches.into_iter(), |index| Some(&self.tokens[index]))
            }
        })
    }

    /// Whether special tokens of the text are to stay text.
    fn plain_special(&self, text: &str, policy: &SpecialPolicy) -> Result<Plain> {
        let [specials, _] = &self.kinds;
        if specials.is_empty() {
            return Ok(Plain::None);
        }
        let special = made(&self.special, || automaton(self.patterns_of(specials), MatchKind::Standard))?;
        let mut plain = Plain::NonePresent;
        for found in special.find_overlapping_iter(Input::new(text)) {
            let token = &self.tokens[specials[found.pattern().as_usize()]];
            if policy.forbids(&token.content) {
                return Err(disallowed(&token.content, text, found.start()));
            }
            let stays = !policy.allowed.contains(&token.content);
            plain = if stays || plain == Plain::Some { Plain::Some } else { Plain::None };
        }
        Ok(plain)
    }

    fn ordinary_matches(&self, text: &str) -> Result<Vec<AddedMatch>> {
        let [_, others] = &self.kinds;
        let ordinary = made(&self.ordinary, || automaton(self.patterns_of(others), MatchKind::LeftmostLongest))?;
        let found = ordinary.find_iter(text).map(AddedMatch::of);
        Ok(found.map(|found| AddedMatch { index: others[found.index], ..found }).collect())
    }

    /// Leftmost-longest among the tokens that the policy recognises: one that stays text hides no other.
    fn chosen_matches(&self, text: &str, policy: &SpecialPolicy) -> Result<Vec<AddedMatch>> {
        let every = made(&self.every, || automaton(self.patterns.iter(), MatchKind::Standard))?;
        let chosen = |found: &AddedMatch| {
            let token = &self.tokens[found.index];
            !token.special || policy.allowed.contains(&token.content)
        };
        let found = every.find_overlapping_iter(Input::new(text)).map(AddedMatch::of).filter(chosen);
        Ok(leftmost_longest(found.collect()))
    }

    fn patterns_of<'a>(&'a self, indexes: &'a [usize]) -> impl Iterator<Item = &'a String> {
        indexes.iter().map(|&index| &self.patterns[index])
    }
}

/// What the policy makes of the special tokens of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    /// The text has none.
    NonePresent,
    /// It recognises all.
    None,
    /// Some stay text.
    Some,
}

fn automaton<'p>(patterns: impl Iterator<Item = &'p String>, kind: MatchKind) -> Result<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    let built = builder.match_kind(kind).kind(Some(AhoCorasickKind::ContiguousNFA)).build(patterns);
    built.map_err(|error| Error::new(Kind::Argument, format!("added tokens: {error}")))
}

fn made<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    match cell.get() {
        Some(made) => Ok(made),
        None => {
            let made = make()?;
            Ok(cell.get_or_init(|| made))
        }
    }
}

fn leftmost_longest(mut found: Vec<AddedMatch>) -> Vec<AddedMatch> {
    found.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end), place.index));
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
