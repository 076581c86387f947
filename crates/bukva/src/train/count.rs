//! Documents → weighted pre-tokens, on any number of threads.
//!
//! The calling thread reads. Blocks go through one bounded queue to the other threads, each of which counts in a
//! table of its own; when the queue is full the reader counts a block itself, so all threads are busy and memory
//! stays bounded. At the end the tables are merged: sums and minima, so the result does not depend on threads, on
//! the size of blocks, or on where documents were cut.
//!
//! A *place* is a byte position in the stream of all documents as they are split: normalized, in order. With a
//! normalizer a block's place is known only when all blocks before it are normalized. Until then a place is the
//! block's number and the offset in its normalized text, which has the same order; [`Places`] translates it.

mod places;

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use places::{Places, provisional};

use super::table::{Batch, WordTable};
use crate::corpus::{Block, Feed, Reader};
use crate::error::{Error, Kind, Result};
use crate::monitor::Monitor;
use crate::normalize::Normalizer;
use crate::pretokenize::Splitter;

/// Splits text into pre-tokens.
pub trait Split: Sync {
    /// Calls `emit` with the byte range of each pre-token, in order.
    ///
    /// # Errors
    /// When the splitter gives up on the text.
    fn for_each(&self, text: &str, emit: impl FnMut(usize, usize)) -> Result<()>;
}

impl Split for Splitter {
    #[inline]
    fn for_each(&self, text: &str, emit: impl FnMut(usize, usize)) -> Result<()> {
        Splitter::for_each(self, text, emit)
    }
}

/// What was counted, beside the words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountReport {
    /// Documents, empty ones among them.
    pub documents: u64,
    /// Bytes of all documents.
    pub bytes: u64,
    /// Bytes of all documents after normalisation: where the places of a corpus that follows would start.
    pub normalized_bytes: u64,
    /// Bytes that were not text and were replaced by U+FFFD.
    pub replaced_bytes: u64,
    /// Pre-tokens, each occurrence counted.
    pub pre_tokens: u64,
}

/// The words of a corpus and the report.
#[derive(Debug)]
pub struct Counted {
    /// Pre-tokens with their counts and first places.
    pub table: WordTable,
    /// What was counted.
    pub report: CountReport,
}

/// Counts the pre-tokens of all documents of `reader` on `threads` threads, this one among them.
///
/// O(bytes) time beside what the stages take; memory for the distinct words on each thread and about three blocks a
/// thread. The reader's cuts must be those of the same `normalizer` and `splitter`. `monitor` hears of every read.
///
/// # Errors
/// [`Kind::Corpus`] when there is no text at all; what reading, normalizing, splitting and `monitor` answer. The first
/// error ends all threads after the block that they are at.
pub fn count<S: Split>(
    reader: Reader<'_>,
    normalizer: Option<&Normalizer>,
    splitter: &S,
    threads: usize,
    monitor: &mut dyn Monitor,
) -> Result<Counted> {
    let mut feed = Feed::new(reader, monitor);
    let counters = if threads <= 1 {
        let mut counter = Counter::new(normalizer, splitter);
        while let Some(block) = feed.next()? {
            counter.take(&block)?;
        }
        vec![counter]
    } else {
        count_in_threads(&mut feed, normalizer, splitter, threads)?
    };
    let replaced_bytes = feed.finish()?;
    merged(counters, replaced_bytes)
}

/// What one thread counts.
struct Counter<'s, S> {
    normalizer: Option<&'s Normalizer>,
    splitter: &'s S,
    table: WordTable,
    report: CountReport,
    /// Number and normalized length of each block taken.
    lengths: Vec<(u64, u64)>,
}

impl<'s, S: Split> Counter<'s, S> {
    fn new(normalizer: Option<&'s Normalizer>, splitter: &'s S) -> Self {
        let (table, report) = (WordTable::new(), CountReport::default());
        Counter { normalizer, splitter, table, report, lengths: Vec::new() }
    }

    fn take(&mut self, block: &Block) -> Result<()> {
        let Counter { normalizer, splitter, table, report, lengths } = self;
        let mut counting = Counting { splitter: *splitter, batch: table.batch(), seen: 0 };
        let mut length = 0;
        for piece in block.pieces() {
            let start = piece.start as u64;
            length += counting.take_piece(block, piece, *normalizer, length).map_err(|error| {
                error.in_source(format!("the part of the corpus that starts at its byte {}", block.place + start))
            })?;
            report.documents += 1;
        }
        // What the block leaves open is counted where it ends.
        report.documents -= u64::from(!block.ends_document);
        report.bytes += block.text.len() as u64;
        report.normalized_bytes += length;
        report.pre_tokens += counting.seen;
        if normalizer.is_some() {
            lengths.push((block.index, length));
        }
        Ok(())
    }
}

