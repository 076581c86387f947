//! Where pre-tokens start in a block, by the algebra of masks.
//!
//! A branch of a pattern is a run of one class, with little before or behind it. So a pre-token starts where a run
//! does, unless what stands before takes it along; and in some places inside a run. Shifts look at the neighbour;
//! a sum looks along a run: adding its first bit to a run clears it and sets the bit behind it.
//!
//! What depends on more than that is left to the rule that reads characters: the block is *hard*.

use super::masks::{BLOCK, Masks};
use super::rules::{Branches, Contractions, Sight};
use crate::pretokenize::reader::{Reader, contraction};

/// A block that was looked at, for the one behind it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::pretokenize) struct Before {
    masks: Masks,
    /// Neither letters (nor marks, where words hold them) nor numbers nor white space.
    symbol: u64,
    letter: u64,
    /// Symbols from the second of a run on, or of a run that a space leads.
    bound: u64,
    /// Newlines that symbols take along.
    taken: u64,
    /// Digits, modulo 3, of the run that ends the block.
    digits: u32,
}

/// The bits of `mask` one place further: bit *i* tells of the byte before *i*.
#[inline(always)]
pub(super) fn behind(mask: u64, before: u64) -> u64 {
    mask << 1 | before >> 63
}

/// The parts of `runs` from each seed, a bit of theirs, to the end of its run.
#[inline(always)]
pub(super) fn flood(seeds: u64, runs: u64) -> u64 {
    seeds | runs & !runs.wrapping_add(seeds)
}

/// Where pre-tokens start in a block: exact, unless it is hard.
#[inline(always)]
pub(super) fn starts<R: Branches>(before: &mut Before, sight: &Sight) -> Option<u64> {
    let &Sight { here, next, text, base, open } = sight;
    let last = *before;
    let mut hard = 0;
    let (space, number, newline) = (here.space, here.number, here.newline);
    let mut letter = here.letter;
    if R::CASES {
        letter |= here.mark;
        hard |= here.mark & !behind(letter, last.letter);
    }
    let symbol = !(letter | number | space);
    hard |= space & here.beyond;

    let after_letter = behind(letter, last.letter);
    let after_space = behind(space, last.masks.space);
    let after_symbol = behind(symbol, last.symbol);
    let after_newline = behind(newline, last.masks.newline);
    let after_blank = behind(here.blank, last.masks.blank);

    let symbol_first = symbol & !after_symbol;
    let mut found = symbol_first & !after_blank;
    let lone_quotes = here.apostrophe & found;
    let mut bound = 0;
    if R::ANY_LEAD {
        let carried = last.bound >> 63 & symbol & 1;
        bound = flood(symbol & here.lead & after_symbol | symbol_first & after_blank | carried, symbol);
        let led = after_space & !after_newline | after_symbol & !behind(bound, last.bound);
        found |= letter & !after_letter & !led;
    } else {
        found |= letter & !after_letter & !after_blank;
    }

    let after_number = behind(number, last.masks.number);
    let mut digits = 0;
    found |= match R::DIGITS {
        1 => number & here.lead,
        3 => {
            hard |= (number & here.beyond) | last.masks.number & last.masks.beyond & (1 << 63);
            digits = digits_at_end(number, last.digits);
            threes(number, last.masks.number, last.digits)
        }
        _ if R::SPACE_BEFORE_NUMBER => number & !after_number & !after_blank,
        _ => number & !after_number,
    };

    let mut taken = 0;
    if R::NEWLINES {
        let carried = last.taken >> 63 & newline & 1;
        taken = flood(newline & after_symbol | carried, newline);
        let inline = space & !newline;
        let indents = inline & after_newline;
        found |= space & !after_space & !taken | indents | inline & !(space >> 1 | next.space << 63);
        let after_taken = behind(taken, last.taken);
        hard |= lead_to_newline(inline, indents & !after_taken, newline, next);
        if R::CASES {
            hard |= here.slash & after_taken;
        }
    } else {
        found |= space & !after_space | space & !(space >> 1 | next.space << 63);
    }

    if R::CASES {
        let shared = letter & !here.upper & !here.lower;
        let last_shared = last.letter & !last.masks.upper & !last.masks.lower;
        found |= here.upper & here.lead & behind(here.lower, last.masks.lower);
        hard |= here.upper & behind(shared, last_shared);
    }

    *before = Before { masks: *here, symbol, letter, bound, taken, digits };
    if hard != 0 {
        return None;
    }
    match R::CONTRACTIONS {
        Contractions::OfTheWord => with_endings(found, lone_quotes & after_letter, text, base, open),
        Contractions::Apart => apart::<true>(found, lone_quotes, text, base),
        Contractions::ApartInLowercase => apart::<false>(found, lone_quotes, text, base),
    }
}

/// Not 0 if white space that begins at `indents` goes on to a newline, or for very long.
#[inline(always)]
pub(super) fn lead_to_newline(inline: u64, indents: u64, newline: u64, next: &Masks) -> u64 {
    let (sum, runs_out) = inline.overflowing_add(indents);
    let mut wrong = sum & !inline & newline;
    if runs_out {
        let more = (next.space & !next.newline).trailing_ones();
        wrong |= if more as usize == BLOCK { 1 } else { next.newline >> more & 1 };
    }
    wrong
}

/// Every third digit of each run, from the first on; `digits` are those of a run that comes from the block before.
#[inline(always)]
pub(super) fn threes(number: u64, before: u64, digits: u32) -> u64 {
    let earlier = |count: u32| number << count | before >> (64 - count);
    if number & earlier(1) & earlier(2) & earlier(3) == 0 {
        return number & !earlier(1);
    }
    let (mut found, mut rest) = (0, number);
    while rest != 0 {
        let start = rest.trailing_zeros();
        let length = (rest >> start).trailing_ones();
        let first = if start == 0 && before >> 63 == 1 { (3 - digits) % 3 } else { 0 };
        found |= (first..length).step_by(3).fold(0, |bits, place| bits | 1 << (start + place));
        rest &= if start + length == 64 { 0 } else { u64::MAX << (start + length) };
    }
    found
}

/// Digits, modulo 3, of the run that ends the block.
#[inline(always)]
pub(super) fn digits_at_end(number: u64, before: u32) -> u32 {
    match number.leading_ones() {
        64 => (before + 64) % 3,
        count => count % 3,
    }
}

/// The starts, where endings of contractions are pre-tokens of their own.
#[inline(always)]
fn apart<const FOLD: bool>(mut found: u64, mut quotes: u64, text: &Reader, base: usize) -> Option<u64> {
    while quotes != 0 {
        let place = quotes.trailing_zeros() as usize;
        quotes &= quotes - 1;
        let length = contraction::<FOLD>(text, base + place);
        if length > 0 {
            if place + length >= BLOCK {
                return None;
            }
            found = found & !((1 << (place + length)) - (2 << place)) | 1 << (place + length);
        }
    }
    Some(found)
}

/// The starts, where endings of contractions belong to the word before.
#[inline(always)]
fn with_endings(mut found: u64, mut quotes: u64, text: &Reader, base: usize, open: usize) -> Option<u64> {
    let mut ended = open;
    while quotes != 0 {
        let place = quotes.trailing_zeros() as usize;
        quotes &= quotes - 1;
        let length = contraction::<true>(text, base + place);
        // A word has one ending: what stands behind it is no word's end.
        if length > 0 && base + place != ended {
            if place + length >= BLOCK {
                return None;
            }
            found = found & !((1 << (place + length)) - (1 << place)) | 1 << (place + length);
            ended = base + place + length;
        }
    }
    Some(found)
}
