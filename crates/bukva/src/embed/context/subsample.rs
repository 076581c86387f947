//! Leaving out occurrences of frequent words.

use super::random::Random;

/// How often each word is kept.
///
/// A word of frequency f is kept with probability √(t/f) + t/f, as in the code of word2vec (the paper has √(t/f) only).
#[derive(Debug, Clone)]
pub(super) struct Subsample {
    /// A word is kept when a random number of 32 bits is not above this.
    thresholds: Vec<u32>,
}

impl Subsample {
    /// Thresholds for words with `counts`; `sample` is t, and 0 keeps everything.
    pub(super) fn new(counts: &[u64], sample: f64) -> Self {
        let total: u64 = counts.iter().sum();
        let threshold = |&count: &u64| {
            let share = sample * total as f64 / count as f64;
            let kept = share.sqrt() + share;
            if sample == 0.0 || kept >= 1.0 { u32::MAX } else { (kept * f64::from(u32::MAX)) as u32 }
        };
        Subsample { thresholds: counts.iter().map(threshold).collect() }
    }

    /// Whether this occurrence of a word is kept.
    #[inline(always)]
    pub(super) fn keeps(&self, word: u32, random: &mut Random) -> bool {
        (random.next() >> 32) as u32 <= self.thresholds[word as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(counts: &[u64], sample: f64, word: u32) -> f64 {
        let subsample = Subsample::new(counts, sample);
        let mut random = Random::new(5, &[]);
        (0..100_000).filter(|_| subsample.keeps(word, &mut random)).count() as f64 / 100_000.0
    }

    #[test]
    fn words_are_kept_as_often_as_the_formula_says() {
        // f = 0.9, t = 0.1: 1/3 + 1/9.
        assert!((kept(&[900, 100], 0.1, 0) - 0.4444).abs() < 0.01);
        assert_eq!(kept(&[900, 100], 0.1, 1), 1.0);
        assert_eq!(kept(&[900, 100], 0.0, 0), 1.0);
    }
}
