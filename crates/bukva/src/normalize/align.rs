//! What a normalizer changed, and where each place of its text comes from.

use std::ops::Range;

/// One changed place: the bytes `original` of the old text became the bytes `normalized` of the new one. Either may
/// be empty, but not both; the two texts have neither a first nor a last character in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the old text.
    pub original: Range<usize>,
    /// Bytes of the new text.
    pub normalized: Range<usize>,
}

/// To which of the characters that an edit wrote the old text belongs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Owner {
    /// To the first.
    #[default]
    First,
    /// To the last, as SentencePiece has it.
    Last,
}

/// A normalized text with its edits: in order and disjoint. Outside the edits both texts are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aligned {
    /// The normalized text.
    pub text: String,
    /// What was changed.
    pub edits: Vec<Edit>,
    /// To which part of an edit's new text its old text belongs.
    pub owner: Owner,
}

impl Aligned {
    /// `text` without a change.
    pub fn unchanged(text: &str) -> Self {
        Aligned { text: text.to_owned(), ..Default::default() }
    }

    /// The byte of the old text from which the byte `offset` of the new text comes. O(log edits).
    ///
    /// Never decreases as `offset` grows, and is always the start of a character where `offset` is one. The start of
    /// an edit is the start of its original, and a place strictly inside an edit is the *end* of its original, or the
    /// start with [`Owner::Last`]: a character that became several belongs as a whole to one of them. Deleted text belongs to what stands
    /// before it; 0 is always 0, so text deleted at the start belongs to what follows. Hence the images of
    /// neighbouring spans are neighbours, and spans that tile the new text tile the old one.
    pub fn original_of(&self, offset: usize) -> usize {
        if offset == 0 {
            return 0;
        }
        let started = self.edits.partition_point(|edit| edit.normalized.start <= offset);
        let Some(Edit { original, normalized }) = started.checked_sub(1).map(|last| &self.edits[last]) else {
            return offset;
        };
        let inside = normalized.contains(&offset);
        if inside && (offset == normalized.start || self.owner == Owner::Last) {
            original.start
        } else {
            original.end + offset.saturating_sub(normalized.end)
        }
    }

    /// Whether the byte `offset` of the new text lies strictly inside an edit, so that no place of the old text is its
    /// own. O(log edits).
    pub fn is_inside_edit(&self, offset: usize) -> bool {
        let started = self.edits.partition_point(|edit| edit.normalized.start < offset);
        started > 0 && offset < self.edits[started - 1].normalized.end
    }

    /// This rewriting of `text` followed by `next`, as one. O(edits), and O(bytes) inside the edits.
    pub(super) fn then(self, text: &str, next: Aligned) -> Aligned {
        let mut edits = Vec::with_capacity(self.edits.len().max(next.edits.len()));
        let mut first = Side::new(&self.edits, |edit| &edit.normalized, |edit| &edit.original);
        let mut second = Side::new(&next.edits, |edit| &edit.original, |edit| &edit.normalized);
        while let Some(mut middle) = earlier(first.peek(), second.peek()) {
            let starts = (first.outer(middle.start), second.outer(middle.start));
            while first.absorb(&mut middle) || second.absorb(&mut middle) {}
            let original = starts.0..first.outer(middle.end);
            let normalized = starts.1..second.outer(middle.end);
            edits.extend(trimmed(&text[original.clone()], &next.text[normalized.clone()]).map(|(cut, new)| Edit {
                original: original.start + cut.start..original.start + cut.end,
                normalized: normalized.start + cut.start..normalized.start + cut.start + new.len(),
            }));
        }
        let owner = if self.owner == Owner::Last { self.owner } else { next.owner };
        Aligned { text: next.text, edits, owner }
    }
}

/// One of two rewritings that share a middle text: its edits as ranges of that text, with a place in the walk.
struct Side<'e> {
    edits: &'e [Edit],
    inner: fn(&Edit) -> &Range<usize>,
    outer: fn(&Edit) -> &Range<usize>,
    /// End of the last edit passed, in the middle text and in the outer text.
    passed: (usize, usize),
}

impl<'e> Side<'e> {
    fn new(edits: &'e [Edit], inner: fn(&Edit) -> &Range<usize>, outer: fn(&Edit) -> &Range<usize>) -> Self {
        Side { edits, inner, outer, passed: (0, 0) }
    }

    fn peek(&self) -> Option<&Range<usize>> {
        self.edits.first().map(self.inner)
    }

