//! Epochs of training on any number of threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::kernel::Kernel;
use super::matrix::Matrix;
use super::noise::Noise;
use super::options::TrainOptions;
use super::random::Random;
use super::schedule::Schedule;
use super::skipgram::Worker;
use super::subsample::Subsample;
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// What all threads share.
pub(super) struct Job<'a> {
    pub(super) ids: &'a [u32],
    pub(super) options: &'a TrainOptions,
    pub(super) schedule: Schedule,
    pub(super) subsample: Subsample,
    pub(super) noise: Noise,
    pub(super) inputs: Matrix,
    pub(super) outputs: Matrix,
    pub(super) kernel: Kernel,
}

/// Loss of some pairs, in nats.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) loss: f64,
    pub(super) pairs: u64,
}

/// Vectors and how training went.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// Vectors of all words in the order of their ids, `dim` numbers each.
    pub inputs: Vec<f32>,
    /// Vectors of the words as outputs.
    pub outputs: Vec<f32>,
    /// Mean loss of a pair in each epoch, in nats: of the right word and of its negatives together.
    pub losses: Vec<f64>,
    /// Pairs in each epoch.
    pub pairs: Vec<u64>,
    /// The instructions that the kernel used.
    pub kernel: &'static str,
}

/// Trains vectors on a corpus of `ids` below the number of `counts`, with [`END`](super::documents::END) between
/// documents.
///
/// O(words · window · negatives · dim) an epoch. With one thread the result depends on nothing but the arguments and the
/// kind of processor; with more, threads overwrite each other's updates now and then (Hogwild) and no run is as another.
///
/// # Errors
/// [`Kind::Argument`] for options that cannot work, [`Kind::Training`] if memory is short or vectors grow beyond all
/// bounds, and what `monitor` answers.
pub fn train(ids: &[u32], counts: &[u64], options: &TrainOptions, monitor: &mut dyn Monitor) -> Result<Trained> {
    options.check()?;
    let mut job = Job {
        ids,
        options,
        schedule: Schedule::new(ids.len(), options.epochs, options.alpha, options.min_alpha),
        subsample: Subsample::new(counts, options.sample),
        noise: Noise::new(counts, options.noise_exponent),
        inputs: Matrix::zeros(counts.len(), options.dim)?,
        outputs: Matrix::zeros(counts.len(), options.dim)?,
        kernel: Kernel::best(),
    };
    initialize(&mut job.inputs, options.seed);
    let mut ticker = Ticker::new(monitor);
    let epochs = (0..options.epochs).map(|epoch| job.epoch(epoch, &mut ticker)).collect::<Result<Vec<Sums>>>()?;
    // One matrix at a time: no more than three are ever there.
    let Job { mut inputs, mut outputs, kernel, .. } = job;
    let rows = inputs.to_vec();
    drop(inputs);
    Ok(Trained {
        inputs: rows,
        outputs: outputs.to_vec(),
        losses: epochs.iter().map(|sums| sums.loss / sums.pairs.max(1) as f64).collect(),
        pairs: epochs.iter().map(|sums| sums.pairs).collect(),
        kernel: kernel.name,
    })
}

/// Random numbers between -½/dim and ½/dim, as in word2vec. Outputs start at 0.
fn initialize(inputs: &mut Matrix, seed: u64) {
    let mut random = Random::new(seed, [0, 0]);
    let dim = inputs.dim() as f32;
    for row in 0..inputs.rows() as u32 {
        inputs.row_mut(row).fill_with(|| (random.unit() - 0.5) / dim);
    }
}

impl Job<'_> {
    /// An epoch: threads take parts one after the other. The calling thread works too, and reports.
    fn epoch(&mut self, epoch: u32, ticker: &mut Ticker<'_>) -> Result<Sums> {
        let job = &*self;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            let part = next.fetch_add(1, Ordering::Relaxed);
            (part < job.schedule.parts() && !stop.load(Ordering::Relaxed)).then_some(part)
        };
        let work = |report: &mut dyn FnMut(usize) -> Result<()>| {
            let (mut worker, mut sums) = (Worker::new(job), Sums::default());
            while let Some(part) = take() {
                let more = worker.part(epoch, part);
                (sums.loss, sums.pairs) = (sums.loss + more.loss, sums.pairs + more.pairs);
                report(part).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            Ok(sums)
        };
        let mut report = |part| ticker.tick(job.progress(epoch, job.schedule.range(part).end));
        let done: Vec<Result<Sums>> = thread::scope(|scope| {
            let helpers: Vec<_> = (1..job.options.threads).map(|_| scope.spawn(|| work(&mut |_| Ok(())))).collect();
            let own = work(&mut report);
            let join = |helper: thread::ScopedJoinHandle<'_, Result<Sums>>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            [own].into_iter().chain(helpers.into_iter().map(join)).collect()
        });
        let mut sums = Sums::default();
        for part in done {
            let part = part?;
            (sums.loss, sums.pairs) = (sums.loss + part.loss, sums.pairs + part.pairs);
        }
        ticker.finish(self.progress(epoch, self.ids.len()))?;
        self.still_finite(epoch)?;
        Ok(sums)
    }

    fn progress(&self, epoch: u32, done: usize) -> Progress {
        let words = self.ids.len() as u64;
        let done = u64::from(epoch) * words + done as u64;
        Progress { stage: Stage::Train, done, total: Some(words * u64::from(self.options.epochs)) }
    }

    fn still_finite(&mut self, epoch: u32) -> Result<()> {
        let rows = self.inputs.rows() as u32;
        let mut is_finite = |row| self.inputs.row_mut(row).iter().all(|number| number.is_finite());
        let Some(row) = (0..rows).find(|&row| !is_finite(row)) else { return Ok(()) };
        let message = format!(
            "the vector of word {row} is no longer finite after epoch {} of {}; lower alpha, which is {}",
            epoch + 1,
            self.options.epochs,
            self.options.alpha
        );
        Err(Error::new(Kind::Training, message))
    }
}
