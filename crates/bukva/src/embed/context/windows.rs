//! Windows: their words, one by one (skip-gram) or as their mean (CBOW), against the word in the middle and negatives, or
//! against the nodes of its path.
//!
//! Source: T. Mikolov, I. Sutskever, K. Chen, G. Corrado, J. Dean, *Distributed Representations of Words and Phrases and
//! their Compositionality*, 2013.

use std::ops::Range;

use super::composed::Composed;
use super::job::{Job, Sums};
use super::kernel::{Columns, Loss, Scratch, Step};

use super::noise::Drawn;
use super::options::{Method, Negatives};
use super::piece::Piece;
use super::random::Random;
use super::schedule::Part;

/// What one thread works with.
pub(super) struct Worker<'a> {
    job: &'a Job<'a>,
    piece: Piece,
    /// The input rows of the piece's words; of those in reach, where they are composed.
    rows: Vec<*mut f32>,
    composed: Option<Composed<'a>>,
    noise: Drawn<'a>,
    /// Negatives of the step that comes next, and whether one comes twice.
    drawn: Vec<u32>,
    is_repeated: bool,
    /// Their rows, and others that the next step brings: they are on their way to the cache.
    next: Vec<*mut f32>,
    inputs: Vec<*mut f32>,
    may_repeat: bool,
    window: Range<usize>,
    outputs: Vec<*mut f32>,
    /// The columns of a step without repeated negatives.
    all: Columns,
    some: Columns,
    scratch: Scratch,
    loss: Loss,
    pairs: u64,
}

