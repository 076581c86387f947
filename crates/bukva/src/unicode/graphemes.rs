//! Grapheme clusters: what a reader sees as one character. Source: Unicode Standard Annex #29.

use super::{Classes, Flags};

/// The extended grapheme clusters of a text. O(n).
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    unicode_segmentation::UnicodeSegmentation::graphemes(text, true)
}

/// The same by Unicode 17, as far as marks go: what it added joins what stands before it. Symbols that are no
/// pictographs any more and consonants of more scripts join as in Unicode 16. O(n).
pub(crate) fn each_grapheme_of_17<'t>(text: &'t str, mut each: impl FnMut(&'t str)) {
    if !text.chars().any(|c| like_in_16(c) != c) {
        return graphemes(text).for_each(each);
    }
    let mut rest = text;
    let like: String = text.chars().map(like_in_16).collect();
    for grapheme in graphemes(&like) {
        let (first, after) = rest.split_at(grapheme.len());
        each(first);
        rest = after;
    }
}

/// A character of the same length that joins in Unicode 16 as `c` does in Unicode 17.
fn like_in_16(c: char) -> char {
    match c {
        '\u{1acf}'..='\u{1add}' | '\u{1ae0}'..='\u{1aeb}' => '\u{1ab0}',
        '\u{10efa}'..='\u{10efb}' | '\u{11b60}'..='\u{11b67}' => '\u{1e8d0}',
        '\u{1e6e3}' | '\u{1e6e6}' | '\u{1e6ee}'..='\u{1e6ef}' | '\u{1e6f5}' => '\u{1e8d0}',
        '\u{11a3a}' => '\u{10000}',
        _ => c,
    }
}

/// Whether the character joins no neighbour that stands alone too: between two such characters there is always a
/// boundary. Not every character of that kind is known to be one; those after Unicode 16 are not. O(1).
#[inline]
pub(crate) fn stands_alone(c: char) -> bool {
    c.is_ascii() && c != '\r' || {
        let flags = Classes::v16().of(c as u32);
        flags.any(Flags::ASSIGNED) && !flags.any(Flags::MARK) && !joins(c)
    }
}

/// The characters that are no marks and join others all the same: the carriage return, Hangul jamo, letters that
/// join as marks do, letters before which nothing is split, format characters, flags and skin colours.
fn joins(c: char) -> bool {
    matches!(c, '\r' | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{d4e}' | '\u{e33}' | '\u{eb3}' | '\u{1100}'..='\u{11ff}' | '\u{200c}'..='\u{200d}'
        | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}' | '\u{ff9e}'..='\u{ff9f}' | '\u{110bd}' | '\u{110cd}'
        | '\u{111c2}'..='\u{111c3}' | '\u{113d1}' | '\u{1193f}' | '\u{11941}' | '\u{11a3a}' | '\u{11a84}'..='\u{11a89}'
        | '\u{11d46}' | '\u{11f02}' | '\u{16d63}' | '\u{16d67}'..='\u{16d6a}' | '\u{1f1e6}'..='\u{1f1ff}'
        | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_unicode_17_join() {
        let clusters = |text: &'static str| {
            let mut all = Vec::new();
            each_grapheme_of_17(text, |grapheme| all.push(grapheme));
            all
        };
        assert_eq!(clusters("xa\u{1acf}b\u{10efa}\u{301}c"), ["x", "a\u{1acf}", "b\u{10efa}\u{301}", "c"]);
        assert_eq!(clusters("\u{11a3a}a\r\n"), ["\u{11a3a}", "a", "\r\n"]);
        assert!(('\0'..=char::MAX).all(|c| like_in_16(c).len_utf8() == c.len_utf8()));
    }

    #[test]
    fn characters_that_stand_alone_join_nothing() {
        let count = |text: &str| graphemes(text).count();
        for c in ('\0'..=char::MAX).filter(|&c| stands_alone(c)) {
            assert_eq!(count(&format!("a{c}a")), 3, "{c:?}");
            assert_eq!(count(&format!("각{c}가")), 3, "{c:?}");
            assert_eq!(count(&format!("{c}{c}")), 2, "{c:?}");
        }
        assert!("aé語가각★क".chars().all(stands_alone));
        assert!(!"\r\u{301}\u{903}ᄀ\u{1acf}🇫\u{200d}".chars().any(stands_alone));
    }
}
