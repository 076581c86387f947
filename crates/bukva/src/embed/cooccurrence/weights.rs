//! Weights as whole numbers.

use super::options::{CountOptions, Weighting};
use crate::error::{Error, Kind, Result};

/// The finest unit: a pair of neighbours counts at most so many units.
const FINEST: u64 = 1 << 28;

/// What pairs count, in units of 1/`one`.
///
/// 1/d is exact for windows up to 22, where all distances divide one number below 2²⁸; beyond, it is rounded to 2⁻²⁸.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weights {
    /// Units of each distance from 1.
    pub(super) units: Vec<u32>,
    /// Units that are 1.
    pub(super) one: u64,
}

impl Weights {
    /// The weights of a corpus of so many ids.
    ///
    /// # Errors
    /// [`Kind::Training`] if a sum could be beyond 64 bits.
    pub(super) fn new(options: &CountOptions, ids: usize) -> Result<Self> {
        let window = u64::from(options.window);
        // No two words of the corpus are farther apart.
        let farthest = window.min(ids as u64);
        let one = match options.weighting {
            Weighting::Harmonic => common_multiple(farthest),
            Weighting::Flat => 1,
            Weighting::Dynamic => window,
        };
        let units = |distance: u64| match options.weighting {
            Weighting::Harmonic => ((one + distance / 2) / distance).max(1) as u32,
            Weighting::Flat => 1,
            Weighting::Dynamic => (window - distance + 1) as u32,
        };
        let units: Vec<u32> = (1..=farthest).map(units).collect();
        let most = units.iter().map(|&units| u128::from(units)).sum::<u128>() * 2 * ids as u128;
        if most > u128::from(u64::MAX) {
            let message = format!("sums of {ids} words with a window of {window} are beyond 64 bits; lower window");
            return Err(Error::new(Kind::Training, message));
        }
        Ok(Weights { units, one })
    }

    /// A sum of units as a number. Rounded once.
    pub(super) fn number(&self, units: u64) -> f64 {
        units as f64 / self.one as f64
    }
}

/// The least common multiple of 1 to `last`, or [`FINEST`] if it is beyond that.
fn common_multiple(last: u64) -> u64 {
    let mut multiple = 1;
    for number in 1..=last {
        multiple *= number / gcd(multiple, number);
        if multiple > FINEST {
            return FINEST;
        }
    }
    multiple
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(weighting: Weighting, window: u32) -> Weights {
        Weights::new(&CountOptions { weighting, window, ..CountOptions::default() }, 1000).unwrap()
    }

    #[test]
    fn weights_are_exact_fractions() {
        assert_eq!(weights(Weighting::Harmonic, 5), Weights { units: vec![60, 30, 20, 15, 12], one: 60 });
        assert_eq!(weights(Weighting::Dynamic, 3), Weights { units: vec![3, 2, 1], one: 3 });
        assert_eq!(weights(Weighting::Flat, 2), Weights { units: vec![1, 1], one: 1 });
        let Weights { units, one } = weights(Weighting::Harmonic, 22);
        assert!((1u64..).zip(&units).all(|(distance, &units)| u64::from(units) * distance == one));
    }

    #[test]
    fn far_pairs_are_rounded() {
        let weights = weights(Weighting::Harmonic, 100);
        assert_eq!(weights.one, FINEST);
        for (distance, &units) in (1..).zip(&weights.units) {
            assert!((weights.number(units.into()) - 1.0 / f64::from(distance)).abs() <= 2.0 / FINEST as f64);
        }
    }

    #[test]
    fn sums_that_could_overflow_are_refused() {
        let options = CountOptions { weighting: Weighting::Dynamic, window: u32::MAX, ..CountOptions::default() };
        assert!(Weights::new(&options, 20_000).is_ok());
        assert_eq!(Weights::new(&options, 100_000).unwrap_err().kind, Kind::Training);
    }
}
