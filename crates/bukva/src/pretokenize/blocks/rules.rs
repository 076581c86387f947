//! What tells one family of patterns from another.

use crate::pretokenize::reader::Reader;

/// A pattern whose matches tile the text, told by what its branches have in common with those of the others.
pub(in crate::pretokenize) trait Rules {
    /// Whether a word takes the character before it along, unless that is a letter, a number or a newline:
    /// `[^\r\n\p{L}\p{N}]?\p{L}+`. Else it takes a space only: ` ?\p{L}+`.
    const ANY_LEAD: bool;
    /// Whether a number takes a space along: ` ?\p{N}+`.
    const SPACE_BEFORE_NUMBER: bool;
    /// The most digits of a pre-token; 0 if there is no bound. 1 and 3 are known.
    const DIGITS: usize;
    /// Whether newlines end white space, and symbols take them along: `[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+`.
    const NEWLINES: bool;
    /// Whether words are split before capitals and hold marks, and symbols take slashes along behind newlines.
    const CASES: bool;
    /// Where an English contraction's ending stands.
    const CONTRACTIONS: Contractions;

    /// The end of the pre-token that starts at `start`: the pattern, read character by character.
    fn next(text: &Reader, start: usize) -> usize;
}

/// Where `'s`, `'ll` and their like belong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::pretokenize) enum Contractions {
    /// A pre-token of their own, in small letters.
    ApartInLowercase,
    /// A pre-token of their own.
    Apart,
    /// The end of the word before.
    OfTheWord,
}
