//! GPT-4o's pattern, seven branches:
//!
//! 1. `P?U*L+C?` with `P = [^\r\n\p{L}\p{N}]`, `U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`,
//!    `L = [\p{Ll}\p{Lm}\p{Lo}\p{M}]`, `C = (?i:'s|'t|'re|'ve|'m|'ll|'d)`;
//! 2. `P?U+L*C?`;
//! 3. `\p{N}{1,3}`; 4. ` ?[^\s\p{L}\p{N}]+[\r\n/]*`; 5. `\s*[\r\n]+`; 6. `\s+(?!\S)`; 7. `\s+`.
//!
//! U and L share the characters without case: Lm, Lo and M, here *shared*. Backtracking in branch 1 therefore ends
//! at the last shared character of the run of U, if no lower-case letter follows the run.

use super::blocks::{Branches, Contractions};
use super::cl100k::digits;
use super::reader::{Reader, contraction, is_newline, lower_letters, white_space};
use crate::unicode::Flags;

const PLACED: Flags = Flags::LETTER.or(Flags::NUMBER).or(Flags::SPACE);
const LETTER_OR_NUMBER: Flags = Flags::LETTER.or(Flags::NUMBER);
const CASED: Flags = Flags::UPPER.or(Flags::LOWER);
const WORD_PART: Flags = Flags::LETTER.or(Flags::MARK);

pub(super) struct O200k;

impl Branches for O200k {
    const ANY_LEAD: bool = true;
    const SPACE_BEFORE_NUMBER: bool = false;
    const DIGITS: usize = 3;
    const NEWLINES: bool = true;
    const CASES: bool = true;
    const CONTRACTIONS: Contractions = Contractions::OfTheWord;

    #[inline(always)]
    fn next(text: &Reader, start: usize) -> usize {
        let (first, after) = text.at(start);
        if let Some(end) = word(text, start, first, after) {
            return end + contraction::<true>(text, end);
        }
        if first.any(Flags::NUMBER) {
            return digits::<3>(text, after);
        }
        if !first.any(Flags::SPACE) {
            return symbols(text, after);
        }
        let (second, behind) = text.at(after);
        if text.byte(start) == b' ' && behind > after && !second.any(PLACED) {
            return symbols(text, behind);
        }
        white_space::<true, false>(text, start)
    }
}

/// The end of branch 1 or 2 without its contraction.
#[inline(always)]
fn word(text: &Reader, start: usize, first: Flags, after: usize) -> Option<usize> {
    if first.any(Flags::LETTER) {
        let body = Body::read(text, start);
        return body.with_lower.or(Some(body.upper_end));
    }
    if first.any(LETTER_OR_NUMBER) || is_newline(text.byte(start)) {
        return None;
    }
    // The first character is P. Branch 1 with it, branch 1 without it (only a mark is both P and U), branch 2 with it.
    if !text.at(after).0.any(WORD_PART) {
        return first.any(Flags::MARK).then_some(after);
    }
    let body = Body::read(text, after);
    let alone = first.any(Flags::MARK).then_some(after);
    body.with_lower.or(alone).or((body.upper_end > after).then_some(body.upper_end))
}

/// What `U*L+` and `U+` match from one place.
struct Body {
    /// End of `U*L+`, if it matches.
    with_lower: Option<usize>,
    /// End of `U*`.
    upper_end: usize,
}

impl Body {
    #[inline(always)]
    fn read(text: &Reader, start: usize) -> Body {
        let (mut at, mut after_shared) = (start, None);
        loop {
            let (flags, next) = text.at(at);
            if !flags.any(WORD_PART) || flags.any(Flags::LOWER) {
                let with_lower = if flags.any(Flags::LOWER) { Some(lower_run(text, next)) } else { after_shared };
                return Body { with_lower, upper_end: at };
            }
            if !flags.any(CASED) {
                after_shared = Some(next);
            }
            at = next;
        }
    }
}

/// The end of `L*`.
#[inline(always)]
fn lower_run(text: &Reader, at: usize) -> usize {
    text.run_of(at, lower_letters, |flags| flags.any(WORD_PART) && !flags.any(Flags::UPPER))
}

/// The end of `[^\s\p{L}\p{N}]+[\r\n/]*` whose first character is already read.
#[inline(always)]
fn symbols(text: &Reader, at: usize) -> usize {
    let mut end = text.run(at, |flags| !flags.any(PLACED));
    while is_newline(text.byte(end)) || text.byte(end) == b'/' {
        end += 1;
    }
    end
}
