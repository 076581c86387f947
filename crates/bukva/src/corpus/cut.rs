//! Where a document may be cut so that its parts can be counted or encoded apart.

use std::ops::Range;

use crate::error::Result;
use crate::normalize::{Normalizer, Part};
use crate::pretokenize::Splitter;

/// Knows places where text may be cut before it is split.
pub trait Cutter {
    /// The last place inside `text` at which text may be cut, whatever stands before and behind `text`: the
    /// pre-tokens of the whole are those of the part before the place and those of the part behind it. `None` where
    /// no place is proven.
    fn last_cut(&self, text: &str) -> Option<usize>;
}

impl Cutter for Splitter {
    fn last_cut(&self, text: &str) -> Option<usize> {
        Splitter::last_cut(self, text)
    }
}

/// Never cuts.
impl Cutter for () {
    fn last_cut(&self, _: &str) -> Option<usize> {
        None
    }
}

/// Strings that no cut may divide or touch.
pub trait Uncut {
    /// Bytes of the longest; 0 where there is none.
    fn longest(&self) -> usize;

    /// The byte ranges of all their occurrences in `text`, overlapping ones too, in any order.
    ///
    /// # Errors
    /// When the search cannot be set up.
    fn occurrences(&self, text: &str) -> Result<Vec<Range<usize>>>;
}

/// Finds places where a document may be cut before it is normalized and split.
#[derive(Clone, Copy)]
pub struct Cuts<'a> {
    cutter: &'a (dyn Cutter + Sync),
    normalizer: Option<&'a Normalizer>,
    uncut: Option<&'a (dyn Uncut + Sync)>,
}

impl<'a> Cuts<'a> {
    /// Cuts that neither the normalizer nor the splitter can notice.
    pub fn new(normalizer: Option<&'a Normalizer>, cutter: &'a (dyn Cutter + Sync)) -> Self {
        Cuts { cutter, normalizer, uncut: None }
    }

    /// The same cuts, but for those that divide or touch a string of `uncut`, or may do so when text follows.
    #[must_use]
    pub fn outside(self, uncut: &'a (dyn Uncut + Sync)) -> Self {
        Cuts { uncut: Some(uncut).filter(|uncut| uncut.longest() > 0), ..self }
    }

    /// No cuts: every document stays whole.
    pub fn never() -> Self {
        Cuts { cutter: &(), normalizer: None, uncut: None }
    }

    /// The last such place inside `text`, whatever stands before and behind `text`. O(distance of that place from
    /// the end), and with a normalizer a few kilobytes more; O(n) where there is none.
    ///
    /// # Errors
    /// What the normalizer answers.
    pub fn last(&self, text: &str) -> Result<Option<usize>> {
        match self.uncut {
            None => self.last_anywhere(text),
            Some(uncut) => self.last_outside(uncut, text),
        }
    }

    fn last_anywhere(&self, text: &str) -> Result<Option<usize>> {
        match self.normalizer {
            None => Ok(self.cutter.last_cut(text)),
            Some(normalizer) if !normalizer.allows_cuts() => Ok(None),
            Some(normalizer) => self.last_normalized(normalizer, text),
        }
    }

    /// What begins in the last bytes may be such a string when text follows, so they are left out. The rest is
    /// searched from the end, in a window that grows until a place is found.
    fn last_outside(&self, uncut: &dyn Uncut, text: &str) -> Result<Option<usize>> {
        let end = char_floor(text, text.len().saturating_sub(uncut.longest() - 1));
        for window in [1 << 12, 1 << 16, text.len()] {
            let start = char_floor(text, end.saturating_sub(window));
            for gap in gaps(uncut, text, start..end)?.into_iter().rev() {
                let Some(from) = self.first_in_gap(text, &gap) else { continue };
                if let Some(place) = self.last_anywhere(&text[from..gap.end])? {
                    return Ok(Some(from + place));
                }
            }
            if start == 0 {
                break;
            }
        }
        Ok(None)
    }

    /// Where the part of a gap begins that is normalized as in the whole text.
    fn first_in_gap(&self, text: &str, gap: &Range<usize>) -> Option<usize> {
        match self.normalizer {
            Some(normalizer) if gap.start > 0 => first_boundary(normalizer, &text[..gap.end], gap.start),
            _ => Some(gap.start),
        }
    }

    /// The splitter sees normalized text, so its places are looked for there: in the normalized text of a window at
    /// the end, which grows until a place is found.
    fn last_normalized(&self, normalizer: &Normalizer, text: &str) -> Result<Option<usize>> {
        for window in [1 << 12, 1 << 16, text.len()] {
            let Some(start) = first_boundary(normalizer, text, text.len().saturating_sub(window)) else { continue };
            if let Some(place) = self.last_in_window(normalizer, &text[start..])? {
                return Ok(Some(start + place));
            }
            if start == 0 {
                break;
            }
        }
        Ok(None)
    }

    /// `window` starts where text may be cut for the normalizer. Its end may not be such a place, so it is brought
    /// back to one: what is normalized then is a part of the normalized document.
    fn last_in_window(&self, normalizer: &Normalizer, window: &str) -> Result<Option<usize>> {
        let Some(end) = last_boundary(normalizer, window) else { return Ok(None) };
        let aligned = normalizer.apply_part_aligned(&window[..end], Part::INNER)?;
        let mut before = aligned.text.len();
        while let Some(place) = self.cutter.last_cut(&aligned.text[..before]) {
            let original = aligned.original_of(place);
            if !aligned.is_inside_edit(place) && is_boundary(normalizer, window, original) {
                return Ok(Some(original));
            }
            before = place;
        }
        Ok(None)
    }
}

/// The parts of `range` in which no occurrence lies, in order.
fn gaps(uncut: &dyn Uncut, text: &str, range: Range<usize>) -> Result<Vec<Range<usize>>> {
    let from = char_floor(text, range.start.saturating_sub(uncut.longest()));
    let mut found = uncut.occurrences(&text[from..])?;
    found.sort_by_key(|place| place.start);
    let (mut gaps, mut free) = (Vec::new(), range.start);
    for place in found {
        let (start, end) = (from + place.start, from + place.end);
        if free < start.min(range.end) {
            gaps.push(free..start.min(range.end));
        }
        free = free.max(end);
    }
    if free < range.end {
        gaps.push(free..range.end);
    }
    Ok(gaps)
}

/// The last start of a character at or before `place`.
pub(crate) fn char_floor(text: &str, place: usize) -> usize {
    (0..=place).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Whether `text` may be cut at `place` for the normalizer's sake.
fn is_boundary(normalizer: &Normalizer, text: &str, place: usize) -> bool {
    match (text[..place].chars().next_back(), text[place..].chars().next()) {
        (Some(before), Some(after)) => normalizer.cuts_between(before, after),
        _ => false,
    }
}

/// The first boundary at or behind `from`; the start of the text is one.
fn first_boundary(normalizer: &Normalizer, text: &str, from: usize) -> Option<usize> {
    (from..text.len())
        .find(|&place| place == 0 || (text.is_char_boundary(place) && is_boundary(normalizer, text, place)))
}

fn last_boundary(normalizer: &Normalizer, text: &str) -> Option<usize> {
    let mut places = text.char_indices().rev().map(|(at, _)| at);
    places.find(|&place| is_boundary(normalizer, text, place))
}
