//! The words of a text by the pattern `\p{L}+|\p{N}+`.

use crate::unicode::{Classes, Flags};

/// Calls `emit` with the byte range of every run of letters and every run of numbers, Unicode 16. O(n) time, no memory.
pub(super) fn scan(text: &str, mut emit: impl FnMut(usize, usize)) {
    let classes = Classes::v16();
    let (mut start, mut kind) = (0, Flags::NONE);
    for (at, character) in text.char_indices() {
        let flags = classes.of(character as u32);
        let next = [Flags::LETTER, Flags::NUMBER].into_iter().find(|&set| flags.any(set)).unwrap_or(Flags::NONE);
        if next != kind {
            if kind != Flags::NONE {
                emit(start, at);
            }
            (start, kind) = (at, next);
        }
    }
    if kind != Flags::NONE {
        emit(start, text.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pretokenize::regex::RegexSplitter;

    proptest! {
        #[test]
        fn words_are_those_of_the_expression(text in "[ a-zй\u{301}0-9½,ǅ中_]{0,30}|.{0,20}") {
            let (mut words, mut expected) = (Vec::new(), Vec::new());
            scan(&text, |from, to| words.push(&text[from..to]));
            let regex = RegexSplitter::compile(r"\p{L}+|\p{N}+").unwrap();
            regex.for_each_match(&text, |from, to| expected.push(&text[from..to])).unwrap();
            prop_assert_eq!(words, expected);
        }
    }
}
