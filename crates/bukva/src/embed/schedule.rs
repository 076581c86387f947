//! The corpus in parts, and the learning rate of each.

use std::ops::Range;

/// Words of a part at most: small enough that all threads end together, large enough that handing out costs nothing.
const MOST: usize = 1 << 14;
/// And at least.
const LEAST: usize = 64;
/// Parts of a small corpus, about: the learning rate falls in so many steps.
const STEPS: usize = 1024;

/// Where parts lie and how fast each learns. No part depends on threads: only on the corpus and the options.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    words: usize,
    part: usize,
    epochs: u32,
    alpha: f64,
    min_alpha: f64,
}

impl Schedule {
    /// `words` counts the marks of ends of documents too.
    pub(super) fn new(words: usize, epochs: u32, alpha: f64, min_alpha: f64) -> Self {
        Schedule { words, part: (words / STEPS).clamp(LEAST, MOST), epochs, alpha, min_alpha }
    }

    /// Parts of an epoch.
    pub(super) fn parts(&self) -> usize {
        self.words.div_ceil(self.part)
    }

    /// The words of a part.
    pub(super) fn range(&self, part: usize) -> Range<usize> {
        part * self.part..((part + 1) * self.part).min(self.words)
    }

    /// The learning rate of a part: from alpha to min_alpha in a straight line over all epochs.
    pub(super) fn rate(&self, epoch: u32, part: usize) -> f32 {
        let done = f64::from(epoch) + self.range(part).start as f64 / self.words as f64;
        let share = done / f64::from(self.epochs);
        (self.alpha + (self.min_alpha - self.alpha) * share) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_tile_the_corpus_and_the_rate_falls() {
        for words in [1, 63, 64, 65, 5_000, 100_000, 20_000_000] {
            let schedule = Schedule::new(words, 3, 0.05, 0.01);
            let parts: Vec<_> = (0..schedule.parts()).map(|part| schedule.range(part)).collect();
            assert!(parts.iter().all(|part| !part.is_empty() && part.len() <= MOST));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, words));
            assert_eq!(schedule.rate(0, 0), 0.05);
            let rates: Vec<f32> = (0..3).flat_map(|epoch| (0..parts.len()).map(move |part| (epoch, part)))
                .map(|(epoch, part)| schedule.rate(epoch, part)).collect();
            assert!(rates.windows(2).all(|pair| pair[0] > pair[1]));
            assert!(rates.iter().all(|&rate| rate > 0.01));
        }
    }
}
