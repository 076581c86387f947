//! Every match of a pattern replaced by a fixed text.

use std::ops::Range;

use super::align::trimmed;
use crate::align::AlignedText;
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::Pattern;

/// What to look for, compiled, and what to put there.
#[derive(Debug, Clone)]
pub(super) struct Replace {
    finder: Finder,
    content: String,
}

#[derive(Debug, Clone)]
enum Finder {
    Literal(String),
    // A general engine: it knows look-around and possessive quantifiers, which published files use.
    Regex(fancy_regex::Regex),
}

impl Replace {
    pub(super) fn compile(pattern: &Pattern, content: &str) -> Result<Self> {
        let finder = match pattern {
            Pattern::Literal(text) => Finder::Literal(text.clone()),
            Pattern::Regex(source) => Finder::Regex(compile_regex(source)?),
            Pattern::Named(name) => Finder::Regex(compile_regex(name.regex())?),
        };
        Ok(Replace { finder, content: content.to_owned() })
    }

    /// O(n) for a literal text; as the engine's for a regular expression.
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) -> Result<()> {
        self.each_match(text, |range| {
            if let Some((changed, new)) = trimmed(&text[range.clone()], &self.content) {
                emit(range.start + changed.start..range.start + changed.end, new);
            }
        })
    }

    /// The same with the places of `tokenizers`.
    pub(super) fn apply_hf(&self, text: &mut AlignedText) -> Result<()> {
        let mut matches = Vec::new();
        self.each_match(text.text(), |range| matches.push(range))?;
        text.replace(matches, &self.content);
        Ok(())
    }

    /// Every match in turn. An empty match counts, but nothing is found in an empty text, as in `tokenizers`.
    fn each_match(&self, text: &str, mut each: impl FnMut(Range<usize>)) -> Result<()> {
        match &self.finder {
            _ if text.is_empty() => {}
            Finder::Literal(sought) => {
                text.match_indices(sought.as_str()).for_each(|(at, _)| each(at..at + sought.len()));
            }
            Finder::Regex(regex) => {
                for found in regex.find_iter(text) {
                    let found = found.map_err(|error| gave_up(regex.as_str(), &error))?;
                    each(found.start()..found.end());
                }
            }
        }
        Ok(())
    }
}

fn compile_regex(source: &str) -> Result<fancy_regex::Regex> {
    fancy_regex::Regex::new(source).map_err(|error| {
        Error::new(
            Kind::Pattern,
            format!("the normalizer Replace: {} is not a regular expression: {error}", quoted(source)),
        )
    })
}

fn gave_up(source: &str, error: &fancy_regex::Error) -> Error {
    Error::new(Kind::Pattern, format!("the normalizer Replace: {} gave up on the text: {error}", quoted(source)))
}
