//! The cells of a band of rows.

use super::bands::Band;
use super::options::Sides;
use super::stretch::Stretch;
use super::weights::Weights;
use crate::error::Result;

/// Cells of a band.
#[derive(Debug, Clone, Default)]
pub(super) struct Counted {
    /// Cells of each row.
    pub(super) lengths: Vec<u32>,
    pub(super) columns: Vec<u32>,
    pub(super) values: Vec<f32>,
    pub(super) row_units: Vec<u64>,
    pub(super) pairs: u64,
}

/// A row that is being added up: a sum for each column, and which of them are not 0.
pub(super) struct Sums {
    units: Vec<u64>,
    touched: Vec<u32>,
    /// Sums of columns over all rows so far.
    pub(super) column_units: Vec<u64>,
}

impl Sums {
    pub(super) fn new(words: usize) -> Self {
        Sums { units: vec![0; words], touched: Vec::with_capacity(words), column_units: vec![0; words] }
    }

    #[inline(always)]
    fn add(&mut self, column: u32, units: u32) {
        let sum = &mut self.units[column as usize];
        if *sum == 0 {
            self.touched.push(column);
        }
        *sum += u64::from(units);
    }

    /// Writes the row and starts the next. O(cells · log cells).
    fn finish(&mut self, weights: &Weights, to: &mut Counted) {
        self.touched.sort_unstable();
        let (start, mut row) = (to.columns.len(), 0);
        for column in self.touched.drain(..) {
            let units = std::mem::take(&mut self.units[column as usize]);
            row += units;
            self.column_units[column as usize] += units;
            to.columns.push(column);
            to.values.push(weights.number(units) as f32);
        }
        to.lengths.push((to.columns.len() - start) as u32);
        to.row_units.push(row);
    }
}

/// An error where work should stop.
pub(super) type GoesOn<'a> = &'a mut dyn FnMut() -> Result<()>;

/// Pairs before [`GoesOn`] is asked again.
const AT_ONCE: usize = 1 << 20;

/// What all bands are counted from.
pub(super) struct Text<'a> {
    pub(super) stretches: &'a [Stretch<'a>],
    pub(super) window: usize,
    pub(super) sides: Sides,
    pub(super) weights: &'a Weights,
    /// Pairs of each row.
    pub(super) pairs: &'a [u64],
}

impl Text<'_> {
    /// Counts a band: pairs are put behind each other by their row, then each row is added up. O(words of the corpus +
    /// pairs + cells · log cells); 8 bytes a pair, and none where the band is one row. Asks `goes_on` now and then.
    pub(super) fn count(&self, band: &Band, sums: &mut Sums, goes_on: GoesOn<'_>) -> Result<Counted> {
        let mut counted = Counted { pairs: band.pairs, ..Counted::default() };
        if band.rows.len() == 1 {
            self.for_each_pair(band, goes_on, |_, column, units| sums.add(column, units))?;
            sums.finish(self.weights, &mut counted);
            return Ok(counted);
        }
        let mut ends = self.starts(band);
        let mut pairs = Vec::new();
        pairs.try_reserve_exact(band.pairs as usize).map_err(|_| super::counts::no_room(band.pairs))?;
        pairs.resize(band.pairs as usize, 0u64);
        self.for_each_pair(band, goes_on, |row, column, units| {
            let end = &mut ends[row];
            pairs[*end] = u64::from(units) << 32 | u64::from(column);
            *end += 1;
        })?;
        let mut start = 0;
        for end in ends {
            pairs[start..end].iter().for_each(|&pair| sums.add(pair as u32, (pair >> 32) as u32));
            sums.finish(self.weights, &mut counted);
            start = end;
        }
        Ok(counted)
    }

    /// Where the pairs of each row of a band start.
    fn starts(&self, band: &Band) -> Vec<usize> {
        let mut start = 0;
        let start_of = |&pairs: &u64| {
            start += pairs as usize;
            start - pairs as usize
        };
        self.pairs[band.rows.clone()].iter().map(start_of).collect()
    }

    /// Every pair whose row is of the band: row of the band, column, units.
    #[inline(always)]
    fn for_each_pair(&self, band: &Band, goes_on: GoesOn<'_>, mut each: impl FnMut(usize, u32, u32)) -> Result<()> {
        let (first, rows, mut since) = (band.rows.start as u32, band.rows.len() as u32, 0);
        for stretch in self.stretches {
            let is_of_band = |word: u32| word.wrapping_sub(first) < rows;
            stretch.for_each_window(self.window, self.sides, is_of_band, |window| {
                let row = (window.word - first) as usize;
                let near = window.before.iter().rev().zip(&self.weights.units);
                let near = near.chain(window.behind.iter().zip(&self.weights.units));
                near.for_each(|(&column, &units)| each(row, column, units));
                since += window.before.len() + window.behind.len();
                if since < AT_ONCE {
                    return Ok(());
                }
                since = 0;
                goes_on()
            })?;
        }
        Ok(())
    }
}
