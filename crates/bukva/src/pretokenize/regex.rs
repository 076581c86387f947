//! Patterns without a scanner of their own: a regular-expression engine.
//!
//! Two engines, chosen by what the pattern needs. A pattern without look-around, back references, atomic groups
//! and possessive quantifiers runs on `regex-automata` in linear time; so does one of the usual shape
//! `…|\s+(?!\S)|\s+`, whose look-ahead is done by hand. Everything else runs on `fancy-regex`, which backtracks
//! and gives up with an error after a bounded number of steps. `regex-automata` never sees a possessive
//! quantifier: it would read `a++` as `(a+)+`.

use regex_automata::meta::Regex;

use super::syntax::{Alternatives, needs_backtracking};
use crate::error::{Error, Kind, Result, quoted};

/// Steps of backtracking after which a match is given up: well under a second of work.
const BACKTRACK_LIMIT: usize = 10_000_000;

/// A compiled regular expression that finds matches from left to right.
#[derive(Debug)]
pub struct RegexSplitter {
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    /// Alternatives as separate patterns; `shortened` is the one that was written `\s+(?!\S)`.
    Automata {
        regex: Regex,
        shortened: Option<usize>,
    },
    Backtracking(Box<fancy_regex::Regex>),
}

impl RegexSplitter {
    /// Compiles a pattern in the syntax of the Rust `regex` crate, with look-around and possessive quantifiers.
    ///
    /// # Errors
    /// [`Kind::Pattern`] with the engine's explanation.
    pub fn compile(pattern: &str) -> Result<Self> {
        let invalid = |reason: String| {
            Error::new(
                Kind::Pattern,
                format!("pattern {} is not a valid regular expression: {reason}", quoted(pattern)),
            )
        };
        let alternatives = Alternatives::of(pattern);
        let engine = if alternatives.patterns.iter().any(|part| needs_backtracking(part)) {
            let regex = fancy_regex::RegexBuilder::new(pattern).backtrack_limit(BACKTRACK_LIMIT).build();
            Engine::Backtracking(Box::new(regex.map_err(|error| invalid(error.to_string()))?))
        } else {
            let regex = Regex::new_many(&alternatives.patterns).map_err(|error| invalid(error_chain(&error)))?;
            Engine::Automata { regex, shortened: alternatives.shortened }
        };
        Ok(RegexSplitter { engine })
    }

    /// Calls `found` with every match that is not empty, from left to right.
    ///
    /// # Errors
    /// [`Kind::Pattern`] if the backtracking engine gives up; the error names the byte where it did.
    pub fn for_each_match(&self, text: &str, mut found: impl FnMut(usize, usize)) -> Result<()> {
        self.for_each_place(text, |from, to| {
            if from < to {
                found(from, to);
            }
        })
    }

    /// Calls `found` with every match, empty ones too, but for those right behind another match.
    ///
    /// # Errors
    /// As [`RegexSplitter::for_each_match`].
    pub fn for_each_place(&self, text: &str, mut found: impl FnMut(usize, usize)) -> Result<()> {
        match &self.engine {
            Engine::Automata { regex, shortened } => automata(regex, *shortened, text, found),
            Engine::Backtracking(regex) => {
                for at in regex.find_iter(text) {
                    let at = at.map_err(|error| gave_up(&error))?;
                    found(at.start(), at.end());
                }
            }
        }
        Ok(())
    }
}

fn automata(regex: &Regex, shortened: Option<usize>, text: &str, mut found: impl FnMut(usize, usize)) {
    let mut input = regex_automata::Input::new(text);
    let mut last_end = None;
    while let Some(at) = regex.search(&input) {
        let mut end = at.end();
        if Some(at.pattern().as_usize()) == shortened {
            end = without_last_if_followed(text, at.start(), end);
        }
        let mut next = end;
        if end == at.start() && last_end == Some(end) {
            // The same empty match again, or one behind a match: the search moves on by one character.
            next += text[end..].chars().next().map_or(1, char::len_utf8);
        } else {
            found(at.start(), end);
            last_end = Some(end);
        }
        if next > text.len() {
            return;
        }
        input.set_start(next);
    }
}

/// The end of `\s+(?!\S)` whose `\s+` matched `start..end`: white space before a character that is none gives its
/// last character back, unless it has only one, which then is the match of the `\s+` that follows in the pattern.
fn without_last_if_followed(text: &str, start: usize, end: usize) -> usize {
    if end == text.len() {
        return end;
    }
    match text[start..end].char_indices().next_back() {
        Some((last, _)) if last > 0 => start + last,
        _ => end,
    }
}

fn gave_up(error: &fancy_regex::Error) -> Error {
    let message = format!("the pattern gave up on this text: {error}; simplify its nested repetitions");
    Error::new(Kind::Pattern, message)
}

fn error_chain(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        message = format!("{message}: {inner}");
        source = inner.source();
    }
    message
}
