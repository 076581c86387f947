//! Splitting at single characters of a kind: `CharDelimiterSplit`, `Digits` and `Punctuation` of the `tokenizers`
//! library.

use crate::unicode::{is_numeric, is_punctuation};

/// The characters that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharKind {
    /// This one.
    Delimiter(char),
    /// Numbers of every kind, `\p{N}` of Unicode 17.
    Number,
    /// ASCII punctuation and `\p{P}` of an early Unicode version; see [`crate::unicode::is_punctuation`].
    Punctuation,
}

impl CharKind {
    fn holds(self, character: char) -> bool {
        match self {
            CharKind::Delimiter(delimiter) => character == delimiter,
            CharKind::Number if character.is_ascii() => character.is_ascii_digit(),
            CharKind::Number => is_numeric(character),
            CharKind::Punctuation if character.is_ascii() => character.is_ascii_punctuation(),
            CharKind::Punctuation => is_punctuation(character),
        }
    }

    /// Calls `found` with the place of every character of the kind. O(n).
    pub(super) fn for_each_match(self, text: &str, mut found: impl FnMut(usize, usize)) {
        for (at, character) in text.char_indices() {
            if self.holds(character) {
                found(at, at + character.len_utf8());
            }
        }
    }
}
