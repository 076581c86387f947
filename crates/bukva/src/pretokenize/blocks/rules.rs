//! What a scanner has to know of a pattern, and what tells one family of patterns from another.

use super::masks::Masks;
use super::starts;
use crate::pretokenize::reader::Reader;
use crate::unicode::Classes;

/// What is seen of a text around a block.
pub(in crate::pretokenize) struct Sight<'t> {
    /// The block.
    pub here: &'t Masks,
    /// The block behind it.
    pub next: &'t Masks,
    pub text: &'t Reader<'t>,
    /// Where the block begins in the text.
    pub base: usize,
    /// A start, at the beginning of the block or before, up to which nothing is unknown.
    pub open: usize,
}

/// Splits that tile the text.
pub(in crate::pretokenize) trait Rules {
    /// Whether numbers, and runs of Chinese characters and kana, are cut out before all else, so that nothing beside
    /// them sees across their borders. Then marks count as letters, and symbols are told from other characters.
    const ZONES: bool;

    /// What is kept of a block for the one behind it.
    type Before: Default;

    /// What tells the classes of a character, as [`Masks`] takes them.
    fn classes() -> impl Fn(u32) -> u8;

    /// Where pre-tokens start in a block: exact, unless there is no answer.
    fn starts(before: &mut Self::Before, sight: &Sight) -> Option<u64>;

    /// The end of the pre-token that starts at `start`: the splits, read character by character.
    fn next(text: &Reader, start: usize) -> usize;
}

/// A pattern whose matches tile the text, told by what its branches have in common with those of the others.
pub(in crate::pretokenize) trait Branches {
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

impl<B: Branches> Rules for B {
    const ZONES: bool = false;

    type Before = starts::Before;

    #[inline(always)]
    fn classes() -> impl Fn(u32) -> u8 {
        let classes = Classes::v16();
        |code| classes.of(code).bits()
    }

    #[inline(always)]
    fn starts(before: &mut Self::Before, sight: &Sight) -> Option<u64> {
        starts::starts::<B>(before, sight)
    }

    #[inline(always)]
    fn next(text: &Reader, start: usize) -> usize {
        <B as Branches>::next(text, start)
    }
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
