//! Epochs of GloVe on any number of threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::biases;
use super::cells::Blocks;
use super::kernel::{Kernel, Weigher};
use super::options::GloveOptions;
use super::tables::{Side, Table};
use crate::embed::cooccurrence::Cooccurrences;
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// Vectors and how training went.
#[derive(Debug, Clone, PartialEq)]
pub struct GloveTrained {
    /// Vectors of all words in the order of the rows, `dim` numbers each.
    pub words: Vec<f32>,
    /// Vectors of the words as contexts.
    pub contexts: Vec<f32>,
    /// Mean loss of a cell in each epoch.
    pub losses: Vec<f64>,
    /// The instructions that the kernel used.
    pub kernel: &'static str,
}

/// Vectors to go on from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GloveStart {
    /// Which words have vectors already; the others start at random.
    pub known: Vec<bool>,
    /// Vectors of all words, `dim` numbers each; those of words that are not known do not matter.
    pub words: Vec<f32>,
    /// The same of the words as contexts.
    pub contexts: Vec<f32>,
}

/// Trains vectors on counted co-occurrences.
///
/// O(cells · dim) an epoch. With one thread the result depends on nothing but the arguments and the kind of processor;
/// with more, threads overwrite each other's steps now and then (Hogwild) and no run is as another. Where there is a
/// `start`, biases are fitted to its vectors first; AdaGrad's sums begin anew.
///
/// # Errors
/// [`Kind::Argument`] for options that cannot work, [`Kind::Corpus`] if there is no cell, [`Kind::Training`] if memory is
/// short or vectors grow beyond all bounds, and what `monitor` answers.
pub fn train(
    counts: Cooccurrences,
    start: Option<&GloveStart>,
    options: &GloveOptions,
    monitor: &mut dyn Monitor,
) -> Result<GloveTrained> {
    options.check()?;
    if counts.is_empty() {
        let message = "no two words of the corpus stand near each other; GloVe learns from pairs: look at unit and \
                       min_count";
        return Err(Error::new(Kind::Corpus, message));
    }
    let rows = counts.words();
    let blocks = Blocks::new(&counts, options.seed)?;
    // Memory goes back before more is taken.
    drop(counts);
    let mut words = Table::new(rows, options.dim, Side::Words, options.seed)?;
    let mut contexts = Table::new(rows, options.dim, Side::Contexts, options.seed)?;
    let weigher = Weigher {
        ln_max: options.x_max.ln() as f32,
        exponent: options.weight_exponent as f32,
        rate: options.alpha as f32,
    };
    if let Some(start) = start {
        start.copy_to(&mut words, &mut contexts, rows, options.dim)?;
        biases::fit(blocks.cells(), &mut words, &mut contexts, rows, weigher);
    }
    let kernel = Kernel::best();
    let job = Job { blocks: &blocks, options, words: &words, contexts: &contexts, weigher, kernel };
    let mut ticker = Ticker::new(monitor);
    let losses = (0..options.epochs).map(|epoch| job.epoch(epoch, &mut ticker)).collect::<Result<Vec<f64>>>()?;
    drop(blocks);
    let words = words.into_vectors();
    check_finite(&words, options)?;
    let contexts = contexts.into_vectors();
    check_finite(&contexts, options)?;
    Ok(GloveTrained { words, contexts, losses, kernel: kernel.name })
}

impl GloveStart {
    fn copy_to(&self, words: &mut Table, contexts: &mut Table, rows: usize, dim: usize) -> Result<()> {
        if self.known.len() != rows || self.words.len() != rows * dim || self.contexts.len() != rows * dim {
            let message = format!("vectors to start from must be {rows} of {dim} numbers, in both tables");
            return Err(Error::new(Kind::Argument, message));
        }
        for row in (0..rows).filter(|&row| self.known[row]) {
            let numbers = row * dim..(row + 1) * dim;
            words.vector(row as u32).copy_from_slice(&self.words[numbers.clone()]);
            contexts.vector(row as u32).copy_from_slice(&self.contexts[numbers]);
        }
        Ok(())
    }
}

/// What all threads share.
struct Job<'a> {
    blocks: &'a Blocks,
    options: &'a GloveOptions,
    words: &'a Table,
    contexts: &'a Table,
    weigher: Weigher,
    kernel: Kernel,
}

impl Job<'_> {
    /// An epoch: threads take blocks one after the other. The calling thread works too, and reports. Gives the mean loss.
    fn epoch(&self, epoch: u32, ticker: &mut Ticker<'_>) -> Result<f64> {
        let order = self.blocks.order(epoch);
        let (next, done, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
        let work = |report: &mut dyn FnMut(usize) -> Result<()>| {
            let (mut cells, mut loss) = (Vec::new(), 0.0);
            while let Some(&block) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                self.blocks.block(epoch, block, &mut cells);
                // SAFETY: the tables have a row for each row and column of the counts; threads write by this call only.
                loss += unsafe { self.kernel.steps(&cells, self.words, self.contexts, self.weigher) };
                let so_far = done.fetch_add(cells.len(), Ordering::Relaxed) + cells.len();
                report(so_far).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            Ok(loss)
        };
        let mut report = |done| ticker.tick(self.progress(epoch, done));
        let losses: Vec<Result<f64>> = thread::scope(|scope| {
            let threads = self.options.threads.min(order.len());
            let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&mut |_| Ok(())))).collect();
            let own = work(&mut report);
            let join = |helper: thread::ScopedJoinHandle<'_, Result<f64>>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            [own].into_iter().chain(helpers.into_iter().map(join)).collect()
        });
        let mut loss = 0.0;
        for part in losses {
            loss += part?;
        }
        let cells = self.blocks.cells().len();
        ticker.finish(self.progress(epoch, cells))?;
        if loss.is_finite() { Ok(loss / cells as f64) } else { Err(not_finite(epoch, self.options)) }
    }

    fn progress(&self, epoch: u32, done: usize) -> Progress {
        let cells = self.blocks.cells().len() as u64;
        let total = cells * u64::from(self.options.epochs);
        Progress { stage: Stage::Train, done: u64::from(epoch) * cells + done as u64, total: Some(total) }
    }
}

fn check_finite(vectors: &[f32], options: &GloveOptions) -> Result<()> {
    if vectors.iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    Err(not_finite(options.epochs - 1, options))
}

fn not_finite(epoch: u32, options: &GloveOptions) -> Error {
    let message = format!(
        "vectors are no longer finite after epoch {} of {}; lower alpha, which is {}",
        epoch + 1,
        options.epochs,
        options.alpha
    );
    Error::new(Kind::Training, message)
}
