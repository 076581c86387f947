//! A compiled character map as the `tokenizers` library applies it.
//!
//! Not as SentencePiece does: the text is taken grapheme by grapheme. A grapheme of fewer than 6 bytes that *starts*
//! with a sought text becomes what the shortest such text becomes, and the rest of it is lost; otherwise each of its
//! characters is looked up by itself. So only graphemes of several characters need a look, and sought characters.

use std::ops::Range;
use std::sync::Arc;

use super::align::trimmed;
use super::changes::Changed;
use super::char_set::{CharSet, next_where};
use super::charsmap::Charsmap;
use super::tables::unknown;
use crate::align::AlignedText;
use crate::error::Result;
use crate::spec::UnicodeVersion;
use crate::unicode::{each_grapheme_of_17, graphemes, stands_alone};

/// Longer graphemes are looked up by character.
const MAX_GRAPHEME: usize = 6;

/// A character map with the characters that need a look.
#[derive(Debug, Clone)]
pub(super) struct Precompiled {
    map: Arc<Charsmap>,
    /// Characters beyond ASCII that are sought, or may join their neighbours.
    active: Arc<CharSet>,
    ascii: [bool; 128],
    /// Graphemes by Unicode 17 rather than 16.
    of_17: bool,
}

impl Precompiled {
    pub(super) fn read(charsmap: &[u8], version: UnicodeVersion) -> Result<Self> {
        let of_17 = match version {
            UnicodeVersion::V16 => false,
            UnicodeVersion::V17 => true,
            _ => return Err(unknown("grapheme clusters", version, "16.0 and 17.0")),
        };
        let map = Arc::new(Charsmap::read(charsmap)?);
        let ascii = std::array::from_fn(|byte| is_active(&map, char::from(byte as u8)));
        let of_set = map.clone();
        let active = Arc::new(CharSet::new(move |c| is_active(&of_set, c)));
        Ok(Precompiled { map, active, ascii, of_17 })
    }

    /// O(n).
    pub(super) fn rewrite(&self, text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
        let mut done = 0;
        while let Some((at, c)) = self.next(text, done) {
            let start = if stands_alone(c) { at } else { previous(text, done, at) };
            done = segment_end(text, at);
            let mut place = start;
            self.each(&text[start..done], |old, new| {
                if let Some((changed, new)) = new.and_then(|new| trimmed(old, new)) {
                    emit(place + changed.start..place + changed.end, new);
                }
                place += old.len();
            });
        }
    }

    /// The same with the places of `tokenizers`. O(n).
    pub(super) fn apply_hf(&self, text: &mut AlignedText) {
        if self.next(text.text(), 0).is_none() {
            return;
        }
        let mut changes = Vec::with_capacity(text.text().len());
        self.each(text.text(), |old, new| note(&mut changes, old, new.unwrap_or(old)));
        text.transform(changes, 0);
    }

    fn next(&self, text: &str, from: usize) -> Option<(usize, char)> {
        next_where(text, from, |byte| self.ascii[usize::from(byte & 0x7f)], |c| self.active.contains(c))
    }

    /// Tells `each` every part of `text` that is looked up as one, and what it becomes if it changes.
    fn each(&self, text: &str, mut each: impl FnMut(&str, Option<&str>)) {
        let by_grapheme = |grapheme: &str| {
            let whole = if grapheme.len() < MAX_GRAPHEME { self.sought(grapheme) } else { None };
            if whole.is_some() {
                return each(grapheme, whole);
            }
            for (at, c) in grapheme.char_indices() {
                let part = &grapheme[at..at + c.len_utf8()];
                each(part, self.sought(part));
            }
        };
        if self.of_17 { each_grapheme_of_17(text, by_grapheme) } else { graphemes(text).for_each(by_grapheme) }
    }

    fn sought(&self, text: &str) -> Option<&str> {
        self.map.prefixes(text.as_bytes()).next().map(|(_, new)| new)
    }
}

/// Changes as `tokenizers` counts them: characters replace each other in order; what there is too much of is added,
/// and what there is too little of is removed behind the last one, be it of this part or of one before.
fn note(changes: &mut Vec<Changed>, old: &str, new: &str) {
    changes.extend(new.chars().map(|c| (c, 0)));
    let (before, after) = (old.chars().count(), new.chars().count());
    let first_added = changes.len() - after.saturating_sub(before);
    changes[first_added..].iter_mut().for_each(|change| change.1 = 1);
    if let Some(last) = changes.last_mut() {
        last.1 -= before.saturating_sub(after) as isize;
    }
}

fn is_active(map: &Charsmap, c: char) -> bool {
    let mut buffer = [0; 4];
    !stands_alone(c) || map.prefixes(c.encode_utf8(&mut buffer).as_bytes()).next().is_some()
}

/// The start of the character before `at`, or `at` if there is none after `done`.
fn previous(text: &str, done: usize, at: usize) -> usize {
    text[done..at].char_indices().next_back().map_or(at, |(start, _)| done + start)
}

/// The first place after the character at `at` between two characters that stand alone.
fn segment_end(text: &str, at: usize) -> usize {
    let mut rest = text[at..].char_indices();
    let mut alone = rest.next().is_some_and(|(_, c)| stands_alone(c));
    for (offset, c) in rest {
        let was_alone = std::mem::replace(&mut alone, stands_alone(c));
        if was_alone && alone {
            return at + offset;
        }
    }
    text.len()
}
