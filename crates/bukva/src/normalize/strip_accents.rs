//! Combining marks removed: what is left of accents after a decomposition.
//!
//! Every mark (Mn, Mc, Me) goes, as with `StripAccents` of the `tokenizers` library.

use std::ops::Range;
use std::sync::OnceLock;

use super::char_set::{CharSet, next_in};
use super::tables::Tables;
use crate::align::AlignedText;

/// The marks of one Unicode version.
#[derive(Debug, Clone, Copy)]
pub(super) struct StripAccents {
    tables: Tables,
    marks: &'static CharSet,
}

impl StripAccents {
    pub(super) fn new(tables: Tables) -> Self {
        static MARKS: [OnceLock<CharSet>; 17] = [const { OnceLock::new() }; 17];
        let set = || CharSet::new(move |c| tables.is_mark(c));
        StripAccents { tables, marks: MARKS[usize::from(tables.version.major)].get_or_init(set) }
    }

    /// O(n).
    pub(super) fn rewrite(self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let mut end = 0;
        while let Some((start, _)) = next_in(text, end, self.marks) {
            let run = text[start..].find(|c| !self.tables.is_mark(c));
            end = run.map_or(text.len(), |length| start + length);
            emit(start..end, "");
        }
    }

    /// The same with the places of `tokenizers`. O(n).
    pub(super) fn apply_hf(self, text: &mut AlignedText) {
        text.filter(|c| c.is_ascii() || !self.marks.contains(c));
    }
}
