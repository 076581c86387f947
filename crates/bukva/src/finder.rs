//! The matches of a pattern in a text, as Replace looks for them.

use std::ops::Range;

use crate::error::{Error, Kind, Result, quoted};
use crate::spec::Pattern;

/// A compiled pattern. Immutable; shared freely between threads.
#[derive(Debug, Clone)]
pub(crate) struct Finder {
    sought: Sought,
    /// Who looks for it, for messages.
    stage: &'static str,
}

#[derive(Debug, Clone)]
pub(crate) enum Sought {
    Literal(String),
    // A general engine: it knows look-around and possessive quantifiers, which published files use.
    Regex(fancy_regex::Regex),
}

impl Finder {
    /// Compiles the pattern of `stage`, such as `the normalizer Replace`.
    ///
    /// # Errors
    /// [`Kind::Pattern`] for an expression that is none.
    pub(crate) fn compile(pattern: &Pattern, stage: &'static str) -> Result<Self> {
        let regex = |source: &str| {
            fancy_regex::Regex::new(source).map(Sought::Regex).map_err(|error| {
                let source = quoted(source);
                Error::new(Kind::Pattern, format!("{stage}: {source} is not a regular expression: {error}"))
            })
        };
        let sought = match pattern {
            Pattern::Literal(text) => Sought::Literal(text.clone()),
            Pattern::Regex(source) => regex(source)?,
            Pattern::Named(name) => regex(name.regex())?,
        };
        Ok(Finder { sought, stage })
    }

    /// What is looked for.
    pub(crate) fn sought(&self) -> &Sought {
        &self.sought
    }

    /// Every match in turn. An empty match counts, but nothing is found in an empty text, as in `tokenizers`. O(n) for
    /// a literal text; as the engine's for a regular expression.
    ///
    /// # Errors
    /// [`Kind::Pattern`] when a regular expression gives up on the text.
    pub(crate) fn each_match(&self, text: &str, mut each: impl FnMut(Range<usize>)) -> Result<()> {
        match &self.sought {
            _ if text.is_empty() => {}
            Sought::Literal(sought) => {
                text.match_indices(sought.as_str()).for_each(|(at, _)| each(at..at + sought.len()));
            }
            Sought::Regex(regex) => {
                for found in regex.find_iter(text) {
                    let found = found.map_err(|error| self.gave_up(regex.as_str(), &error))?;
                    each(found.start()..found.end());
                }
            }
        }
        Ok(())
    }

    fn gave_up(&self, source: &str, error: &fancy_regex::Error) -> Error {
        Error::new(Kind::Pattern, format!("{}: {} gave up on the text: {error}", self.stage, quoted(source)))
    }
}
