//! A text that a pre-tokenizer writes anew, with its pre-tokens.

use std::ops::Range;

use crate::model::Span;
use crate::normalize::{Aligned, Edit};

/// The result of a pre-tokenizer that rewrites.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The new text; what no pre-token holds stands in it unchanged.
    pub text: String,
    /// The pre-tokens in order, none empty.
    pub pieces: Vec<Span>,
    /// What each rewriting step changed, the first one first. Empty unless asked for.
    pub changes: Vec<Aligned>,
}

impl Rewritten {
    /// The byte of the text before all steps from which the byte `offset` of the new text comes: as
    /// [`Aligned::original_of`], step by step. O(log edits).
    pub fn original_of(&self, offset: usize) -> usize {
        self.changes.iter().rev().fold(offset, |offset, change| change.original_of(offset))
    }
}

/// One step under way: the old text, and as much of the new one as is written.
pub(super) struct Rewriting<'t> {
    pub(super) old: &'t str,
    pub(super) new: String,
    /// What was changed, if that is asked for.
    edits: Option<Vec<Edit>>,
    /// Bytes of the old text that are written.
    done: usize,
    /// Bytes at the start of the old text that stand for the very first character of the input.
    pub(super) origin: usize,
    /// How much longer those have become.
    growth: isize,
}

impl<'t> Rewriting<'t> {
    pub(super) fn new(old: &'t str, origin: usize, keep_edits: bool) -> Self {
        let (new, edits) = (String::with_capacity(old.len() + old.len() / 2 + 4), keep_edits.then(Vec::new));
        Rewriting { old, new, edits, done: 0, origin, growth: 0 }
    }

    /// Copies the old text up to `end`.
    #[inline]
    pub(super) fn copy_to(&mut self, end: usize) {
        self.new.push_str(&self.old[self.done..end]);
        self.done = end;
    }

    /// Puts `new` in the place of `range`, which lies behind all that is written; the two have neither their first
    /// nor their last character in common.
    #[inline]
    pub(super) fn put(&mut self, range: Range<usize>, new: &str) {
        self.copy_to(range.start);
        if range.start < self.origin {
            self.growth += new.len() as isize - range.len() as isize;
        }
        let start = self.new.len();
        self.new.push_str(new);
        self.done = range.end;
        if let Some(edits) = &mut self.edits {
            edits.push(Edit { original: range, normalized: start..self.new.len() });
        }
    }

    /// The whole new text with its edits, and how much of its start stands for the first character of the input.
    pub(super) fn finish(mut self) -> (Aligned, usize) {
        self.copy_to(self.old.len());
        let origin = self.origin.saturating_add_signed(self.growth);
        let edits = self.edits.unwrap_or_default();
        (Aligned { text: self.new, edits, ..Default::default() }, origin)
    }
}
