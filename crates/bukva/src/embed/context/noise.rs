//! Words drawn at random as negatives, in proportion to a power of their counts.

use std::hint::select_unpredictable;

use super::random::Random;
use crate::prefetch::prefetch;

/// An alias table: O(words) to make, one random number and one look to draw. 8 bytes a word.
///
/// Source: A. Walker 1977; M. Vose 1991 (the linear construction).
#[derive(Debug, Clone)]
pub(super) struct Noise {
    entries: Vec<Entry>,
}

/// A slot that holds its own word below `own`, and another above.
#[derive(Debug, Clone, Copy)]
struct Entry {
    own: u32,
    other: u32,
}

impl Noise {
    /// Draws words in proportion to their counts to the power of `exponent`; 0.75 since word2vec. There is a word at
    /// least, and all counts are at least 1.
    pub(super) fn new(counts: &[u64], exponent: f64) -> Self {
        let weights: Vec<f64> = counts.iter().map(|&count| (count as f64).powf(exponent)).collect();
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut entries: Vec<Entry> =
            (0..counts.len()).map(|word| Entry { own: u32::MAX, other: word as u32 }).collect();
        let (mut poor, mut rich): (Vec<usize>, Vec<usize>) = (0..shares.len()).partition(|&word| shares[word] < 1.0);
        while let (Some(&giver), Some(taker)) = (rich.last(), poor.pop()) {
            entries[taker] = Entry { own: (shares[taker] * 4_294_967_296.0) as u32, other: giver as u32 };
            shares[giver] -= 1.0 - shares[taker];
            if shares[giver] < 1.0 {
                rich.pop();
                poor.push(giver);
            }
        }
        Noise { entries }
    }

    /// The slot of a random number.
    #[inline(always)]
    fn slot(&self, bits: u64) -> u32 {
        (((bits >> 32) * self.entries.len() as u64) >> 32) as u32
    }

    /// Draws as many words as there are `numbers`: those at random, which are overwritten. All entries are asked for
    /// before the first is looked at, for most are far from the processor.
    fn draw(&self, random: &mut Random, numbers: &mut [u64], words: &mut Vec<u32>) {
        for bits in numbers.iter_mut() {
            *bits = random.next();
            prefetch(&self.entries[self.slot(*bits) as usize]);
        }
        words.extend(numbers.iter().map(|&bits| {
            let slot = self.slot(bits);
            let entry = self.entries[slot as usize];
            select_unpredictable((bits as u32) < entry.own, slot, entry.other)
        }));
    }
}

/// Groups of words, drawn ahead of their use.
#[derive(Debug, Clone)]
pub(super) struct Drawn<'a> {
    noise: &'a Noise,
    random: Random,
    /// Words of a group; at least 1.
    size: usize,
    /// What words are drawn by.
    numbers: Vec<u64>,
    words: Vec<u32>,
    /// Whether a word comes twice in a group.
    repeated: Vec<bool>,
    /// The group that is next.
    next: usize,
}

/// Words drawn at a time, about: their looks at the table overlap.
const AHEAD: usize = 512;

impl<'a> Drawn<'a> {
    /// Groups of `size` words.
    pub(super) fn new(noise: &'a Noise, size: usize) -> Self {
        let numbers = vec![0; AHEAD.div_ceil(size) * size];
        Drawn { noise, random: Random::new(0, &[]), size, numbers, words: Vec::new(), repeated: Vec::new(), next: 0 }
    }

    /// Starts anew with other random numbers.
    pub(super) fn restart(&mut self, random: Random) {
        self.random = random;
        self.clear();
    }

    fn clear(&mut self) {
        self.repeated.clear();
        self.words.clear();
        self.next = 0;
    }

    /// The next group, and whether a word comes twice in it.
    #[inline(always)]
    pub(super) fn next(&mut self) -> (&[u32], bool) {
        if self.next == self.repeated.len() {
            self.refill();
        }
        let start = self.next * self.size;
        self.next += 1;
        (&self.words[start..start + self.size], self.repeated[self.next - 1])
    }

    #[cold]
    fn refill(&mut self) {
        self.clear();
        self.noise.draw(&mut self.random, &mut self.numbers, &mut self.words);
        let repeats = |group: &[u32]| group.iter().enumerate().any(|(at, word)| group[..at].contains(word));
        self.repeated.extend(self.words.chunks_exact(self.size).map(repeats));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_drawn_in_proportion() {
        let counts = [10_000, 2_000, 300, 300, 40, 5, 1];
        let noise = Noise::new(&counts, 0.75);
        let mut drawn = [0.0f64; 7];
        let draws = 1_000_000;
        let mut words = Vec::new();
        noise.draw(&mut Random::new(1, &[]), &mut vec![0; draws], &mut words);
        words.into_iter().for_each(|word| drawn[word as usize] += 1.0);
        let total: f64 = counts.iter().map(|&count| (count as f64).powf(0.75)).sum();
        for (count, drawn) in counts.into_iter().zip(drawn) {
            let expected = (count as f64).powf(0.75) / total * draws as f64;
            // Five standard deviations.
            assert!((drawn - expected).abs() < 5.0 * expected.sqrt() + 1.0, "{count}: {drawn}, expected {expected}");
        }
    }

    #[test]
    fn one_word_is_always_drawn() {
        let noise = Noise::new(&[3], 0.75);
        let mut words = Vec::new();
        noise.draw(&mut Random::new(0, &[]), &mut [0; 3], &mut words);
        assert_eq!(words, [0; 3]);
    }
}
