//! All bands, on any number of threads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::bands::{Band, bands, pairs_of_rows, room};
use super::counts::{CELL, Cooccurrences};
use super::options::CountOptions;
use super::rows::{Counted, GoesOn, Sums, Text};
use super::stretch::stretches;
use super::weights::Weights;
use crate::embed::context::Corpus;
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// Counts how often each two words of a corpus stand at most `window` words from each other. Words without a vector are
/// passed over, as if they were not there; no window reaches over the end of a document.
///
/// O(words · window + cells · log) time, and up to 32 passes over the corpus for each thread. Memory for 8 bytes a cell,
/// 16 a word, and for each thread 16 a word and 8 for each of max(2²², pairs/(32 · threads)) pairs. The result does not
/// depend on threads, bit for bit.
///
/// Sources: J. Pennington, R. Socher, C. Manning, *GloVe*, 2014; O. Levy, Y. Goldberg, I. Dagan, *Improving
/// Distributional Similarity with Lessons Learned from Word Embeddings*, 2015 (the weights). Rows are added up in a dense
/// row as in F. Gustavson, *Two Fast Algorithms for Sparse Matrices*, 1978.
///
/// # Errors
/// [`Kind::Argument`] for options that cannot work, [`Kind::Training`] if memory is short or limited, and what `monitor`
/// answers.
pub fn count(corpus: &Corpus, options: &CountOptions, monitor: &mut dyn Monitor) -> Result<Cooccurrences> {
    options.check()?;
    let words = corpus.vocabulary.words.len();
    let weights = Weights::new(options, corpus.len())?;
    let (window, sides) = (weights.units.len(), options.sides);
    let stretches = stretches(&corpus.ids, window);
    let pairs = pairs_of_rows(&stretches, words, window, sides);
    let room = room(&pairs, options.threads);
    let bands = bands(&pairs, room);
    let text = Text { stretches: &stretches, window, sides, weights: &weights, pairs: &pairs };
    let job = Job {
        text: &text,
        bands: &bands,
        words,
        limit: options.memory_limit.unwrap_or(u64::MAX),
        fixed: fixed_memory(corpus.len(), words, options.threads, &bands),
        total: pairs.iter().sum(),
        cells: AtomicU64::new(0),
    };
    let (counted, column_units) = job.run(options.threads, &mut Ticker::new(monitor))?;
    Cooccurrences::of(counted, &column_units, |units| weights.number(units))
}

/// Bytes that are taken whatever the number of cells.
fn fixed_memory(ids: usize, words: usize, threads: usize, bands: &[Band]) -> u64 {
    let largest = bands.iter().filter(|band| band.rows.len() > 1).map(|band| band.pairs).max().unwrap_or(0);
    4 * ids as u64 + (16 * words as u64) + threads as u64 * (20 * words as u64 + 8 * largest)
}

struct Job<'a> {
    text: &'a Text<'a>,
    bands: &'a [Band],
    words: usize,
    limit: u64,
    fixed: u64,
    total: u64,
    cells: AtomicU64,
}

/// What threads tell each other.
#[derive(Default)]
struct Shared {
    /// The band that comes next.
    next: AtomicUsize,
    pairs: AtomicU64,
    /// Bands that are counted, each with its first row.
    done: Mutex<Vec<(usize, Counted)>>,
    /// The first error, at which all stop.
    failed: Mutex<Option<Error>>,
    stop: AtomicBool,
}

impl Job<'_> {
    fn run(&self, threads: usize, ticker: &mut Ticker<'_>) -> Result<(Vec<Counted>, Vec<u64>)> {
        self.check_memory()?;
        let shared = Shared::default();
        let mut report = || ticker.tick(self.progress(shared.pairs.load(Ordering::Relaxed)));
        let mut column_units = thread::scope(|scope| {
            let helper = || self.work(&shared, &mut || Ok(()));
            let helpers: Vec<_> = (1..threads.min(self.bands.len())).map(|_| scope.spawn(helper)).collect();
            let own = self.work(&shared, &mut report);
            let join = |helper: thread::ScopedJoinHandle<'_, Vec<u64>>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            [own].into_iter().chain(helpers.into_iter().map(join)).collect::<Vec<_>>()
        });
        if let Some(error) = shared.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        ticker.finish(self.progress(self.total))?;
        let mut sums = column_units.pop().unwrap_or_default();
        for units in column_units {
            sums.iter_mut().zip(units).for_each(|(sum, units)| *sum += units);
        }
        let mut done = shared.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|band| band.0);
        Ok((done.into_iter().map(|band| band.1).collect(), sums))
    }

    /// Counts bands until there are no more; gives the sums of columns.
    fn work(&self, shared: &Shared, report: &mut dyn FnMut() -> Result<()>) -> Vec<u64> {
        let mut sums = Sums::new(self.words);
        while let Some(band) = self.bands.get(shared.next.fetch_add(1, Ordering::Relaxed)) {
            let mut goes_on = || match shared.stop.load(Ordering::Relaxed) {
                true => Err(Error::new(Kind::Cancelled, "stopped by another thread")),
                false => report(),
            };
            if let Err(error) = self.band(band, &mut sums, shared, &mut goes_on) {
                shared.stop.store(true, Ordering::Relaxed);
                shared.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                break;
            }
        }
        sums.column_units
    }

    fn band(&self, band: &Band, sums: &mut Sums, shared: &Shared, goes_on: GoesOn<'_>) -> Result<()> {
        let counted = self.text.count(band, sums, goes_on)?;
        self.cells.fetch_add(counted.columns.len() as u64, Ordering::Relaxed);
        shared.pairs.fetch_add(counted.pairs, Ordering::Relaxed);
        shared.done.lock().unwrap_or_else(PoisonError::into_inner).push((band.rows.start, counted));
        self.check_memory()?;
        goes_on()
    }

    fn check_memory(&self) -> Result<()> {
        let cells = self.cells.load(Ordering::Relaxed);
        let bytes = self.fixed.saturating_add(cells * CELL);
        if bytes <= self.limit {
            return Ok(());
        }
        let message = format!(
            "counting co-occurrences takes {bytes} bytes for {cells} cells so far, and memory_limit is {}; raise the \
             limit or min_count, or lower window",
            self.limit
        );
        Err(Error::new(Kind::Training, message))
    }

    fn progress(&self, done: u64) -> Progress {
        Progress { stage: Stage::Pair, done, total: Some(self.total) }
    }
}