/// A block on its way into a table.
struct Counting<'s, 't, S> {
    splitter: &'s S,
    batch: Batch<'t>,
    seen: u64,
}

impl<S: Split> Counting<'_, '_, S> {
    /// Counts a piece that starts `offset` bytes into the normalized block. Gives its normalized length.
    fn take_piece(
        &mut self,
        block: &Block,
        piece: Range<usize>,
        normalizer: Option<&Normalizer>,
        offset: u64,
    ) -> Result<u64> {
        let Some(normalizer) = normalizer else {
            return self.add(&block.text[piece], block.place + offset);
        };
        let text = normalizer.apply_part(&block.text[piece.clone()], block.part(&piece))?;
        self.add(&text, provisional(block.index, offset, text.len())?)
    }

    fn add(&mut self, text: &str, place: u64) -> Result<u64> {
        let Counting { splitter, batch, seen } = self;
        splitter.for_each(text, |start, end| {
            batch.add(text.as_bytes(), start, end, 1, place + start as u64);
            *seen += 1;
        })?;
        Ok(text.len() as u64)
    }
}

fn count_in_threads<'s, S: Split>(
    feed: &mut Feed<'_, '_>,
    normalizer: Option<&'s Normalizer>,
    splitter: &'s S,
    threads: usize,
) -> Result<Vec<Counter<'s, S>>> {
    let (sender, receiver) = sync_channel(2 * threads);
    let (receiver, stop) = (Mutex::new(receiver), AtomicBool::new(false));
    thread::scope(|scope| {
        let work = || drain(&receiver, Counter::new(normalizer, splitter), &stop);
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = deal(feed, sender, Counter::new(normalizer, splitter), &stop);
        let own = own.and_then(|counter| drain(&receiver, counter, &stop));
        if own.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        // All are joined before an error is given; a worker's block was read before what the reader failed at.
        let others = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let outcomes: Vec<_> = others.collect();
        outcomes.into_iter().chain([own]).collect()
    })
}

/// Hands blocks out; counts one itself when the queue is full.
fn deal<'s, S: Split>(
    feed: &mut Feed<'_, '_>,
    queue: SyncSender<Block>,
    mut counter: Counter<'s, S>,
    stop: &AtomicBool,
) -> Result<Counter<'s, S>> {
    while !stop.load(Ordering::Relaxed)
        && let Some(block) = feed.next()?
    {
        match queue.try_send(block) {
            Ok(()) => {}
            Err(TrySendError::Full(block) | TrySendError::Disconnected(block)) => counter.take(&block)?,
        }
    }
    Ok(counter)
}

/// Counts blocks until there are no more.
fn drain<'s, S: Split>(
    queue: &Mutex<Receiver<Block>>,
    mut counter: Counter<'s, S>,
    stop: &AtomicBool,
) -> Result<Counter<'s, S>> {
    loop {
        // The lock is let go before the block is counted.
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(block) = next else { return Ok(counter) };
        if stop.load(Ordering::Relaxed) {
            return Ok(counter);
        }
        counter.take(&block).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
    }
}

fn merged<S: Split>(counters: Vec<Counter<'_, S>>, replaced_bytes: u64) -> Result<Counted> {
    let is_normalized = counters.iter().any(|counter| counter.normalizer.is_some());
    let mut report = CountReport { replaced_bytes, ..CountReport::default() };
    let (mut lengths, mut tables) = (Vec::new(), Vec::new());
    for counter in counters {
        report.documents += counter.report.documents;
        report.bytes += counter.report.bytes;
        report.normalized_bytes += counter.report.normalized_bytes;
        report.pre_tokens += counter.report.pre_tokens;
        lengths.extend(counter.lengths);
        tables.push(counter.table);
    }
    if report.bytes == 0 {
        return Err(empty(report.documents));
    }
    let table = merged_tables(tables);
    let table = if is_normalized { Places::new(lengths).translate(&table) } else { table };
    Ok(Counted { table, report })
}

/// All tables in the largest one, which is cheapest.
fn merged_tables(mut tables: Vec<WordTable>) -> WordTable {
    tables.sort_by_key(WordTable::len);
    let mut whole = tables.pop().unwrap_or_default();
    tables.iter().for_each(|table| whole.merge_from(table));
    whole
}

fn empty(documents: u64) -> Error {
    let message = format!("the corpus holds no text: {documents} documents, 0 bytes; give at least one character");
    Error::new(Kind::Corpus, message)
}

#[cfg(test)]
mod tests;
