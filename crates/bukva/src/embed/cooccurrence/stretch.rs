//! The corpus in stretches that are read without looking where segments end.

use std::borrow::Cow;
use std::ops::Range;

use super::options::Sides;
use crate::embed::context::ids::{END, Ids};

/// Ids of the corpus one after the other, with what stands around those that are its own.
pub(super) struct Stretch<'a> {
    pub(super) ids: Cow<'a, [u32]>,
    /// Which of them are words in the middle of a window here; all others are context.
    pub(super) own: Range<usize>,
}

/// A word with its context.
pub(super) struct Window<'a> {
    pub(super) word: u32,
    /// What stands before it in its document; the nearest is the last.
    pub(super) before: &'a [u32],
    /// What stands behind it; the nearest is the first.
    pub(super) behind: &'a [u32],
}

impl Stretch<'_> {
    /// Calls `each` with the window of every own word that is wanted, up to `width` words on either side. O(words)
    /// beside what `each` does. Stops at its first error.
    #[inline(always)]
    pub(super) fn for_each_window<E>(
        &self,
        width: usize,
        sides: Sides,
        wants: impl Fn(u32) -> bool,
        mut each: impl FnMut(Window<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let ids = &self.ids[..];
        // Of the document that `at` is in; the end is looked for when it is needed.
        let earlier = self.own.start.saturating_sub(width);
        let mut start =
            ids[earlier..self.own.start].iter().rposition(|&id| id == END).map_or(earlier, |end| earlier + end + 1);
        let mut end = 0;
        for at in self.own.clone() {
            let word = ids[at];
            if word == END {
                start = at + 1;
            } else if wants(word) {
                if end <= at {
                    end = ids[at..].iter().position(|&id| id == END).map_or(ids.len(), |length| at + length);
                }
                let before = &ids[start.max(at.saturating_sub(width))..at];
                let behind = &ids[at + 1..end.min((at + 1).saturating_add(width))];
                let before = if sides == Sides::Right { &[] } else { before };
                let behind = if sides == Sides::Left { &[] } else { behind };
                each(Window { word, before, behind })?;
            }
        }
        Ok(())
    }
}

/// All words of a corpus as own words of stretches. Words near the ends of a segment are copied, the others are not.
pub(super) fn stretches(ids: &Ids, window: usize) -> Vec<Stretch<'_>> {
    let mut all = Vec::with_capacity(3 * ids.segments().len());
    for (segment, words) in ids.segments().iter().enumerate() {
        let edge = window.min(words.len() / 2);
        for own in [0..edge, edge..words.len() - edge, words.len() - edge..words.len()] {
            all.push(stretch(ids, segment, own, window));
        }
    }
    all
}

fn stretch(ids: &Ids, segment: usize, own: Range<usize>, window: usize) -> Stretch<'_> {
    let words = &ids.segments()[segment];
    if own.start >= window && own.end.saturating_add(window) <= words.len() {
        return Stretch { ids: Cow::Borrowed(words), own };
    }
    let mut around: Vec<u32> = ids.before(segment, own.start).take_while(|&word| word != END).take(window).collect();
    around.reverse();
    let start = around.len();
    around.extend_from_slice(&words[own.clone()]);
    around.extend(ids.after(segment, own.end).take_while(|&word| word != END).take(window));
    Stretch { ids: Cow::Owned(around), own: start..start + own.len() }
}
