//! Text → pre-tokens.
//!
//! [`Splitter`] is a compiled [`crate::spec::Pretokenizer`]. Each named pattern has a scanner of its own that reads
//! the text once, by classes of Unicode 16; the same pattern on the regex engine is its oracle in the tests. Any
//! other pattern runs on [`regex`].

mod behavior;
mod cl100k;
mod cut;
mod gpt2;
pub mod named;
mod o200k;
mod reader;
pub mod regex;
mod syntax;
mod words;

use self::regex::RegexSplitter;
pub use named::pretokenizer_of;

use crate::error::{Error, Kind, Result};
use crate::spec::{Behavior, NamedPattern, Pattern, Pretokenizer};

/// A compiled pre-tokenizer. Immutable; shared freely between threads.
#[derive(Debug)]
pub enum Splitter {
    /// The whole text is one pre-token.
    Whole,
    /// A named pattern, by its own scanner.
    Named(NamedPattern),
    /// `\w+|[^\w\s]+`, the rest dropped.
    Words,
    /// At white space, which is dropped.
    Whitespace,
    /// Any regular expression.
    Regex {
        /// The compiled expression.
        regex: RegexSplitter,
        /// What becomes of a match.
        behavior: Behavior,
        /// Matches and gaps change places.
        invert: bool,
    },
    /// Each in turn, on the pieces of the one before.
    Sequence(Vec<Splitter>),
}

impl Splitter {
    /// Compiles a pre-tokenizer; none makes the whole text one pre-token.
    ///
    /// # Errors
    /// [`Kind::Pattern`] for an invalid expression, [`Kind::Unsupported`] for a kind this version does not run.
    pub fn compile(spec: Option<&Pretokenizer>) -> Result<Self> {
        let Some(spec) = spec else { return Ok(Splitter::Whole) };
        match spec {
            Pretokenizer::Words => Ok(Splitter::Words),
            Pretokenizer::Whitespace => Ok(Splitter::Whitespace),
            Pretokenizer::Split { pattern, behavior, invert } => Self::compile_split(pattern, *behavior, *invert),
            Pretokenizer::ByteLevel { add_prefix_space: false, use_regex, .. } => {
                Ok(if *use_regex { Splitter::Named(NamedPattern::Gpt2) } else { Splitter::Whole })
            }
            Pretokenizer::Sequence { items } => Self::compile_sequence(items),
            Pretokenizer::ByteLevel { .. } => Err(unsupported("ByteLevel with add_prefix_space")),
            Pretokenizer::Bert => Err(unsupported("BertPreTokenizer")),
            Pretokenizer::Metaspace { .. } => Err(unsupported("Metaspace")),
            Pretokenizer::Digits { .. } => Err(unsupported("Digits")),
            Pretokenizer::Punctuation { .. } => Err(unsupported("Punctuation")),
            Pretokenizer::UnicodeScripts => Err(unsupported("UnicodeScripts")),
            Pretokenizer::CharDelimiter { .. } => Err(unsupported("CharDelimiterSplit")),
            Pretokenizer::FixedLength { .. } => Err(unsupported("FixedLength")),
        }
    }

    fn compile_split(pattern: &Pattern, behavior: Behavior, invert: bool) -> Result<Self> {
        let regex = match pattern {
            // A named pattern matches everywhere, so there are no gaps and nothing to invert or to join.
            Pattern::Named(named) if behavior == Behavior::Isolated && !invert => return Ok(Splitter::Named(*named)),
            Pattern::Named(named) => RegexSplitter::compile(named.regex())?,
            Pattern::Regex(regex) => RegexSplitter::compile(regex)?,
            Pattern::Literal(text) => RegexSplitter::compile(&regex_syntax::escape(text))?,
        };
        Ok(Splitter::Regex { regex, behavior, invert })
    }

    fn compile_sequence(items: &[Pretokenizer]) -> Result<Self> {
        let mut splitters = Vec::new();
        for item in items {
            match Self::compile(Some(item))? {
                Splitter::Whole => {}
                splitter => splitters.push(splitter),
            }
        }
        Ok(match splitters.len() {
            0 => Splitter::Whole,
            1 => splitters.remove(0),
            _ => Splitter::Sequence(splitters),
        })
    }

    /// Calls `emit` with the byte range of every pre-token, in order; none is empty.
    ///
    /// O(n) for the scanners and for expressions without look-around.
    ///
    /// # Errors
    /// [`Kind::Pattern`] if the backtracking engine gives up on the text.
    #[inline]
    pub fn for_each(&self, text: &str, mut emit: impl FnMut(usize, usize)) -> Result<()> {
        match self {
            Splitter::Whole if text.is_empty() => {}
            Splitter::Whole => emit(0, text.len()),
            Splitter::Named(NamedPattern::Gpt2) => gpt2::scan(text, emit),
            Splitter::Named(NamedPattern::Cl100k) => cl100k::scan::<3, true>(text, emit),
            Splitter::Named(NamedPattern::Llama3 | NamedPattern::Course) => cl100k::scan::<3, false>(text, emit),
            Splitter::Named(NamedPattern::Qwen2) => cl100k::scan::<1, false>(text, emit),
            Splitter::Named(NamedPattern::O200k) => o200k::scan(text, emit),
            Splitter::Words => words::scan_words(text, emit),
            Splitter::Whitespace => words::scan_whitespace(text, emit),
            Splitter::Regex { regex, behavior, invert } => behavior::split(regex, *behavior, *invert, text, emit)?,
            Splitter::Sequence(splitters) => return nested(splitters, text, 0, &mut emit),
        }
        Ok(())
    }

    /// Whether pre-tokens tile the text: nothing is dropped.
    pub fn keeps_everything(&self) -> bool {
        match self {
            Splitter::Whole | Splitter::Named(_) => true,
            Splitter::Words | Splitter::Whitespace => false,
            Splitter::Regex { behavior, .. } => *behavior != Behavior::Removed,
            Splitter::Sequence(splitters) => splitters.iter().all(Self::keeps_everything),
        }
    }

    /// Whether a scanner made for the pattern runs, rather than the regex engine.
    pub fn is_scanner(&self) -> bool {
        match self {
            Splitter::Regex { .. } => false,
            Splitter::Sequence(splitters) => splitters.iter().all(Self::is_scanner),
            _ => true,
        }
    }
}

/// Splits the pieces of each splitter by the next one. Dynamic dispatch: recursion over closures has no end otherwise.
fn nested(splitters: &[Splitter], text: &str, base: usize, emit: &mut dyn FnMut(usize, usize)) -> Result<()> {
    let Some((first, rest)) = splitters.split_first() else {
        emit(base, base + text.len());
        return Ok(());
    };
    let mut pieces = Vec::new();
    first.for_each_piece(text, &mut pieces)?;
    for (from, to) in pieces {
        nested(rest, &text[from..to], base + from, emit)?;
    }
    Ok(())
}

impl Splitter {
    fn for_each_piece(&self, text: &str, pieces: &mut Vec<(usize, usize)>) -> Result<()> {
        match self {
            Splitter::Sequence(splitters) => nested(splitters, text, 0, &mut |from, to| pieces.push((from, to))),
            single => single.for_each(text, |from, to| pieces.push((from, to))),
        }
    }
}

fn unsupported(name: &str) -> Error {
    Error::new(Kind::Unsupported, format!("the pre-tokenizer {name} is not supported by this version"))
}

#[cfg(test)]
mod tests;
