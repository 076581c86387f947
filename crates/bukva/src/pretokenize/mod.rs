//! Text → pre-tokens.
//!
//! [`Splitter`] cuts a text and changes nothing. Each named pattern has a scanner of its own that reads the text once,
//! by classes of Unicode 16; the same pattern on the regex engine is its oracle in the tests. Any other pattern runs on
//! [`regex`]. [`Pretokenizer`] is a compiled [`spec::Pretokenizer`]: a splitter, and after it, for the few kinds that
//! rewrite text, [`Step`](steps)s that do.

mod behavior;
mod bert;
mod blocks;
mod chars;
mod cl100k;
mod cut;
mod deepseek;
mod emit;
mod fixed_length;
mod forced;
mod gpt2;
mod groups;
mod metaspace;
pub mod named;
mod o200k;
mod reader;
pub mod regex;
mod rewriting;
mod scripts;
mod split_hf;
mod steps;
mod syntax;
mod words;

use self::behavior::Joiner;
pub use self::blocks::Instructions;
pub use self::chars::CharKind;
use self::cl100k::Cl100k;
pub(crate) use self::emit::Emit;
pub(crate) use self::groups::{MANY, in_groups};
use self::regex::RegexSplitter;
pub use self::rewriting::Rewritten;
pub use self::steps::Pretokenizer;
pub use named::pretokenizer_of;

use crate::error::Result;
use crate::spec::{self, Behavior, NamedPattern, Pattern};

/// A compiled pre-tokenizer that only cuts. Immutable; shared freely between threads.
#[derive(Debug)]
pub enum Splitter {
    /// The whole text is one pre-token.
    Whole,
    /// A named pattern, by its own scanner.
    Named(NamedPattern, Instructions),
    /// The three splits of DeepSeek V3 and R1 in one pass.
    DeepSeek(Instructions),
    /// `\w+|[^\w\s]+`, the rest dropped.
    Words,
    /// At white space, which is dropped.
    Whitespace,
    /// At white space, which is dropped, and around punctuation.
    Bert,
    /// Where the script changes.
    Scripts,
    /// So many characters a piece; not 0.
    FixedLength(usize),
    /// At characters of a kind.
    Chars {
        /// The characters that match.
        kind: CharKind,
        /// What becomes of a match.
        behavior: Behavior,
    },
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
    /// Compiles a pre-tokenizer that only cuts; none makes the whole text one pre-token.
    ///
    /// # Errors
    /// [`Kind::Pattern`] for an invalid expression, [`Kind::Unsupported`] for one that rewrites text.
    pub fn compile(spec: Option<&spec::Pretokenizer>) -> Result<Self> {
        Pretokenizer::compile(spec, true)?.into_splitter()
    }

    /// A named pattern, by the fastest scanner of this processor.
    pub fn named(pattern: NamedPattern) -> Self {
        Splitter::Named(pattern, Instructions::best())
    }

    /// The three splits of DeepSeek V3 and R1, by the fastest scanner of this processor.
    pub fn deepseek() -> Self {
        Splitter::DeepSeek(Instructions::best())
    }

    fn compile_split(pattern: &Pattern, behavior: Behavior, invert: bool) -> Result<Self> {
        let regex = match pattern {
            // A named pattern matches everywhere, so there are no gaps and nothing to invert or to join.
            Pattern::Named(named) if behavior == Behavior::Isolated && !invert => return Ok(Splitter::named(*named)),
            Pattern::Named(named) => RegexSplitter::compile(named.regex())?,
            Pattern::Regex(regex) => RegexSplitter::compile(regex)?,
            Pattern::Literal(text) => RegexSplitter::compile(&regex_syntax::escape(text))?,
        };
        Ok(Splitter::Regex { regex, behavior, invert })
    }

    /// This splitter, and `next` on its pieces.
    fn then(self, next: Splitter) -> Self {
        match (self, next) {
            (Splitter::Whole, other) | (other, Splitter::Whole) => other,
            (Splitter::Sequence(mut splitters), next) => {
                splitters.push(next);
                Splitter::Sequence(splitters)
            }
            (first, next) => Splitter::Sequence(vec![first, next]),
        }
    }

    /// Calls `emit` with the byte range of every pre-token, in order; none is empty.
    ///
    /// O(n) for the scanners and for expressions without look-around.
    ///
    /// # Errors
    /// [`Kind::Pattern`] if the backtracking engine gives up on the text.
    #[inline]
    pub fn for_each(&self, text: &str, mut emit: impl FnMut(usize, usize)) -> Result<()> {
        self.give(text, &mut emit)
    }

    /// The same for what can take many at once.
    #[inline]
    fn give(&self, text: &str, to: &mut impl Emit) -> Result<()> {
        let mut emit = |start: usize, end: usize| to.one(start, end);
        match self {
            Splitter::Whole if text.is_empty() => {}
            Splitter::Whole => emit(0, text.len()),
            Splitter::Named(NamedPattern::Gpt2, by) => blocks::scan::<gpt2::Gpt2>(text, *by, to),
            Splitter::Named(NamedPattern::Cl100k, by) => blocks::scan::<Cl100k<3, true>>(text, *by, to),
            Splitter::Named(NamedPattern::Llama3 | NamedPattern::Course, by) => {
                blocks::scan::<Cl100k<3, false>>(text, *by, to)
            }
            Splitter::Named(NamedPattern::Qwen2, by) => blocks::scan::<Cl100k<1, false>>(text, *by, to),
            Splitter::Named(NamedPattern::O200k, by) => blocks::scan::<o200k::O200k>(text, *by, to),
            Splitter::DeepSeek(by) => blocks::scan::<deepseek::DeepSeek>(text, *by, to),
            Splitter::Words => words::scan_words(text, emit),
            Splitter::Whitespace => words::scan_whitespace(text, emit),
            Splitter::Bert => bert::scan(text, emit),
            Splitter::Scripts => scripts::scan(text, emit),
            Splitter::FixedLength(length) => fixed_length::scan(text, *length, emit),
            Splitter::Chars { kind, behavior } => {
                let mut joiner = Joiner::new(*behavior, false, emit);
                kind.for_each_match(text, |from, to| joiner.found(from, to));
                joiner.finish(text.len());
            }
            Splitter::Regex { regex, behavior, invert } => {
                let mut joiner = Joiner::new(*behavior, *invert, emit);
                regex.for_each_place(text, |from, to| joiner.found(from, to))?;
                joiner.finish(text.len());
            }
            Splitter::Sequence(splitters) => return nested(splitters, text, 0, &mut emit),
        }
        Ok(())
    }

    /// Whether pre-tokens tile the text: nothing is dropped.
    pub fn keeps_everything(&self) -> bool {
        match self {
            Splitter::Whole | Splitter::Named(..) | Splitter::DeepSeek(_) | Splitter::FixedLength(_) => true,
            Splitter::Words | Splitter::Whitespace | Splitter::Bert | Splitter::Scripts => false,
            Splitter::Regex { behavior, .. } | Splitter::Chars { behavior, .. } => *behavior != Behavior::Removed,
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

#[cfg(test)]
mod code_points;
#[cfg(test)]
mod tests;