impl<'a> Worker<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        let negatives = job.options.negatives as usize;
        let mut all = Columns::with_capacity(negatives + 1);
        (0..=negatives).for_each(|column| all.push(column == 0));
        Worker {
            job,
            piece: Piece::default(),
            rows: Vec::new(),
            composed: job.ngrams.map(|ngrams| Composed::new(ngrams, job.inputs, job.options.window as usize)),
            noise: Drawn::new(&job.noise, negatives),
            drawn: Vec::with_capacity(negatives),
            is_repeated: false,
            next: Vec::with_capacity(negatives + 2),
            inputs: Vec::new(),
            may_repeat: false,
            window: 0..0,
            outputs: Vec::with_capacity(negatives + 1),
            some: all.clone(),
            all,
            scratch: Scratch::default(),
            loss: Loss::default(),
            pairs: 0,
        }
    }

    /// Trains on a part of the corpus. The same part gives the same steps, whatever was trained before.
    pub(super) fn part(&mut self, epoch: u32, part: &Part) -> Sums {
        let Job { ids, schedule, options, subsample, .. } = self.job;
        let rate = schedule.rate(epoch, part);
        let place = [u64::from(epoch) + 1, part.before as u64];
        let mut random = Random::new(options.seed, &place);
        self.noise.restart(Random::new(options.seed, &[&place[..], &[1]].concat()));
        self.look_ahead(0);
        let mut at = part.range.start;
        while at < part.range.end {
            let window = options.window as usize;
            at = self.piece.fill(ids, part, at, window, subsample, &mut random) + 1;
            self.piece(rate, &mut random);
        }
        Sums { loss: self.loss.take(), pairs: std::mem::take(&mut self.pairs) }
    }

    fn piece(&mut self, rate: f32, random: &mut Random) {
        self.rows.clear();
        if self.composed.is_none() {
            self.rows.extend(self.piece.words.iter().map(|&word| self.job.inputs.row(word)));
        }
        for centre in self.piece.own.clone() {
            let reach = 1 + random.below(self.job.options.window) as usize;
            if let Some(composed) = &mut self.composed {
                composed.reach(centre, &self.piece, &mut self.rows);
            }
            let window = centre.saturating_sub(reach)..(centre + reach + 1).min(self.rows.len());
            self.inputs.clear();
            self.inputs.extend_from_slice(&self.rows[window.start..centre]);
            self.inputs.extend_from_slice(&self.rows[centre + 1..window.end]);
            self.may_repeat = self.piece.may_repeat(window.clone());
            self.window = window;
            match (self.job.options.method, self.job.options.sharing) {
                (Method::SkipGram, Negatives::Independent) if self.job.tree.is_none() => {
                    (0..self.inputs.len()).for_each(|input| self.step(input..input + 1, centre, rate));
                }
                _ => self.step(0..self.inputs.len(), centre, rate),
            }
        }
        if let Some(composed) = &mut self.composed {
            composed.finish();
        }
    }

    /// Draws the negatives of the next step, if there are any, and lists the rows that it brings.
    #[inline(always)]
    fn look_ahead(&mut self, centre: usize) {
        let Job { outputs, options, tree, .. } = self.job;
        if let Some(tree) = tree {
            self.next.clear();
            let path = self.piece.words.get(centre + 1).into_iter().flat_map(|&word| tree.path(word));
            self.next.extend(path.map(|(node, _)| outputs.row(node)));
            return self.next.extend(self.rows.get(centre + 2 + options.window as usize));
        }
        let (drawn, is_repeated) = self.noise.next();
        self.is_repeated = is_repeated;
        self.drawn.clear();
        self.drawn.extend_from_slice(drawn);
        self.next.clear();
        self.next.extend(self.drawn.iter().map(|&word| outputs.row(word)));
        self.next.extend(self.piece.words.get(centre + 1).map(|&word| outputs.row(word)));
        self.next.extend(self.rows.get(centre + 2 + options.window as usize));
    }

    /// Some inputs against the word in the middle and the drawn negatives.
    #[inline(always)]
    fn step(&mut self, inputs: Range<usize>, centre: usize, rate: f32) {
        if inputs.is_empty() {
            return;
        }
        let is_mean = self.job.options.method == Method::Cbow;
        self.pairs += if is_mean { 1 } else { inputs.len() as u64 };
        let all_differ = self.lay_out(self.piece.words[centre]);
        if self.outputs.is_empty() {
            return;
        }
        self.look_ahead(centre);
        let step = Step {
            may_repeat: self.may_repeat && inputs.len() > 1,
            inputs: &self.inputs[inputs],
            outputs: &self.outputs,
            next: &self.next,
            columns: if all_differ { &self.all } else { &self.some },
            rate,
            dim: self.job.options.dim,
        };
        let kernel = self.job.kernel;
        // SAFETY: rows are of the matrices, which have `dim` numbers a row; outputs and columns are made together. Other
        // threads write rows by steps only.
        unsafe {
            match &mut self.composed {
                Some(composed) if is_mean => {
                    let words = (self.window.clone(), centre);
                    composed.step_of_mean(kernel, &step, words, &mut self.scratch, &mut self.loss);
                }
                None if is_mean => kernel.step_of_mean(&step, &mut self.scratch, &mut self.loss),
                _ => kernel.step(&step, &mut self.scratch, &mut self.loss),
            }
        }
    }

    /// Sets the outputs: the word in the middle and what was drawn, or the path of the word. Says whether outputs are as in
    /// a step without repeated negatives.
    #[inline(always)]
    fn lay_out(&mut self, centre: u32) -> bool {
        self.outputs.clear();
        if let Some(tree) = self.job.tree {
            self.some.clear();
            for (node, is_first) in tree.path(centre) {
                self.outputs.push(self.job.outputs.row(node));
                self.some.push(is_first);
            }
            return false;
        }
        self.outputs.push(self.job.outputs.row(centre));
        let all_differ = !self.is_repeated && !self.drawn.contains(&centre);
        if all_differ {
            self.outputs.extend_from_slice(&self.next[..self.drawn.len()]);
        } else {
            self.lay_out_some(centre);
        }
        all_differ
    }

    /// A word that was drawn twice is one output that counts twice; the word in the middle is no negative.
    #[cold]
    fn lay_out_some(&mut self, centre: u32) {
        self.some.clear();
        self.some.push(true);
        let mut words = vec![centre];
        for &word in &self.drawn {
            match words.iter().position(|&other| other == word) {
                Some(0) => {}
                Some(column) => self.some.repeat(column),
                None => {
                    words.push(word);
                    self.some.push(false);
                    self.outputs.push(self.job.outputs.row(word));
                }
            }
        }
    }
}
