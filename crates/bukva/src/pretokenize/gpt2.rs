//! GPT-2's pattern: `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

use super::blocks::{Branches, Contractions};
use super::reader::{Reader, contraction, letters, white_space};
use crate::unicode::Flags;

const PLACED: Flags = Flags::LETTER.or(Flags::NUMBER).or(Flags::SPACE);

pub(super) struct Gpt2;

impl Branches for Gpt2 {
    const ANY_LEAD: bool = false;
    const SPACE_BEFORE_NUMBER: bool = true;
    const DIGITS: usize = 0;
    const NEWLINES: bool = false;
    const CASES: bool = false;
    const CONTRACTIONS: Contractions = Contractions::ApartInLowercase;

    #[inline(always)]
    fn next(text: &Reader, start: usize) -> usize {
        let ending = contraction::<false>(text, start);
        if ending > 0 {
            return start + ending;
        }
        let body = start + usize::from(text.byte(start) == b' ');
        let (flags, after) = text.at(body);
        if flags.any(Flags::LETTER) {
            text.run_of(after, letters, |flags| flags.any(Flags::LETTER))
        } else if flags.any(Flags::NUMBER) {
            text.run(after, |flags| flags.any(Flags::NUMBER))
        } else if !flags.any(Flags::SPACE) && after > body {
            text.run(after, |flags| !flags.any(PLACED))
        } else {
            white_space::<false, false>(text, start)
        }
    }
}
