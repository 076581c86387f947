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

impl Stretch<'_> {
    /// The words of the same document before a place, `window` at most; the nearest is the last.
    #[inline(always)]
    fn before(&self, at: usize, window: usize) -> &[u32] {
        let words = &self.ids[at.saturating_sub(window)..at];
        let start = words.iter().rposition(|&word| word == END).map_or(0, |end| end + 1);
        &words[start..]
    }

    /// The words of the same document behind a place; the nearest is the first.
    #[inline(always)]
    fn behind(&self, at: usize, window: usize) -> &[u32] {
        let words = &self.ids[at + 1..self.ids.len().min(at.saturating_add(window).saturating_add(1))];
        &words[..words.iter().position(|&word| word == END).unwrap_or(words.len())]
    }

    /// The context of a place: what stands before it, the nearest last, and behind it, the nearest first.
    #[inline(always)]
    pub(super) fn context(&self, at: usize, window: usize, sides: Sides) -> (&[u32], &[u32]) {
        let before = if sides == Sides::Right { &[][..] } else { self.before(at, window) };
        let behind = if sides == Sides::Left { &[][..] } else { self.behind(at, window) };
        (before, behind)
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
