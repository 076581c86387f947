//! Epochs of training on any number of threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::ids::Ids;
use super::kernel::Kernel;
use super::matrix::Matrix;
use super::noise::Noise;
use super::options::TrainOptions;
use super::random::Random;
use super::reading::Corpus;
use super::schedule::{Part, Schedule};
use super::subsample::Subsample;
use super::tree::Tree;
use super::windows::Worker;
use crate::embed::subword::WordNgrams;
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// What all threads share.
pub(super) struct Job<'a> {
    pub(super) ids: &'a Ids,
    pub(super) options: &'a TrainOptions,
    pub(super) schedule: Schedule,
    pub(super) subsample: Subsample,
    pub(super) noise: Noise,
    /// What the vectors of words are made of, where they are not rows of `inputs` themselves.
    pub(super) ngrams: Option<&'a WordNgrams>,
    /// With hierarchical softmax the path of each word; its nodes are the rows of `outputs`.
    pub(super) tree: Option<&'a Tree>,
    pub(super) inputs: &'a Matrix,
    pub(super) outputs: &'a Matrix,
    pub(super) kernel: Kernel,
}

/// Loss of some pairs, in nats.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) loss: f64,
    pub(super) pairs: u64,
}

impl Sums {
    fn add(&mut self, more: Sums) {
        self.loss += more.loss;
        self.pairs += more.pairs;
    }
}

/// Vectors and how training went.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// Vectors of all words in the order of their ids, `dim` numbers each.
    pub inputs: Vec<f32>,
    /// Vectors of the words as outputs; with a tree those of its nodes, and a row of zeros.
    pub outputs: Vec<f32>,
    /// With n-grams the rows that the vectors are means of, as [`WordNgrams`] numbers them; otherwise none.
    pub table: Vec<f32>,
    /// Mean loss of a pair in each epoch, in nats: of the right word and of its negatives together.
    pub losses: Vec<f64>,
    /// Pairs in each epoch.
    pub pairs: Vec<u64>,
    /// The instructions that the kernel used.
    pub kernel: &'static str,
}

/// Vectors to go on from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Start {
    /// Vectors of words; with n-grams rows of the table. The others start at random.
    pub inputs: Known,
    /// Vectors of words as outputs; the others start at 0.
    pub outputs: Known,
}

/// Rows to go on from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// Which rows are known.
    pub known: Vec<bool>,
    /// All rows, `dim` numbers each; those that are not known do not matter.
    pub rows: Vec<f32>,
}

/// Trains vectors on a corpus: with `ngrams`, of its words, as means of rows; with `tree`, of its words, by hierarchical
/// softmax rather than negatives.
///
/// O(words · (window · negatives + n-grams) · dim) an epoch. With one thread the result depends on nothing but the arguments and the
/// kind of processor; with more, threads overwrite each other's updates now and then (Hogwild) and no run is as another.
///
/// Source: F. Niu, B. Recht, C. Ré, S. Wright, *Hogwild!*, 2011.
///
/// # Errors
/// [`Kind::Argument`] for options that cannot work, [`Kind::Training`] if memory is short or vectors grow beyond all
/// bounds, and what `monitor` answers.
pub fn train(
    corpus: Corpus,
    ngrams: Option<&WordNgrams>,
    tree: Option<&Tree>,
    start: Option<&Start>,
    options: &TrainOptions,
    monitor: &mut dyn Monitor,
) -> Result<Trained> {
    options.check()?;
    let counts = &corpus.vocabulary.counts;
    check_words("n-grams", ngrams.map(WordNgrams::words), counts.len())?;
    check_words("paths of a tree", tree.map(Tree::words), counts.len())?;
    let mut inputs = Matrix::zeros(ngrams.map_or(counts.len(), WordNgrams::table_rows), options.dim)?;
    let mut outputs = Matrix::zeros(tree.map_or(counts.len(), |tree| tree.nodes() + 1), options.dim)?;
    initialize(&mut inputs, options.seed, if ngrams.is_some() { 2.0 } else { 1.0 });
    if let Some(start) = start {
        start.inputs.copy_to(&mut inputs)?;
        start.outputs.copy_to(&mut outputs)?;
    }
    let kernel = Kernel::best();
    let job = Job {
        ids: &corpus.ids,
        options,
        schedule: Schedule::new(&corpus.ids, options.epochs, options.alpha, options.min_alpha),
        subsample: Subsample::new(counts, options.sample),
        noise: Noise::new(counts, options.noise_exponent),
        ngrams,
        tree,
        inputs: &inputs,
        outputs: &outputs,
        kernel,
    };
    let mut ticker = Ticker::new(monitor);
    let epochs = (0..options.epochs).map(|epoch| job.epoch(epoch, &mut ticker)).collect::<Result<Vec<Sums>>>()?;
    // Memory goes back before more is taken.
    drop(corpus);
    // SAFETY: all threads are done.
    let composed = ngrams.map(|ngrams| ngrams.compose(options.dim, |row| unsafe { inputs.read(row) }));
    let rows = inputs.into_vec();
    let (inputs, table) = match composed {
        Some(composed) => (composed, rows),
        None => (rows, Vec::new()),
    };
    Ok(Trained {
        inputs,
        table,
        outputs: outputs.into_vec(),
        losses: epochs.iter().map(|sums| sums.loss / sums.pairs.max(1) as f64).collect(),
        pairs: epochs.iter().map(|sums| sums.pairs).collect(),
        kernel: kernel.name,
    })
}

