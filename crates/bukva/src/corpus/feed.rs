//! A reader that reports what it has read and hears when to stop.

use super::{Block, Reader};
use crate::error::Result;
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// A reader with the caller's monitor.
pub(crate) struct Feed<'r, 'm> {
    reader: Reader<'r>,
    ticker: Ticker<'m>,
}

impl<'r, 'm> Feed<'r, 'm> {
    pub(crate) fn new(reader: Reader<'r>, monitor: &'m mut dyn Monitor) -> Self {
        Feed { reader, ticker: Ticker::new(monitor) }
    }

    /// The next block; `None` after the last. Stops with an error where the monitor says so.
    pub(crate) fn next(&mut self) -> Result<Option<Block>> {
        let total = self.reader.total_bytes();
        let ticker = &mut self.ticker;
        self.reader.next_block(&mut |done| ticker.tick(Progress { stage: Stage::Count, done, total }))
    }

    /// Reports the end. Gives the number of bytes that were replaced.
    pub(crate) fn finish(mut self) -> Result<u64> {
        let (done, total) = (self.reader.bytes_read(), self.reader.total_bytes());
        self.ticker.finish(Progress { stage: Stage::Count, done, total })?;
        Ok(self.reader.replaced_bytes())
    }
}
