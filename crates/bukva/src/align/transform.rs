//! The one way in which a text changes: character by character, with what each new character replaces.

use std::ops::Range;

use super::AlignedText;

impl AlignedText<'_> {
    /// Puts the characters of `new` in the place of the bytes `range` of the text. O(n) for the whole text.
    ///
    /// The first `removed` characters of the range are dropped. Each new character comes with a change: 0 replaces
    /// the next old character, `-n` replaces it and drops the `n` old characters after it, 1 adds a character that
    /// has the place of the byte before it. A range that is not between characters changes nothing.
    pub fn transform_range<I>(&mut self, range: Range<usize>, new: I, removed: usize)
    where
        I: IntoIterator<Item = (char, isize)>,
    {
        let Some(old) = self.text.get(range.clone()) else { return };
        let mut text = String::with_capacity(old.len());
        let mut spans = Vec::with_capacity(old.len());
        let mut old = old.chars();
        let mut at = range.start + bytes_of(&mut old, removed);
        for (c, change) in new {
            let span = if change > 0 { self.span_before(at) } else { self.span_at(at) };
            if change <= 0 {
                at += bytes_of(&mut old, 1usize.saturating_add(change.unsigned_abs()));
            }
            spans.extend(std::iter::repeat_n(span, c.len_utf8()));
            text.push(c);
        }
        if range.len() == self.text.len() {
            (self.text, self.spans) = (text, spans);
        } else {
            self.text.replace_range(range.clone(), &text);
            self.spans.splice(range, spans);
        }
    }

    /// The same for the whole text. O(n).
    pub fn transform<I>(&mut self, new: I, removed: usize)
    where
        I: IntoIterator<Item = (char, isize)>,
    {
        self.transform_range(0..self.text.len(), new, removed);
    }

    /// The place of an added character: that of the byte before it, or the very start.
    pub(super) fn span_before(&self, at: usize) -> (u32, u32) {
        let before = at.checked_sub(1).and_then(|before| self.spans.get(before));
        before.copied().unwrap_or((self.origin.start, self.origin.start))
    }

    fn span_at(&self, at: usize) -> (u32, u32) {
        self.spans.get(at).copied().unwrap_or((self.origin.end, self.origin.end))
    }
}

/// Takes `count` characters and gives their length in bytes.
fn bytes_of(characters: &mut std::str::Chars<'_>, count: usize) -> usize {
    characters.take(count).map(char::len_utf8).sum()
}
