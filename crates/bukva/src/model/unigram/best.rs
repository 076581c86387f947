//! The best path through a text, by dynamic programming over its places. Source: Viterbi 1967.

use super::entries::{Entries, UNKNOWN};
use crate::model::char_len;

/// SentencePiece (0.2.3, by experiment) counts anew from a place where the sum is larger than this, either way, so that
/// single precision stays fine enough in a long text: the place gets 0, and what was reached behind it changes by as
/// much.
pub(super) const LARGEST_SUM: f64 = 100_000.0;

/// No path ends here.
const NOWHERE: u32 = u32::MAX;

/// The best path that ends at one place.
#[derive(Debug, Clone, Copy)]
struct Ending {
    total: f64,
    start: u32,
    entry: u32,
}

/// One step of a path: bytes `start..end` of the text are `entry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub entry: u32,
    pub start: u32,
    pub end: u32,
}

/// Work arrays for the search: 16 bytes a byte of text.
#[derive(Debug, Default)]
pub(super) struct Best {
    endings: Vec<Ending>,
    /// The path in order, after [`Best::search`].
    pub path: Vec<Step>,
}

impl Best {
    /// Finds the best path through `text`, valid UTF-8, and returns its sum, which begins at `total`. Of equal paths
    /// the one whose last piece begins first, as in both libraries. O(bytes × longest piece).
    pub(super) fn search(&mut self, entries: &Entries, text: &[u8], total: f64) -> f64 {
        self.endings.clear();
        self.endings.resize(text.len() + 1, Ending { total, start: NOWHERE, entry: UNKNOWN });
        let (mut start, mut furthest) = (0, 0);
        while start < text.len() {
            if entries.sentencepiece && self.endings[start].total.abs() > LARGEST_SUM {
                self.count_anew(entries, start, furthest);
            }
            let total = self.endings[start].total;
            let length = char_len(text, start);
            let mut single = false;
            let endings = &mut self.endings[start..];
            entries.trie.prefixes(&text[start..], |long, entry| {
                offer(&mut endings[long], entries.add(total, entries.scores[entry as usize]), start, entry);
                single |= long == length;
                furthest = furthest.max(start + long);
            });
            if !single {
                offer(&mut endings[length], entries.add(total, entries.unknown_score), start, UNKNOWN);
                furthest = furthest.max(start + length);
            }
            start += length;
        }
        self.walk_back(text.len());
        self.endings[text.len()].total
    }

    /// Takes the sum at `start` off the sums from there to `furthest`.
    #[cold]
    fn count_anew(&mut self, entries: &Entries, start: usize, furthest: usize) {
        let less = self.endings[start].total;
        self.endings[start].total = 0.0;
        for ending in &mut self.endings[start + 1..=furthest.max(start)] {
            ending.total = entries.add(ending.total, -less);
        }
    }

    fn walk_back(&mut self, length: usize) {
        self.path.clear();
        let mut end = length as u32;
        while end > 0 {
            let Ending { start, entry, .. } = self.endings[end as usize];
            self.path.push(Step { entry, start, end });
            end = start;
        }
        self.path.reverse();
    }

    /// Gives back the memory of a long text.
    pub(super) fn shrink(&mut self) {
        const KEEP: usize = 1 << 16;
        self.endings.clear();
        self.endings.shrink_to(KEEP);
        self.path.shrink_to(KEEP);
    }
}

/// Takes a path that ends here if it is better than the one that is known.
#[inline]
fn offer(ending: &mut Ending, total: f64, start: usize, entry: u32) {
    if ending.start == NOWHERE || total > ending.total {
        *ending = Ending { total, start: start as u32, entry };
    }
}
