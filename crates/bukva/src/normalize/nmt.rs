//! The `Nmt` normalizer of the `tokenizers` library: some control characters go, some others become spaces.

use std::ops::Range;

use super::char_set::next_where;
use crate::align::AlignedText;

/// O(n).
pub(super) fn rewrite(text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
    let mut at = 0;
    while let Some((start, c)) = next_where(text, at, |byte| changes(char::from(byte)), changes) {
        at = start + c.len_utf8();
        emit(start..at, if is_removed(c) { "" } else { " " });
    }
}

/// The same with the places of `tokenizers`. O(n).
pub(super) fn apply_hf(text: &mut AlignedText) {
    text.filter(|c| !is_removed(c));
    text.map(|c| if is_space(c) { ' ' } else { c });
}

fn changes(c: char) -> bool {
    is_removed(c) || is_space(c)
}

fn is_removed(c: char) -> bool {
    matches!(c, '\u{1}'..='\u{8}' | '\u{b}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{8f}' | '\u{9f}')
}

fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{c}' | '\r' | '\u{1680}' | '\u{200b}'
            ..='\u{200f}' | '\u{2028}' | '\u{2029}' | '▁' | '\u{feff}' | '\u{fffd}'
    )
}
