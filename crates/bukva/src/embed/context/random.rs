//! Random numbers that are the same everywhere.

/// SplitMix64. One addition and two multiplications a number.
///
/// Source: G. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators*, 2014.
#[derive(Debug, Clone)]
pub(in crate::embed) struct Random(u64);

impl Random {
    /// A stream for a `seed` and a place in the work, such as an epoch, a part and what the numbers are for.
    pub(in crate::embed) fn new(seed: u64, place: &[u64]) -> Self {
        let mut random = Random(seed);
        for &part in place {
            random.0 = random.next() ^ part;
        }
        Random(random.next())
    }

    /// 64 random bits.
    #[inline(always)]
    pub(in crate::embed) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A whole number below `bound`; each as often as the others but for one part in 2³².
    #[inline(always)]
    pub(in crate::embed) fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from 0 to below 1, of 24 bits.
    pub(in crate::embed) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u32 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published generator, seed 1234567.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn streams_differ_by_place() {
        let first = |seed, place: &[u64]| Random::new(seed, place).next();
        assert_eq!(first(1, &[2, 3]), first(1, &[2, 3]));
        assert_ne!(first(1, &[2, 3]), first(1, &[3, 2]));
        assert_ne!(first(1, &[2, 3]), first(2, &[2, 3]));
    }

    #[test]
    fn numbers_stay_below_their_bound() {
        let mut random = Random::new(0, &[]);
        assert!((0..1000).all(|_| random.below(7) < 7));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
    }
}