    /// The outer place of `middle`, which lies after the last edit passed and not after the start of the next.
    fn outer(&self, middle: usize) -> usize {
        self.passed.1 + (middle - self.passed.0)
    }

    /// Passes the next edit if it overlaps `middle`, and widens `middle` by it.
    fn absorb(&mut self, middle: &mut Range<usize>) -> bool {
        let Some(edit) = self.edits.first() else { return false };
        let inner = (self.inner)(edit);
        if !overlaps(middle, inner) {
            return false;
        }
        middle.end = middle.end.max(inner.end);
        self.passed = (inner.end, (self.outer)(edit).end);
        self.edits = &self.edits[1..];
        true
    }
}

/// The range that starts first; an empty one lies before others that start with it.
fn earlier(a: Option<&Range<usize>>, b: Option<&Range<usize>>) -> Option<Range<usize>> {
    [a, b].into_iter().flatten().min_by_key(|range| (range.start, !range.is_empty())).cloned()
}

/// Whether `next`, which does not start before `range`, shares a byte with it, lies inside it, or equals it.
fn overlaps(range: &Range<usize>, next: &Range<usize>) -> bool {
    if next.is_empty() || range.is_empty() {
        range == next || (range.start < next.start && next.start < range.end)
    } else {
        next.start < range.end
    }
}

/// The part of `old` that differs from `new`, and what it becomes: common first and last characters are left out.
/// `None` when the texts are the same. O(n).
pub(super) fn trimmed<'n>(old: &str, new: &'n str) -> Option<(Range<usize>, &'n str)> {
    if old == new {
        return None;
    }
    let start = common(old.chars(), new.chars());
    let (rest, new) = (&old[start..], &new[start..]);
    let end = common(rest.chars().rev(), new.chars().rev());
    Some((start..old.len() - end, &new[..new.len() - end]))
}

/// Bytes of the characters that both begin with.
fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(original: Range<usize>, normalized: Range<usize>) -> Edit {
        Edit { original, normalized }
    }

    #[test]
    fn common_ends_are_left_out() {
        assert_eq!(trimmed("abcd", "aXd"), Some((1..3, "X")));
        assert_eq!(trimmed("a  b", "a b"), Some((2..3, "")));
        assert_eq!(trimmed("да", "дб"), Some((2..4, "б")));
        assert_eq!(trimmed("same", "same"), None);
    }

    #[test]
    fn places_inside_an_edit_are_its_end_or_its_start() {
        // "xﬁy  z" → "xfiy z"
        let aligned =
            Aligned { text: "xfiy z".into(), edits: vec![edit(1..4, 1..3), edit(6..7, 5..5)], ..Default::default() };
        let images: Vec<usize> = (0..=6).map(|offset| aligned.original_of(offset)).collect();
        assert_eq!(images, [0, 1, 4, 4, 5, 7, 8]);
        let last = Aligned { owner: Owner::Last, ..aligned };
        let images: Vec<usize> = (0..=6).map(|offset| last.original_of(offset)).collect();
        assert_eq!(images, [0, 1, 1, 4, 5, 7, 8]);
    }

    #[test]
    fn text_deleted_at_the_start_belongs_to_what_follows() {
        let aligned =
            Aligned { text: "a".into(), edits: vec![edit(0..2, 0..0), edit(3..4, 1..1)], ..Default::default() };
        assert_eq!((aligned.original_of(0), aligned.original_of(1)), (0, 4));
    }

    #[test]
    fn rewritings_compose() {
        // "É É" → "é é" → "é_é" → …: changes that touch stay apart, changes that meet are joined.
        let first = Aligned { text: "e\u{301} x".into(), edits: vec![edit(0..2, 0..3)], ..Default::default() };
        let second = Aligned {
            text: "E\u{301}  x".into(),
            edits: vec![edit(0..1, 0..1), edit(4..4, 4..5)],
            ..Default::default()
        };
        let whole = first.then("é x", second);
        assert_eq!(whole.edits, [edit(0..2, 0..3), edit(3..3, 4..5)]);
    }

    #[test]
    fn a_change_that_is_undone_is_no_edit() {
        let first = Aligned { text: "xb".into(), edits: vec![edit(0..1, 0..1)], ..Default::default() };
        let second = Aligned { text: "ab".into(), edits: vec![edit(0..1, 0..1)], ..Default::default() };
        assert_eq!(first.then("ab", second), Aligned::unchanged("ab"));
    }
}
