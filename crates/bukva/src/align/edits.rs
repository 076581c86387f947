//! What normalizers and pre-tokenizers do to a text, each with the alignments that the `tokenizers` library gives it.

use std::ops::Range;

use super::AlignedText;
use crate::normalize::Aligned;

impl AlignedText<'_> {
    /// Keeps the characters for which `keep` holds. O(n).
    pub fn filter(&mut self, keep: impl Fn(char) -> bool) {
        if self.text.chars().all(&keep) {
            return;
        }
        let (mut kept, mut removed) = (Vec::with_capacity(self.text.len()), 0);
        for c in self.text.chars() {
            match kept.last_mut() {
                _ if keep(c) => kept.push((c, 0)),
                Some((_, change)) => *change -= 1,
                None => removed += 1,
            }
        }
        self.transform(kept, removed);
    }

    /// Every character becomes one other. O(n).
    pub fn map(&mut self, map: impl Fn(char) -> char) {
        if self.text.chars().any(|c| map(c) != c) {
            let mapped: Vec<(char, isize)> = self.text.chars().map(|c| (map(c), 0)).collect();
            self.transform(mapped, 0);
        }
    }

    /// Every character becomes one or more; the first replaces it and the others are added. O(n).
    pub fn expand<I: Iterator<Item = char>>(&mut self, expand: impl Fn(char) -> I) {
        let mut new = Vec::with_capacity(self.text.len());
        for c in self.text.chars() {
            new.extend(expand(c).enumerate().map(|(index, part)| (part, isize::from(index > 0))));
        }
        self.transform(new, 0);
    }

    /// Puts `content` before the text, with the place of the first character; nothing before an empty text. O(n).
    pub fn prepend(&mut self, content: &str) {
        let Some(first) = self.text.chars().next() else { return };
        let added = content.chars().enumerate().map(|(index, c)| (c, isize::from(index > 0)));
        self.transform_range(0..first.len_utf8(), added.chain([(first, 1)]), 0);
    }

    /// Puts `content` behind the text, with the place of the last character. O(n).
    pub fn append(&mut self, content: &str) {
        let added = content.chars().map(|c| (c, 1));
        match self.text.char_indices().next_back() {
            Some((at, last)) => self.transform_range(at..self.text.len(), [(last, 0)].into_iter().chain(added), 0),
            None => self.transform(added, 0),
        }
    }

    /// Puts `content` in the place of every range of `matches`: in order, disjoint, between characters. It has the
    /// place of the last character of the match, and of the one before where the match is empty. O(n).
    pub fn replace(&mut self, matches: impl IntoIterator<Item = Range<usize>>, content: &str) {
        let mut text = String::with_capacity(self.text.len());
        let mut spans = Vec::with_capacity(self.text.len());
        let mut done = 0;
        for Range { start, end } in matches {
            text.push_str(&self.text[done..start]);
            spans.extend_from_slice(&self.spans[done..start]);
            text.push_str(content);
            spans.extend(std::iter::repeat_n(self.span_before(end), content.len()));
            done = end;
        }
        text.push_str(&self.text[done..]);
        spans.extend_from_slice(&self.spans[done..]);
        (self.text, self.spans) = (text, spans);
    }

    /// Removes white space at the chosen ends. O(n).
    pub fn strip(&mut self, left: bool, right: bool) {
        let start = if left { self.text.len() - self.text.trim_start().len() } else { 0 };
        let end = if right { self.text.trim_end().len().max(start) } else { self.text.len() };
        self.text = self.text[start..end].to_owned();
        self.spans = self.spans[start..end].to_vec();
    }

    /// Takes the text of `aligned`, which is a rewriting of this one. Each character has the place of what it comes from
    /// by [`Aligned::original_of`]. O(n log edits).
    pub fn follow(&mut self, aligned: &Aligned) {
        let mut spans = Vec::with_capacity(aligned.text.len());
        for (at, c) in aligned.text.char_indices() {
            let end = at + c.len_utf8();
            let span = self.offsets_within(aligned.original_of(at)..aligned.original_of(end));
            spans.extend(std::iter::repeat_n(span, c.len_utf8()));
        }
        (self.text, self.spans) = (aligned.text.clone(), spans);
    }

    /// The place of a range of the text; an empty one has the place of what stands before it.
    fn offsets_within(&self, range: Range<usize>) -> (u32, u32) {
        match self.spans.get(range.clone()) {
            Some([first, .., last]) => (first.0, last.1),
            Some([only]) => *only,
            _ => self.span_before(range.start),
        }
    }

    /// Removes the whole text; the piece keeps its place in the original. O(1).
    pub fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }
}
