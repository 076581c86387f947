//! Where a document may be cut so that its parts can be counted apart.

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

/// Finds places where a document may be cut before it is normalized and split.
#[derive(Clone, Copy)]
pub struct Cuts<'a> {
    cutter: &'a (dyn Cutter + Sync),
    normalizer: Option<&'a Normalizer>,
}

impl<'a> Cuts<'a> {
    /// Cuts that neither the normalizer nor the splitter can notice.
    pub fn new(normalizer: Option<&'a Normalizer>, cutter: &'a (dyn Cutter + Sync)) -> Self {
        Cuts { cutter, normalizer }
    }

    /// No cuts: every document stays whole.
    pub fn never() -> Self {
        Cuts { cutter: &(), normalizer: None }
    }

    /// The last such place inside `text`, whatever stands before and behind `text`. O(distance of that place from
    /// the end), and with a normalizer a few kilobytes more; O(n) where there is none.
    ///
    /// # Errors
    /// What the normalizer answers.
    pub fn last(&self, text: &str) -> Result<Option<usize>> {
        match self.normalizer {
            None => Ok(self.cutter.last_cut(text)),
            Some(normalizer) if !normalizer.allows_cuts() => Ok(None),
            Some(normalizer) => self.last_normalized(normalizer, text),
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
