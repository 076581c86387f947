//! Grapheme clusters: what a reader sees as one character. Source: Unicode Standard Annex #29.

use super::{Classes, Flags};

/// The extended grapheme clusters of a text. O(n).
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    unicode_segmentation::UnicodeSegmentation::graphemes(text, true)
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
