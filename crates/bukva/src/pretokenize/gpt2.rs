//! GPT-2's pattern: `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.

use super::reader::{Reader, contraction, letters, tile, white_space};
use crate::unicode::Flags;

const PLACED: Flags = Flags::LETTER.or(Flags::NUMBER).or(Flags::SPACE);

/// Emits every pre-token. O(n) time, no memory.
pub(super) fn scan(text: &str, emit: impl FnMut(usize, usize)) {
    tile(text, next, emit);
}

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
