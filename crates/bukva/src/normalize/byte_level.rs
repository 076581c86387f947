//! Every byte as a printable character: GPT-2's map as a normalizer.

use std::ops::Range;

use super::align::trimmed;
use super::char_set::next_where;
use crate::align::AlignedText;
use crate::unicode::byte_chars::push_text;

/// O(n).
pub(super) fn rewrite(text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
    let mut at = 0;
    let mut mapped = String::with_capacity(8);
    while let Some((start, c)) = next_where(text, at, |byte| !byte.is_ascii_graphic(), |_| true) {
        at = start + c.len_utf8();
        mapped.clear();
        push_text(&text.as_bytes()[start..at], &mut mapped);
        if let Some((changed, new)) = trimmed(&text[start..at], &mapped) {
            emit(start + changed.start..start + changed.end, new);
        }
    }
}

/// The same with the places of `tokenizers`: every byte has the place of its character. O(n).
pub(super) fn apply_hf(text: &mut AlignedText) {
    text.expand(|c| {
        let mut mapped = String::with_capacity(8);
        push_text(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut mapped);
        mapped.chars().collect::<Vec<_>>().into_iter()
    });
}
