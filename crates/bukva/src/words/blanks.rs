//! Words between blanks, where white space is dropped.

use super::Cutter;
use super::walls::Walls;
use crate::pretokenize::Emit;

/// How words are told apart.
#[derive(Debug)]
pub(super) enum Blanks {
    /// By blanks that stand between characters that no cluster of characters joins with them.
    Calm,
    /// By all blanks.
    All,
    /// By all blanks, and around every character that stands alone.
    Walled(Walls),
}

/// The blanks at which texts are cut.
pub(super) const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Positions that are looked at together.
const BLOCK: usize = 64;

const BLANK: u8 = 1;
const MARK: u8 = 2;

/// What ASCII is; everything beyond it is part of a word.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            kinds[byte as usize] = BLANK;
        } else if byte.is_ascii_punctuation() {
            kinds[byte as usize] = MARK;
        }
        byte += 1;
    }
    kinds
};

/// The word that is open.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    is: bool,
}

impl Cutter for Blanks {
    /// Every word and every character that stands alone. Words may have blanks in them that do not count. O(n).
    #[inline]
    fn for_each(&self, text: &str, emit: &mut impl Emit) {
        let (bytes, mut open, mut base) = (text.as_bytes(), Open { start: 0, is: false }, 0);
        while base < bytes.len() {
            let block = &bytes[base..bytes.len().min(base + BLOCK)];
            let end = base + block.len();
            if let (Blanks::Walled(walls), false) = (self, block.is_ascii()) {
                base = each_character(text, base, end, walls, &mut open, emit);
                continue;
            }
            let inside = u64::MAX >> (BLOCK - block.len());
            let (mut blanks, mut marks) = masks(block);
            if !matches!(self, Blanks::Walled(_)) {
                marks = 0;
            }
            if matches!(self, Blanks::Calm) && !is_ascii_around(bytes, base, end) {
                blanks = calm(text, base, blanks);
            }
            by_masks(base, blanks, marks, !(blanks | marks) & inside, &mut open, emit);
            base = end;
        }
        if open.is {
            emit.one(open.start, bytes.len());
        }
    }
}

/// Emits what ends in a block.
#[inline(always)]
fn by_masks(base: usize, blanks: u64, marks: u64, words: u64, open: &mut Open, emit: &mut impl Emit) {
    let behind_word = words << 1 | u64::from(open.is);
    // A word begins or ends here, or a mark stands here.
    let mut edges = words & !behind_word | behind_word & blanks | marks;
    while edges != 0 {
        let place = edges.trailing_zeros() as usize;
        edges &= edges - 1;
        let at = base + place;
        if open.is {
            emit.one(open.start, at);
        }
        if marks >> place & 1 == 1 {
            emit.one(at, at + 1);
        }
        *open = Open { start: at, is: words >> place & 1 == 1 };
    }
}

/// The same character by character, to the end of the one that `end` lies in; gives that place.
fn each_character(text: &str, base: usize, end: usize, walls: &Walls, open: &mut Open, emit: &mut impl Emit) -> usize {
    let mut at = base;
    for character in text[base..].chars() {
        if at >= end {
            break;
        }
        let next = at + character.len_utf8();
        let kind = if character.is_ascii() { KINDS[character as usize] } else { 0 };
        if kind == 0 && !walls.have(character) {
            *open = if open.is { *open } else { Open { start: at, is: true } };
        } else {
            if open.is {
                emit.one(open.start, at);
            }
            if kind != BLANK {
                emit.one(at, next);
            }
            open.is = false;
        }
        at = next;
    }
    at
}

/// Blanks and punctuation among at most 64 bytes.
#[inline]
fn masks(block: &[u8]) -> (u64, u64) {
    block.iter().enumerate().fold((0, 0), |(blanks, marks), (place, &byte)| {
        let kind = u64::from(KINDS[usize::from(byte)]);
        (blanks | (kind & 1) << place, marks | (kind >> 1) << place)
    })
}

fn is_ascii_around(bytes: &[u8], base: usize, end: usize) -> bool {
    bytes[base.saturating_sub(1)..bytes.len().min(end + 1)].is_ascii()
}

/// The blanks from `base` on that have calm neighbours.
fn calm(text: &str, base: usize, mut blanks: u64) -> u64 {
    let mut left = blanks;
    while left != 0 {
        let (place, bit) = (left.trailing_zeros() as usize, left & left.wrapping_neg());
        left ^= bit;
        let (before, after) = (&text[..base + place], &text[base + place + 1..]);
        let calm = before.chars().next_back().is_none_or(is_calm) && after.chars().next().is_none_or(is_calm);
        if !calm {
            blanks ^= bit;
        }
    }
    blanks
}

/// Whether neither the character nor what any normalisation makes of it joins a neighbour in a grapheme cluster: it is
/// no mark and nothing like one. Only the commonest letters, ideographs and punctuation are known to be so.
fn is_calm(character: char) -> bool {
    matches!(character, '\0'..='\u{7f}' | '\u{c0}'..='\u{24f}' | '\u{401}' | '\u{410}'..='\u{44f}' | '\u{451}'
        | '\u{2010}'..='\u{2022}' | '\u{2026}' | '\u{4e00}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found<'t>(blanks: &Blanks, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        blanks.for_each(text, &mut |from, to| found.push(&text[from..to]));
        found
    }

    fn by_definition(alone: impl Fn(char) -> bool, text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        for word in text.split(BLANKS) {
            let mut start = 0;
            for (at, mark) in word.match_indices(&alone) {
                words.extend([&word[start..at], mark]);
                start = at + mark.len();
            }
            words.push(&word[start..]);
        }
        words.retain(|word| !word.is_empty());
        words
    }

    proptest! {
        #[test]
        fn words_are_those_between(text in "[a-cж中é .,!—\n\t\r\u{301}\u{200c}]{0,300}") {
            prop_assert_eq!(found(&Blanks::All, &text), by_definition(|_| false, &text));
            let walls = Blanks::Walled(Walls::of(None));
            let alone = |c: char| c.is_ascii_punctuation() || c == '—';
            prop_assert_eq!(found(&walls, &text), by_definition(alone, &text));
        }

        #[test]
        fn uncalm_neighbours_keep_their_blanks(text in "[ab  \u{301}\u{600}ж中]{0,200}") {
            let strange = |c: char| matches!(c, '\u{301}' | '\u{600}');
            let kept = |at: usize| {
                text[..at].chars().next_back().is_some_and(strange) || text[at + 1..].chars().next().is_some_and(strange)
            };
            let (mut words, mut start) = (Vec::new(), 0);
            for (at, _) in text.match_indices(' ').filter(|&(at, _)| !kept(at)) {
                words.push(&text[start..at]);
                start = at + 1;
            }
            words.push(&text[start..]);
            words.retain(|word| !word.is_empty());
            prop_assert_eq!(found(&Blanks::Calm, &text), words);
        }
    }
}
