//! Rows in bands, each with about as many pairs as its working memory has room for.

use std::convert::Infallible;
use std::ops::Range;

use super::options::Sides;
use super::stretch::Stretch;

/// Pairs of a band where the corpus is small: 32 MB.
const LEAST: u64 = 1 << 22;
/// Bands for each thread where it is large: the corpus is read so many times.
const BANDS: u64 = 32;

/// Rows that are counted in one pass over the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) rows: Range<usize>,
    /// Pairs of all its rows.
    pub(super) pairs: u64,
}

/// Pairs of each row. O(words).
pub(super) fn pairs_of_rows(stretches: &[Stretch<'_>], words: usize, width: usize, sides: Sides) -> Vec<u64> {
    let mut pairs = vec![0; words];
    for stretch in stretches {
        let Ok(()) = stretch.for_each_window::<Infallible>(
            width,
            sides,
            |_| true,
            |window| {
                pairs[window.word as usize] += (window.before.len() + window.behind.len()) as u64;
                Ok(())
            },
        );
    }
    pairs
}

/// Pairs that a band should have at most. A row with more is a band by itself.
pub(super) fn room(pairs: &[u64], threads: usize) -> u64 {
    (pairs.iter().sum::<u64>() / (BANDS * threads as u64)).max(LEAST)
}

/// All rows in bands of up to `room` pairs.
pub(super) fn bands(pairs: &[u64], room: u64) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::new();
    for (row, &pairs) in pairs.iter().enumerate() {
        match bands.last_mut().filter(|band| band.pairs + pairs <= room) {
            Some(band) => *band = Band { rows: band.rows.start..row + 1, pairs: band.pairs + pairs },
            None => bands.push(Band { rows: row..row + 1, pairs }),
        }
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_tile_the_rows() {
        let pairs = [50, 9, 0, 1, 7, 7, 0];
        let found: Vec<_> = bands(&pairs, 10).into_iter().map(|band| (band.rows, band.pairs)).collect();
        assert_eq!(found, [(0..1, 50), (1..4, 10), (4..5, 7), (5..7, 7)]);
        assert_eq!(bands(&[], 10), []);
        assert_eq!(room(&pairs, 2), LEAST);
        assert_eq!(room(&[u64::MAX / 2], 2), u64::MAX / 2 / 64);
    }
}