fn check_words(what: &str, given: Option<usize>, words: usize) -> Result<()> {
    match given {
        Some(given) if given != words => {
            let message = format!("{what} must be those of the {words} words of the corpus; got {given}");
            Err(Error::new(Kind::Argument, message))
        }
        _ => Ok(()),
    }
}

/// Random numbers between -½/dim and ½/dim, as in word2vec; twice that for n-grams, as in fastText. Outputs start at 0.
fn initialize(inputs: &mut Matrix, seed: u64, scale: f32) {
    let mut random = Random::new(seed, &[]);
    let dim = inputs.dim() as f32;
    for row in 0..inputs.rows() as u32 {
        inputs.row_mut(row).fill_with(|| (random.unit() - 0.5) * scale / dim);
    }
}

impl Known {
    fn copy_to(&self, table: &mut Matrix) -> Result<()> {
        let (rows, dim) = (table.rows(), table.dim());
        if self.known.len() != rows || self.rows.len() != rows * dim {
            let message = format!("rows to start from must be {rows} of {dim} numbers");
            return Err(Error::new(Kind::Argument, message));
        }
        for row in (0..rows).filter(|&row| self.known[row]) {
            table.row_mut(row as u32).copy_from_slice(&self.rows[row * dim..(row + 1) * dim]);
        }
        Ok(())
    }
}

impl Job<'_> {
    /// An epoch: threads take parts one after the other. The calling thread works too, and reports.
    fn epoch(&self, epoch: u32, ticker: &mut Ticker<'_>) -> Result<Sums> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            let part = self.schedule.parts().get(next.fetch_add(1, Ordering::Relaxed));
            part.filter(|_| !stop.load(Ordering::Relaxed))
        };
        let work = |report: &mut dyn FnMut(&Part) -> Result<()>| {
            let (mut worker, mut sums) = (Worker::new(self), Sums::default());
            while let Some(part) = take() {
                sums.add(worker.part(epoch, part));
                report(part).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            Ok(sums)
        };
        let mut report = |part: &Part| ticker.tick(self.progress(epoch, part.before + part.range.len()));
        let sums: Vec<Result<Sums>> = thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.options.threads).map(|_| scope.spawn(|| work(&mut |_| Ok(())))).collect();
            let own = work(&mut report);
            let join = |helper: thread::ScopedJoinHandle<'_, Result<Sums>>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            [own].into_iter().chain(helpers.into_iter().map(join)).collect()
        });
        let mut all = Sums::default();
        for sums in sums {
            all.add(sums?);
        }
        ticker.finish(self.progress(epoch, self.schedule.words()))?;
        self.check_loss(epoch, all)?;
        Ok(all)
    }

    fn progress(&self, epoch: u32, done: usize) -> Progress {
        let words = self.schedule.words() as u64;
        let done = u64::from(epoch) * words + done as u64;
        Progress { stage: Stage::Train, done, total: Some(words * u64::from(self.options.epochs)) }
    }

    /// Vectors that are no longer finite, and a loss that is not.
    fn check_loss(&self, epoch: u32, sums: Sums) -> Result<()> {
        // SAFETY: all threads are done, and nobody else knows the matrix.
        let is_finite = |row| unsafe { self.inputs.read(row) }.iter().all(|number| number.is_finite());
        let row = (0..self.inputs.rows() as u32).find(|&row| !is_finite(row));
        if row.is_none() && sums.loss.is_finite() {
            return Ok(());
        }
        let message = format!(
            "vectors are no longer finite after epoch {} of {}; lower alpha, which is {}",
            epoch + 1,
            self.options.epochs,
            self.options.alpha
        );
        Err(Error::new(Kind::Training, message))
    }
}
