//! How long work tells its caller where it is, and asks whether to go on.

use std::time::{Duration, Instant};

use crate::error::{Error, Kind, Result};

/// The part of a long piece of work that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading documents and counting pre-tokens; the unit is bytes.
    Count,
    /// Merging pairs; the unit is merges.
    Merge,
    /// Encoding; the unit is bytes.
    Encode,
    /// Reading vectors; the unit is bytes.
    Read,
    /// Counting words that stand near each other; the unit is pairs.
    Pair,
    /// Training vectors; the unit is words, or cells where words were counted before.
    Train,
}

impl Stage {
    /// The name shown to people.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Count => "count",
            Stage::Merge => "merge",
            Stage::Encode => "encode",
            Stage::Read => "read",
            Stage::Pair => "pair",
            Stage::Train => "train",
        }
    }
}

/// Where a piece of work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Which part.
    pub stage: Stage,
    /// Units done so far.
    pub done: u64,
    /// Units in all, where that is known.
    pub total: Option<u64>,
}

/// Receives progress and decides whether work goes on. Called on the thread that started the work.
pub trait Monitor {
    /// Takes a report.
    ///
    /// # Errors
    /// Any error ends the work and becomes its result; [`Kind::Cancelled`] is the usual one.
    fn report(&mut self, progress: Progress) -> Result<()>;
}

/// Goes on for ever and tells nobody.
impl Monitor for () {
    fn report(&mut self, _: Progress) -> Result<()> {
        Ok(())
    }
}

impl<F: FnMut(Progress) -> bool> Monitor for F {
    fn report(&mut self, progress: Progress) -> Result<()> {
        if self(progress) { Ok(()) } else { Err(Error::new(Kind::Cancelled, "stopped by the caller")) }
    }
}

/// Passes a report on at most every [`Ticker::INTERVAL`], so that callers may tick as often as they like.
pub struct Ticker<'a> {
    monitor: &'a mut dyn Monitor,
    last: Instant,
}

impl<'a> Ticker<'a> {
    /// Short enough that Ctrl-C feels immediate, long enough that a report costs nothing.
    pub const INTERVAL: Duration = Duration::from_millis(100);

    /// A ticker that reports to `monitor`.
    pub fn new(monitor: &'a mut dyn Monitor) -> Self {
        Ticker { monitor, last: Instant::now() }
    }

    /// Reports if the last report is old enough. One clock reading, about 25 ns.
    ///
    /// # Errors
    /// What the monitor answers.
    pub fn tick(&mut self, progress: Progress) -> Result<()> {
        if self.last.elapsed() < Self::INTERVAL {
            return Ok(());
        }
        self.last = Instant::now();
        self.monitor.report(progress)
    }

    /// Reports now: for the end of a stage.
    ///
    /// # Errors
    /// What the monitor answers.
    pub fn finish(&mut self, progress: Progress) -> Result<()> {
        self.last = Instant::now();
        self.monitor.report(progress)
    }
}
