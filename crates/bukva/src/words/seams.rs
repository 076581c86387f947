//! Places where no token goes across.
//!
//! A model without pre-tokenizer gets a whole text as one piece. Merging joins what stands side by side and ends in a
//! token, so where no token holds two characters side by side, nothing is ever joined between them, and what lies on both
//! sides merges apart. In vocabularies that were trained on words that is so before nearly every mark of a space, and
//! between letters and punctuation.

use std::collections::BTreeSet;

use super::Cutter;
use crate::pretokenize::Emit;
use crate::spec::Vocab;

/// What a space becomes before the model sees it.
pub(super) const MARK: char = '\u{2581}';

/// The pairs of characters that some token holds side by side; a space counts as a mark.
#[derive(Debug)]
pub(super) struct Seams {
    /// For each ASCII character the groups of those that may not be cut from it, a bit each.
    follows: Box<[u8; 128]>,
    /// The group of each ASCII character, as a bit.
    group: Box<[u8; 128]>,
    /// All other pairs, a bit by their hash: one that is set may be another pair's. Source: Bloom 1970, with one hash
    /// function.
    others: Vec<u64>,
}

/// Positions that are looked at together.
const BLOCK: usize = 64;

impl Seams {
    /// The seams of a vocabulary. Tokens that are not UTF-8 play no part: they lie in no text. O(bytes).
    pub(super) fn of(vocab: &Vocab) -> Self {
        let group = Box::new(std::array::from_fn(|byte| group(byte as u8)));
        let mut seams = Seams { follows: Box::new([0; 128]), group, others: Vec::new() };
        let mut others = BTreeSet::new();
        for token in vocab.iter().filter_map(|entry| std::str::from_utf8(entry.bytes).ok()) {
            let mut before = None;
            for character in token.chars().map(spaced) {
                match before {
                    Some(before) if is_ascii(before) && is_ascii(character) => seams.bind(before, character),
                    Some(before) => _ = others.insert((before, character)),
                    None => {}
                }
                before = Some(character);
            }
        }
        // Sixteen bits a pair: one pair in sixteen that no token holds is taken for another.
        seams.others = vec![0; (others.len() / 4).next_power_of_two()];
        for (before, character) in others {
            let bit = seams.bit(before, character);
            seams.others[bit / 64] |= 1 << (bit % 64);
        }
        seams
    }

    fn bind(&mut self, before: char, character: char) {
        self.follows[ascii_of(before)] |= self.group[ascii_of(character)];
    }

    /// Where at most 65 ASCII characters are cut: bit *i* is set if the one at *i* + 1 may be cut from the one before it.
    #[inline]
    fn cuts(&self, bytes: &[u8]) -> u64 {
        let pairs = bytes.iter().zip(&bytes[1..]).take(BLOCK).enumerate();
        pairs.fold(0, |cuts, (place, (before, byte))| {
            let joined = self.follows[usize::from(before & 127)] & self.group[usize::from(byte & 127)];
            cuts | u64::from(joined == 0) << place
        })
    }

    /// Emits the parts that end at `at` or behind it, up to `end` and the rest of its character; gives where that is.
    fn each_character(&self, text: &str, mut at: usize, end: usize, start: &mut usize, emit: &mut impl Emit) -> usize {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        let mut before = text[..at].chars().next_back().map_or(MARK, spaced);
        for character in text[at..].chars() {
            if at >= end {
                break;
            }
            if self.is_seam(before, spaced(character)) {
                emit.one(*start, at);
                *start = at;
            }
            before = spaced(character);
            at += character.len_utf8();
        }
        at
    }

    #[inline]
    fn is_seam(&self, before: char, character: char) -> bool {
        if is_ascii(before) && is_ascii(character) {
            return self.follows[ascii_of(before)] & self.group[ascii_of(character)] == 0;
        }
        let bit = self.bit(before, character);
        self.others[bit / 64] >> (bit % 64) & 1 == 0
    }

    #[inline]
    fn bit(&self, before: char, character: char) -> usize {
        let pair = u64::from(u32::from(before)) << 21 | u64::from(u32::from(character));
        (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (64 * self.others.len() - 1)
    }
}

/// A character is taken to be joined where some token joins one of its group.
fn group(byte: u8) -> u8 {
    1 << match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        b' ' => 3,
        ..b' ' | 127.. => 4,
        b'\'' => 5,
        b'-' | b'.' | b'_' => 6,
        _ => 7,
    }
}

/// A space as the mark that stands for it.
#[inline]
fn spaced(character: char) -> char {
    if character == ' ' { MARK } else { character }
}

/// Whether a character, a space as its mark, is ASCII in the text.
#[inline]
fn is_ascii(character: char) -> bool {
    character.is_ascii() || character == MARK
}

#[inline]
fn ascii_of(character: char) -> usize {
    if character == MARK { usize::from(b' ') } else { character as usize & 127 }
}

impl Cutter for Seams {
    /// Every part of `text`; none is empty, and no token goes across their ends. O(n).
    #[inline]
    fn for_each(&self, text: &str, emit: &mut impl Emit) {
        let (bytes, mut start, mut at) = (text.as_bytes(), 0, 1);
        while at < bytes.len() {
            let end = bytes.len().min(at + BLOCK);
            if bytes[at - 1..end].is_ascii() {
                start = emit.many(self.cuts(&bytes[at - 1..end]), at, start);
                at = end;
            } else {
                at = self.each_character(text, at, end, &mut start, emit);
            }
        }
        if start < bytes.len() {
            emit.one(start, bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seams(tokens: &[String]) -> Seams {
        Seams::of(&tokens.iter().zip(0..).map(|(token, id)| (id, token.as_bytes())).collect())
    }

    fn parts(seams: &Seams, text: &str) -> Vec<String> {
        let mut parts = Vec::new();
        seams.for_each(text, &mut |from, to| parts.push(text[from..to].to_owned()));
        parts
    }

    #[test]
    fn cuts_where_no_token_joins() {
        let seams = seams(&["\u{2581}a", "ab", "\u{2581}\u{2581}", "bж"].map(str::to_owned));
        assert_eq!(parts(&seams, "ab a,b  жbжж"), ["ab", " a", ",", "b", "  ", "ж", "bж", "ж"]);
        assert_eq!(parts(&seams, ""), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_token_goes_across(
            tokens in prop::collection::vec("[ab,\u{2581}ж中]{1,3}", 0..12),
            text in "[ab, \u{2581}ж中]{0,200}",
        ) {
            let seams = seams(&tokens);
            let found = parts(&seams, &text);
            prop_assert_eq!(found.concat(), &text[..]);
            prop_assert!(found.iter().all(|part| !part.is_empty()));
            let joined = |before: char, character: char| {
                let pair = String::from_iter([spaced(before), spaced(character)]);
                tokens.iter().any(|token| token.contains(&pair))
            };
            for pair in found.windows(2) {
                let ends = (pair[0].chars().next_back().unwrap(), pair[1].chars().next().unwrap());
                prop_assert!(!joined(ends.0, ends.1), "{:?}", ends);
            }
        }
    }
}
