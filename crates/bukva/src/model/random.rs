//! Random numbers from a seed, the same on every machine. Source: SplitMix64, Steele, Lea, Flood 2014.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next number, from 0 to below 1, in steps of 2⁻⁵³. O(1).
    pub fn next_unit(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An index with probability in proportion to its weight; the last one where rounding leaves nothing. Weights are
    /// at least 0. O(weights).
    pub fn next_index(&mut self, weights: &[f64]) -> usize {
        let mut rest = self.next_unit() * weights.iter().sum::<f64>();
        let found = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        found.unwrap_or(weights.len().saturating_sub(1))
    }
}
