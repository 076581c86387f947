//! Blocks → ids: in order, on any number of threads.
//!
//! The calling thread reads blocks, takes their ids in order, and encodes a block itself when there is nothing else
//! to do. Few blocks are under way at a time, so memory stays bounded.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::position::{Position, Skip, changed};
use super::recipe::{Encoded, Kitchen};
use crate::corpus::{Block, Reader};
use crate::error::{Error, Kind, Result};
use crate::model::Scratch;
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// A block to be encoded.
pub(super) struct Work {
    pub(super) number: u64,
    pub(super) block: Block,
    pub(super) input: usize,
    pub(super) replaced_before: u64,
}

/// Blocks from a position on.
pub(super) struct Source<'r, 'm> {
    reader: Reader<'r>,
    skip: Skip,
    first_input: usize,
    replaced_bytes: u64,
    names: &'m [String],
    ticker: Ticker<'m>,
    given: u64,
}

impl<'r, 'm> Source<'r, 'm> {
    /// `reader` begins with the input in which `position` lies.
    pub(super) fn new(
        reader: Reader<'r>,
        position: &Position,
        names: &'m [String],
        monitor: &'m mut dyn Monitor,
    ) -> Self {
        Source {
            reader,
            skip: Skip::to(position),
            first_input: position.input,
            replaced_bytes: position.replaced_bytes,
            names,
            ticker: Ticker::new(monitor),
            given: 0,
        }
    }

    /// The next block; `None` after the last.
    fn next(&mut self) -> Result<Option<Work>> {
        loop {
            let total = self.reader.total_bytes();
            let ticker = &mut self.ticker;
            let progress = |done| Progress { stage: Stage::Encode, done, total };
            let block = self.reader.next_block(&mut |done| ticker.tick(progress(done)))?;
            let is_first = block.as_ref().is_some_and(|block| block.input == 0);
            if !is_first && !self.skip.is_done() {
                return Err(changed().in_source(self.names.get(self.first_input).cloned().unwrap_or_default()));
            }
            let Some(block) = block else { return Ok(None) };
            let replaced_before = self.replaced_bytes + self.reader.replaced_before(block.input);
            let input = self.first_input + block.input;
            if let Some(block) = self.skip.apply(block)? {
                self.given += 1;
                return Ok(Some(Work { number: self.given - 1, block, input, replaced_before }));
            }
        }
    }

    fn tick(&mut self) -> Result<()> {
        let (done, total) = (self.reader.bytes_read(), self.reader.total_bytes());
        self.ticker.tick(Progress { stage: Stage::Encode, done, total })
    }

    /// Reports the end. Gives the bytes that were replaced in all inputs.
    pub(super) fn finish(mut self) -> Result<u64> {
        let (done, total) = (self.reader.bytes_read(), self.reader.total_bytes());
        self.ticker.finish(Progress { stage: Stage::Encode, done, total })?;
        Ok(self.replaced_bytes + self.reader.replaced_bytes())
    }
}

/// Encodes all blocks of `source` and calls `take` with their ids in order.
///
/// What was read before a failed read is taken before its error is given.
///
/// # Errors
/// What reading, `take` and the monitor answer.
pub(super) fn in_order(
    kitchen: &Kitchen,
    source: &mut Source,
    threads: usize,
    take: &mut dyn FnMut(Encoded) -> Result<()>,
) -> Result<()> {
    let (desk, tokenizer) = (Desk::default(), kitchen.tokenizer);
    let encode = |work: &Work, scratch: &mut Scratch| {
        kitchen.encode(work, scratch, &mut |_| if desk.is_closed() { Err(stopped()) } else { Ok(()) })
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system has no thread left, the others do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || {
                let _closing = Closing(&desk);
                let mut scratch = tokenizer.take_scratch();
                while let Some(work) = desk.wait_for_work() {
                    desk.put(work.number, encode(&work, &mut scratch));
                }
                tokenizer.give_back(scratch);
            });
        }
        let _closing = Closing(&desk);
        let mut scratch = tokenizer.take_scratch();
        let result = coordinate(&desk, source, threads, take, &mut |work, source| {
            kitchen.encode(work, &mut scratch, &mut |_| source.tick())
        });
        tokenizer.give_back(scratch);
        result
    })
}

fn coordinate(
    desk: &Desk,
    source: &mut Source,
    threads: usize,
    take: &mut dyn FnMut(Encoded) -> Result<()>,
    encode: &mut dyn FnMut(&Work, &mut Source) -> Encoded,
) -> Result<()> {
    let most = if threads > 1 { 2 * threads as u64 } else { 1 };
    let (mut given, mut taken, mut at_end, mut failure) = (0, 0, false, None);
    loop {
        while let Some(encoded) = desk.done(taken) {
            taken += 1;
            take(encoded)?;
        }
        if !at_end && given - taken < most {
            match source.next() {
                Ok(Some(work)) => {
                    given += 1;
                    desk.give(work);
                }
                Ok(None) => at_end = true,
                Err(error) if error.kind == Kind::Cancelled => return Err(error),
                Err(error) => (at_end, failure) = (true, Some(error)),
            }
        } else if taken == given {
            return failure.map_or(Ok(()), Err);
        } else if let Some(work) = desk.work() {
            let encoded = encode(&work, source);
            desk.put(work.number, encoded);
        } else {
            desk.wait_for(taken)?;
            source.tick()?;
        }
    }
}

fn stopped() -> Error {
    Error::new(Kind::Cancelled, "stopped")
}

/// What threads hand to each other.
#[derive(Default)]
struct Desk {
    papers: Mutex<Papers>,
    changed: Condvar,
}

#[derive(Default)]
struct Papers {
    work: VecDeque<Work>,
    done: BTreeMap<u64, Encoded>,
    closed: bool,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Papers> {
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self, work: Work) {
        self.lock().work.push_back(work);
        self.changed.notify_all();
    }

    fn work(&self) -> Option<Work> {
        self.lock().work.pop_front()
    }

    /// Waits for work; `None` when there will be no more.
    fn wait_for_work(&self) -> Option<Work> {
        let waiting = |papers: &mut Papers| papers.work.is_empty() && !papers.closed;
        let papers = self.changed.wait_while(self.lock(), waiting);
        papers.unwrap_or_else(PoisonError::into_inner).work.pop_front()
    }

    fn put(&self, number: u64, encoded: Encoded) {
        self.lock().done.insert(number, encoded);
        self.changed.notify_all();
    }

    fn done(&self, number: u64) -> Option<Encoded> {
        self.lock().done.remove(&number)
    }

    /// Waits a little for that block.
    fn wait_for(&self, number: u64) -> Result<()> {
        let waiting = |papers: &mut Papers| !papers.done.contains_key(&number) && !papers.closed;
        let waited = self.changed.wait_timeout_while(self.lock(), Ticker::INTERVAL, waiting);
        let closed = waited.unwrap_or_else(PoisonError::into_inner).0.closed;
        // Closed by a thread that panics, which the end of the scope passes on.
        if closed { Err(stopped()) } else { Ok(()) }
    }

    fn is_closed(&self) -> bool {
        self.lock().closed
    }
}

/// Ends the work of all threads when one of them leaves, at the end or by a panic.
struct Closing<'d>(&'d Desk);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut papers = self.0.lock();
        papers.closed = true;
        papers.work.clear();
        drop(papers);
        self.0.changed.notify_all();
    }
}
