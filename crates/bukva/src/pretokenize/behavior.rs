//! What becomes of the matches of a pattern: the five behaviours of the `tokenizers` library's `Split`.

use crate::spec::Behavior;

/// A stretch of text: start, end, and whether the pattern matched it. An empty match is one too: it cuts.
type Stretch = (usize, usize, bool);

/// Takes the matches of a pattern in order and emits the pre-tokens that a behaviour makes of them; none is empty.
/// O(matches) time, no memory.
pub(super) struct Joiner<E> {
    behavior: Behavior,
    invert: bool,
    /// End of the last match.
    end: usize,
    /// Start of the pre-token under way, and its last stretch.
    run: Option<(usize, Stretch)>,
    emit: E,
}

impl<E: FnMut(usize, usize)> Joiner<E> {
    pub(super) fn new(behavior: Behavior, invert: bool, emit: E) -> Self {
        Joiner { behavior, invert, end: 0, run: None, emit }
    }

    /// Takes the next match.
    #[inline]
    pub(super) fn found(&mut self, from: usize, to: usize) {
        if from > self.end {
            self.push((self.end, from, self.invert));
        }
        self.push((from, to, !self.invert));
        self.end = to;
    }

    /// Takes the text behind the last match, of a text of `len` bytes.
    pub(super) fn finish(mut self, len: usize) {
        if self.end < len {
            self.push((self.end, len, self.invert));
        }
        if let Some((start, last)) = self.run {
            self.give(start, last.1);
        }
    }

    #[inline]
    fn push(&mut self, this: Stretch) {
        match self.behavior {
            Behavior::Isolated => self.give(this.0, this.1),
            Behavior::Removed if this.2 => {}
            Behavior::Removed => self.give(this.0, this.1),
            Behavior::MergedWithPrevious => self.join(this, |before, this| this.2 && !before.2),
            Behavior::MergedWithNext => self.join(this, |before, this| before.2 && !this.2),
            Behavior::Contiguous => self.join(this, |before, this| before.2 == this.2),
        }
    }

    /// `joins` tells whether a stretch goes with the one before it.
    fn join(&mut self, this: Stretch, joins: impl Fn(Stretch, Stretch) -> bool) {
        self.run = match self.run {
            Some((start, before)) if joins(before, this) => Some((start, this)),
            Some((start, before)) => {
                self.give(start, before.1);
                Some((this.0, this))
            }
            None => Some((this.0, this)),
        };
    }

    #[inline]
    fn give(&mut self, from: usize, to: usize) {
        if from < to {
            (self.emit)(from, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::regex::RegexSplitter;
    use super::*;

    fn pieces(pattern: &str, behavior: Behavior, invert: bool, text: &'static str) -> Vec<&'static str> {
        let mut pieces = Vec::new();
        let mut joiner = Joiner::new(behavior, invert, |from, to| pieces.push(&text[from..to]));
        let regex = RegexSplitter::compile(pattern).unwrap();
        regex.for_each_place(text, |from, to| joiner.found(from, to)).unwrap();
        joiner.finish(text.len());
        pieces
    }

    /// The example of the `tokenizers` documentation, `the-final--countdown`.
    #[test]
    fn behaviours_are_those_of_the_tokenizers_library() {
        let pieces = |behavior, invert| pieces("-", behavior, invert, "the-final--countdown");
        assert_eq!(pieces(Behavior::Removed, false), ["the", "final", "countdown"]);
        assert_eq!(pieces(Behavior::Isolated, false), ["the", "-", "final", "-", "-", "countdown"]);
        assert_eq!(pieces(Behavior::MergedWithPrevious, false), ["the-", "final-", "-", "countdown"]);
        assert_eq!(pieces(Behavior::MergedWithNext, false), ["the", "-final", "-", "-countdown"]);
        assert_eq!(pieces(Behavior::Contiguous, false), ["the", "-", "final", "--", "countdown"]);
        assert_eq!(pieces(Behavior::Removed, true), ["-", "-", "-"]);
    }

    #[test]
    fn an_empty_match_cuts() {
        for pattern in [r"(?=\d{3}(?:\D|$))", r"(?=(?:\d{3})+(?!\d))"] {
            assert_eq!(pieces(pattern, Behavior::Isolated, false, "ab12345 c"), ["ab12", "345 c"], "{pattern}");
        }
        assert_eq!(pieces("x*", Behavior::Isolated, false, "axxb"), ["a", "xx", "b"]);
        assert_eq!(pieces("", Behavior::Removed, false, "aб"), ["a", "б"]);
        assert_eq!(pieces("", Behavior::MergedWithNext, false, "aб"), ["a", "б"]);
        assert_eq!(pieces("", Behavior::Isolated, true, ""), [""; 0]);
    }
}
