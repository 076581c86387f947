//! The corpus in parts, and the learning rate of each.

use std::ops::Range;

use super::ids::Ids;

/// Words of a part at most: small enough that all threads end together, large enough that handing out costs nothing.
const MOST: usize = 1 << 14;
/// And at least.
const LEAST: usize = 64;
/// Parts of a small corpus, about: the learning rate falls in so many steps.
const STEPS: usize = 1024;

/// Words that are trained at one go, inside of one segment of the ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) segment: usize,
    pub(super) range: Range<usize>,
    /// Words before it in the corpus.
    pub(super) before: usize,
}

/// Where parts lie and how fast each learns. No part depends on threads: only on the corpus and the options.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    parts: Vec<Part>,
    words: usize,
    epochs: u32,
    alpha: f64,
    min_alpha: f64,
}

impl Schedule {
    /// The schedule of a corpus. O(words / 64) at most.
    pub(super) fn new(ids: &Ids, epochs: u32, alpha: f64, min_alpha: f64) -> Self {
        let words = ids.len();
        let size = (words / STEPS).clamp(LEAST, MOST);
        let mut parts = Vec::with_capacity(words / size + ids.segments().len());
        let mut before = 0;
        for (segment, ids) in ids.segments().iter().enumerate() {
            for start in (0..ids.len()).step_by(size) {
                let range = start..(start + size).min(ids.len());
                before += range.len();
                parts.push(Part { segment, before: before - range.len(), range });
            }
        }
        Schedule { parts, words, epochs, alpha, min_alpha }
    }

    /// The parts of an epoch.
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Words of the corpus.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The learning rate of a part: from alpha to min_alpha in a straight line over all epochs.
    pub(super) fn rate(&self, epoch: u32, part: &Part) -> f32 {
        let done = f64::from(epoch) + part.before as f64 / self.words.max(1) as f64;
        let share = done / f64::from(self.epochs);
        (self.alpha + (self.min_alpha - self.alpha) * share) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tile_the_corpus_and_the_rate_falls() {
        for words in [1, 63, 64, 65, 5_000, 100_000, 2_000_000] {
            let (segment, last) = (vec![0; words], vec![0; words / 2]);
            let schedule = Schedule::new(&Ids::of(&[&segment, &last]), 3, 0.05, 0.01);
            let parts = schedule.parts();
            assert!(parts.iter().all(|part| !part.range.is_empty() && part.range.len() <= MOST));
            assert!(parts.windows(2).all(|pair| pair[0].before + pair[0].range.len() == pair[1].before));
            assert_eq!(parts.last().map(|part| part.before + part.range.len()), Some(schedule.words()));
            let rates: Vec<f32> = (0..3)
                .flat_map(|epoch| parts.iter().map(|part| schedule.rate(epoch, part)).collect::<Vec<_>>())
                .collect();
            assert_eq!(rates[0], 0.05);
            assert!(rates.windows(2).all(|pair| pair[0] > pair[1]) && rates.iter().all(|&rate| rate > 0.01));
        }
    }
}
