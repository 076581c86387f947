//! Progress of the merge loop, and the chance to stop inside its long parts.

use crate::error::Result;
use crate::monitor::{Progress, Stage, Ticker};

/// Reports merges done of merges wanted.
pub(super) struct Pulse<'a> {
    ticker: Ticker<'a>,
    progress: Progress,
}

/// Steps of an inner loop between two beats: well under a tenth of a second.
pub(super) const STEPS: usize = 1 << 14;

impl<'a> Pulse<'a> {
    pub(super) fn new(ticker: Ticker<'a>, total: u64) -> Self {
        Pulse { ticker, progress: Progress { stage: Stage::Merge, done: 0, total: Some(total) } }
    }

    /// One more merge is done.
    pub(super) fn advance(&mut self) {
        self.progress.done += 1;
    }

    /// Reports if the last report is old enough; fails if the caller wants to stop.
    pub(super) fn beat(&mut self) -> Result<()> {
        self.ticker.tick(self.progress)
    }

    /// Reports the end.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.ticker.finish(self.progress)
    }
}
