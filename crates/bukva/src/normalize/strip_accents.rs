//! Combining marks removed: what is left of accents after a decomposition.
//!
//! Every mark (Mn, Mc, Me) goes, as with `StripAccents` of the `tokenizers` library.

use std::ops::Range;
use std::sync::OnceLock;

use unicode_normalization::char::is_combining_mark;

use super::char_set::{CharSet, next_in};

/// O(n).
pub(super) fn rewrite(text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
    static MARKS: OnceLock<CharSet> = OnceLock::new();
    let marks = MARKS.get_or_init(|| CharSet::new(is_combining_mark));
    let mut end = 0;
    while let Some((start, _)) = next_in(text, end, marks) {
        let run = text[start..].find(|c| !is_combining_mark(c));
        end = run.map_or(text.len(), |length| start + length);
        emit(start..end, "");
    }
}
