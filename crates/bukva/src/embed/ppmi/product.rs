//! Products with dense matrices: each row of a product is made by one thread, in one order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::matrix::Ppmi;
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// Rows of the product at one go.
const ROWS: usize = 256;
/// Columns at one go, at least: their rows of the product stay in the cache.
const COLUMNS: usize = 1024;
/// Parts of the columns, at most: all rows are searched for each.
const PARTS: usize = 64;

impl Ppmi {
    /// The product with a dense matrix of `width` columns: a row for each word. O(cells · width). The same bits for any
    /// number of threads.
    ///
    /// # Errors
    /// [`Kind::Argument`] if the dense matrix has another number of rows, and what `monitor` answers.
    pub fn times(&self, dense: &[f64], width: usize, threads: usize, monitor: &mut dyn Monitor) -> Result<Vec<f64>> {
        self.product(dense, width, ROWS, threads, monitor, |start, to| {
            for (row, to) in (start..).zip(to.chunks_exact_mut(width)) {
                let (columns, values) = self.row(row);
                columns.iter().zip(values).for_each(|(&column, &value)| add(dense, column as usize, value, to));
            }
        })
    }

    /// The product of the transposed matrix with a dense one: a row for each context. As [`Ppmi::times`]; rows are
    /// searched for the columns of each part, O(words · log) more.
    ///
    /// # Errors
    /// As [`Ppmi::times`].
    pub fn transposed_times(
        &self,
        dense: &[f64],
        width: usize,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        let size = COLUMNS.max(self.words().div_ceil(PARTS));
        self.transposed_in_parts(dense, width, size, threads, monitor)
    }

    /// The same by parts of `size` columns.
    pub(super) fn transposed_in_parts(
        &self,
        dense: &[f64],
        width: usize,
        size: usize,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        self.product(dense, width, size, threads, monitor, |start, to| {
            let part = start..start + to.len() / width;
            for row in 0..self.words() {
                let (columns, values) = self.part(row, &part);
                for (&column, &value) in columns.iter().zip(values) {
                    let at = (column as usize - start) * width;
                    add(dense, row, value, &mut to[at..at + width]);
                }
            }
        })
    }

    /// Fills a matrix of `width` columns by pieces of `size` rows, on any number of threads.
    fn product(
        &self,
        dense: &[f64],
        width: usize,
        size: usize,
        threads: usize,
        monitor: &mut dyn Monitor,
        fill: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<Vec<f64>> {
        let words = self.words();
        if width == 0 || words.checked_mul(width) != Some(dense.len()) {
            let message =
                format!("a dense matrix must have {words} rows of {width} numbers; got {} numbers", dense.len());
            return Err(Error::new(Kind::Argument, message));
        }
        let mut product = vec![0.0; dense.len()];
        let pieces = Mutex::new(product.chunks_mut(size * width).enumerate());
        let (stop, mut ticker) = (AtomicBool::new(false), Ticker::new(monitor));
        let work = |report: &mut dyn FnMut(usize) -> Result<()>| {
            while !stop.load(Ordering::Relaxed) {
                // The lock is let go before the piece is filled.
                let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, piece)) = next else { break };
                fill(number * size, piece);
                report(number * size).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        };
        let total = Some(words as u64);
        let mut report = |done| ticker.tick(Progress { stage: Stage::Train, done: done as u64, total });
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&mut |_| Ok(())))).collect();
            let own = work(&mut report);
            for helper in helpers {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            own
        })?;
        Ok(product)
    }
}

/// Adds a row of a dense matrix, times a number.
#[inline(always)]
fn add(dense: &[f64], row: usize, value: f32, to: &mut [f64]) {
    let (value, from) = (f64::from(value), &dense[row * to.len()..(row + 1) * to.len()]);
    to.iter_mut().zip(from).for_each(|(to, from)| *to += value * from);
}
