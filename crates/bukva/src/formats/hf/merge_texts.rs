//! The merges of a file as texts.

use super::texts::Texts;
use crate::error::quoted;

/// Merges: two texts each, side by side.
#[derive(Debug, Clone, Default)]
pub(in crate::formats) struct MergeTexts {
    halves: Texts,
    /// The first merge that is not two tokens, and how it is shown.
    broken: Option<(usize, String)>,
}

impl MergeTexts {
    /// Halves, two a merge, none of which is empty.
    pub(super) fn of(halves: Texts) -> Self {
        MergeTexts { halves, broken: None }
    }

    /// Adds a merge that is written as two texts.
    pub(super) fn push_pair(&mut self, left: &str, right: &str) {
        if left.is_empty() || right.is_empty() {
            self.note_broken(|| format!("{} {}", quoted(left), quoted(right)));
        }
        self.halves.push(left);
        self.halves.push(right);
    }

    /// Adds a merge that is written as one text, with a space between the two.
    pub(super) fn push_joined(&mut self, text: &str) {
        match text.split_once(' ').filter(|(_, right)| !right.contains(' ')) {
            Some((left, right)) if !left.is_empty() && !right.is_empty() => self.push_pair(left, right),
            _ => {
                self.note_broken(|| quoted(text));
                self.halves.push(text);
                self.halves.push("");
            }
        }
    }

    fn note_broken(&mut self, shown: impl FnOnce() -> String) {
        let place = self.len();
        self.broken.get_or_insert_with(|| (place, shown()));
    }

    /// Number of merges.
    pub(super) fn len(&self) -> usize {
        self.halves.len() / 2
    }

    /// The two texts of a merge.
    #[inline]
    pub(super) fn get(&self, merge: usize) -> (&str, &str) {
        (self.halves.get(2 * merge), self.halves.get(2 * merge + 1))
    }

    /// The two texts of a merge, joined.
    #[inline]
    pub(super) fn joined(&self, merge: usize) -> &str {
        self.halves.stretch(2 * merge, 2)
    }

    /// How the merge is written, if it is the first that is not two tokens.
    #[inline]
    pub(super) fn broken(&self, merge: usize) -> Option<&str> {
        self.broken.as_ref().filter(|broken| broken.0 == merge).map(|(_, shown)| shown.as_str())
    }
}
