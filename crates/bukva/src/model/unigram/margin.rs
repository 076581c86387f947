//! How far the best path of a word is ahead of the second best.
//!
//! SentencePiece adds scores up in single precision from the start of the text, so which path of a word wins may
//! depend on the sum before it. Let M bound the size of every sum on the way, and u = M · 2⁻²³, which is at least the
//! distance of neighbouring single numbers there. One rounding is off by at most u / 2. A path of k pieces has k
//! roundings, so its computed sum is off by at most k·u / 2; k is at most the number of characters n. Rounding keeps
//! order, so by induction the search ends with a computed sum no lower than the computed sum of the truly best path,
//! and that is at most n·u / 2 below its true sum. Any path that the search could end with instead would have a
//! computed sum at most n·u / 2 above its own true sum. Hence where the best path is ahead by more than n·u, it is
//! found whatever came before. [`Margin::per_character`] is the lead divided by n; the word may be taken from a cache
//! as long as u is smaller.

use super::entries::Entries;
use crate::model::char_len;

/// What is taken off a lead for the rounding of double sums, of which a word has few.
const SLACK: f64 = 1e-6;

/// Work array: the two highest sums at each place.
#[derive(Debug, Default)]
pub(super) struct Margin {
    sums: Vec<[f64; 2]>,
}

impl Margin {
    /// The lead of the best path of `word` over every other one, divided by the number of characters; infinite where
    /// there is no other. O(bytes × longest piece).
    pub(super) fn per_character(&mut self, entries: &Entries, word: &[u8]) -> f64 {
        self.sums.clear();
        self.sums.resize(word.len() + 1, [f64::NEG_INFINITY; 2]);
        self.sums[0][0] = 0.0;
        let (mut start, mut count) = (0, 0_u32);
        while start < word.len() {
            let before = self.sums[start];
            let length = char_len(word, start);
            let mut single = false;
            let sums = &mut self.sums[start..];
            entries.trie.prefixes(&word[start..], |long, entry| {
                offer(&mut sums[long], before, entries.scores[entry as usize]);
                single |= long == length;
            });
            if !single {
                offer(&mut sums[length], before, entries.unknown_score);
            }
            start += length;
            count += 1;
        }
        let [best, second] = self.sums[word.len()];
        (best - second - SLACK) / f64::from(count.max(1))
    }
}

/// Adds the two paths that go through one more piece.
fn offer(sums: &mut [f64; 2], before: [f64; 2], score: f64) {
    for sum in before.map(|sum| sum + score) {
        if sum > sums[0] {
            *sums = [sum, sums[0]];
        } else if sum > sums[1] {
            sums[1] = sum;
        }
    }
}
