//! Places where a text can be cut and its parts normalized apart, whatever stands around them.
//!
//! The claim holds for every sequence of Unicode forms, lower case, collapsed white space, stripped accents and
//! stripped ends, of which each part is stripped only at the ends that it shares with the whole text. Write
//! L for the text before the cut and R for the text after it. All decompositions are full compatibility ones; the
//! *head* of a text is the first character of its decomposition, its *tail* the last one that is no mark.
//!
//! - R *starts firmly* if its head is a starter, no mark, and nothing that a composition takes as its second part.
//!   No step moves or removes its first character or composes it backwards: forms keep the head, stripping accents
//!   removes only marks, which have marks for heads, a lowered firm character is firm, and collapsed white space is
//!   firm. So R starts firmly after each step, and every step other than the collapse works on L and R apart.
//! - The collapse joins the parts only if L ends and R starts with white space. White space decomposes to white
//!   space, and forms keep head and tail. So it is enough that R's head is not white space, or that L has a tail
//!   which is not: lower case keeps both so, and stripping accents, which removes only marks, does not reach them.
//! - Stripping an end removes L or R at most as a whole, where all of it is white space. If that is L, then R's head is
//!   not white space, so nothing of R would go with it; and if it is R, then L has a tail, which stays, so nothing of
//!   L would. From there on one part is empty and the other keeps its head or tail: the steps that follow cannot tell.
//!
//! What is said here of single characters is tested for every character.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible, is_combining_mark};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// Whether every text may be cut between `before` and `after`.
pub(super) fn cuts_between(before: char, after: char) -> bool {
    starts_firmly(after) && (!head(after).is_whitespace() || has_dark_tail(before))
}

fn starts_firmly(c: char) -> bool {
    let head = head(c);
    let composes_back = is_nfc_quick(std::iter::once(head)) != IsNormalized::Yes;
    !is_combining_mark(head) && canonical_combining_class(head) == 0 && !composes_back
}

fn has_dark_tail(c: char) -> bool {
    tail(c).is_some_and(|tail| !tail.is_whitespace())
}

fn head(c: char) -> char {
    let mut first = None;
    decompose_compatible(c, |part| {
        first.get_or_insert(part);
    });
    first.unwrap_or(c)
}

fn tail(c: char) -> Option<char> {
    let mut last = None;
    decompose_compatible(c, |part| {
        if !is_combining_mark(part) {
            last = Some(part);
        }
    });
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_before_white_space_and_punctuation() {
        for (before, after) in [('а', ' '), ('é', '\n'), ('語', '。'), ('z', 'a'), (' ', 'a'), ('!', ' '), ('İ', ' ')]
        {
            assert!(cuts_between(before, after), "{before:?} {after:?}");
        }
    }

    #[test]
    fn nothing_is_cut_where_characters_meet() {
        // A mark, jamo that compose, white space twice, white space that a form makes, a letter that is a mark on a
        // space, and a mark whose base is not known.
        let pairs =
            [('e', '\u{301}'), ('ᄀ', 'ᅡ'), ('가', 'ᆨ'), (' ', '\n'), ('\u{b4}', ' '), ('ﹰ', ' '), ('\u{301}', ' ')];
        for (before, after) in pairs {
            assert!(!cuts_between(before, after), "{before:?} {after:?}");
        }
    }

    #[test]
    fn every_character_keeps_what_the_proof_needs() {
        for c in '\0'..=char::MAX {
            assert!(!is_combining_mark(c) || is_combining_mark(head(c)), "marks have marks for heads: {c:?}");
            assert!(!is_combining_mark(c) || tail(c).is_none(), "marks are made of marks: {c:?}");
            assert!(!c.is_whitespace() || (starts_firmly(c) && head(c).is_whitespace()), "{c:?}");
            assert!(!c.is_whitespace() || tail(c).is_some_and(char::is_whitespace), "{c:?}");
            let lower: Vec<char> = c.to_lowercase().collect();
            assert!(!starts_firmly(c) || starts_firmly(lower[0]), "{c:?}");
            assert!(head(c).is_whitespace() || !head(lower[0]).is_whitespace(), "{c:?}");
            let lower_tail = lower.iter().rev().find_map(|&part| tail(part));
            assert_eq!(tail(c).is_none(), lower_tail.is_none(), "{c:?}");
            assert!(!has_dark_tail(c) || lower_tail.is_some_and(|tail| !tail.is_whitespace()), "{c:?}");
        }
    }
}
