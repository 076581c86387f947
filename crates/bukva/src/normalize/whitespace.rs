//! White space collapsed inside a text and removed at its ends. White space is the property White_Space, `\s`.

use std::ops::Range;

use super::align::trimmed;
use crate::align::AlignedText;

/// Every run of white space becomes one U+0020. O(n).
pub(super) fn collapse(text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
    let mut end = 0;
    while let Some(found) = text[end..].find(char::is_whitespace) {
        let start = end + found;
        let run = text[start..].find(|c: char| !c.is_whitespace());
        end = run.map_or(text.len(), |length| start + length);
        if let Some((changed, new)) = trimmed(&text[start..end], " ") {
            emit(start + changed.start..start + changed.end, new);
        }
    }
}

/// The same with the places of `tokenizers`, which replaces `\s+`. O(n).
pub(super) fn collapse_hf(text: &mut AlignedText) {
    let (mut runs, mut end) = (Vec::new(), 0);
    while let Some(found) = text.text()[end..].find(char::is_whitespace) {
        let start = end + found;
        end =
            text.text()[start..].find(|c: char| !c.is_whitespace()).map_or(text.text().len(), |length| start + length);
        runs.push(start..end);
    }
    text.replace(runs, " ");
}

/// White space at the chosen ends is removed; a text of nothing else becomes empty. O(white space removed).
pub(super) fn strip(text: &str, left: bool, right: bool, emit: &mut impl FnMut(Range<usize>, &str)) {
    let start = if left { text.len() - text.trim_start().len() } else { 0 };
    let end = if right { start + text[start..].trim_end().len() } else { text.len() };
    for removed in [0..start, end..text.len()] {
        if !removed.is_empty() {
            emit(removed, "");
        }
    }
}
