//! The family of cl100k: cl100k itself, Llama 3, Qwen 2 and the course pattern.
//!
//! `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
//!
//! The members differ in two things only. Qwen 2 takes one digit at a time. cl100k alone has `\s++$`: white space
//! that ends the text is one piece, newlines or not. The course pattern's `\s*[\r\n]` equals `\s*[\r\n]+`, since
//! `\s*` is greedy and takes the newlines before the last one.

use super::blocks::{Branches, Contractions};
use super::reader::{Reader, contraction, is_newline, letters, white_space};
use crate::unicode::Flags;

const PLACED: Flags = Flags::LETTER.or(Flags::NUMBER).or(Flags::SPACE);

pub(super) struct Cl100k<const DIGITS: usize, const WHOLE_TAIL: bool>;

impl<const DIGITS: usize, const WHOLE_TAIL: bool> Branches for Cl100k<DIGITS, WHOLE_TAIL> {
    const ANY_LEAD: bool = true;
    const SPACE_BEFORE_NUMBER: bool = false;
    const DIGITS: usize = DIGITS;
    const NEWLINES: bool = true;
    const CASES: bool = false;
    const CONTRACTIONS: Contractions = Contractions::Apart;

    #[inline(always)]
    fn next(text: &Reader, start: usize) -> usize {
        let ending = contraction::<true>(text, start);
        if ending > 0 {
            return start + ending;
        }
        let (first, after) = text.at(start);
        if first.any(Flags::LETTER) {
            return text.run_of(after, letters, |flags| flags.any(Flags::LETTER));
        }
        if first.any(Flags::NUMBER) {
            return digits::<DIGITS>(text, after);
        }
        let (second, behind) = text.at(after);
        if second.any(Flags::LETTER) && !is_newline(text.byte(start)) {
            return text.run_of(behind, letters, |flags| flags.any(Flags::LETTER));
        }
        if !first.any(Flags::SPACE) {
            return symbols(text, after);
        }
        if text.byte(start) == b' ' && behind > after && !second.any(PLACED) {
            return symbols(text, behind);
        }
        white_space::<true, WHOLE_TAIL>(text, start)
    }
}

/// The end of `\p{N}{1,DIGITS}` whose first digit is already read.
#[inline(always)]
pub(super) fn digits<const DIGITS: usize>(text: &Reader, mut at: usize) -> usize {
    for _ in 1..DIGITS {
        let (flags, next) = text.at(at);
        if !flags.any(Flags::NUMBER) {
            break;
        }
        at = next;
    }
    at
}

/// The end of `[^\s\p{L}\p{N}]+[\r\n]*` whose first character is already read.
#[inline(always)]
fn symbols(text: &Reader, at: usize) -> usize {
    let mut end = text.run(at, |flags| !flags.any(PLACED));
    while is_newline(text.byte(end)) {
        end += 1;
    }
    end
}
