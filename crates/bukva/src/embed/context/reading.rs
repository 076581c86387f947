//! Documents → ids and vocabulary, on any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::ids::{Assembly, END, Ids};
use super::interner::Interner;
use super::memory::MemoryEstimate;
use super::vocabulary::Vocabulary;
use super::words::{Words, tokens_of};
use crate::corpus::{Block, Feed, Input, Options, Reader};
use crate::error::Result;
use crate::monitor::Monitor;

/// A corpus as numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    /// The words with a vector.
    pub vocabulary: Vocabulary,
    /// For words that are tokens of a tokenizer: the id of each.
    pub token_ids: Option<Vec<u32>>,
    pub(in crate::embed) ids: Ids,
    /// What was read.
    pub report: CorpusReport,
}

impl Corpus {
    /// Words of the corpus that have a vector, each occurrence counted, and ends of documents: what training goes over.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What training without n-grams takes, the corpus among it; `None` where it is beyond 64 bits.
    pub fn memory(&self, dim: usize) -> Option<MemoryEstimate> {
        MemoryEstimate::new(self.vocabulary.words.len() as u64, self.len() as u64, dim as u64, None, None)
    }
}

/// What was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CorpusReport {
    /// Documents.
    pub documents: u64,
    /// Bytes of all documents.
    pub bytes: u64,
    /// Bytes that were not text and were replaced by U+FFFD.
    pub replaced_bytes: u64,
    /// Words, each occurrence counted, rare ones too.
    pub words: u64,
}

/// Reads a corpus: counts its words and numbers those that stand there `min_count` times. The result does not depend on
/// `threads`.
///
/// O(bytes) time; memory for 4 bytes a word, the distinct words on each thread, and a few blocks.
///
/// # Errors
/// [`Kind::Corpus`] when no word is left; what reading, normalizing, splitting and `monitor` answer.
pub fn read_corpus(
    inputs: Vec<Input<'_>>,
    options: Options,
    words: &Words,
    min_count: u64,
    threads: usize,
    monitor: &mut dyn Monitor,
) -> Result<Corpus> {
    let mut feed = Feed::new(Reader::new(inputs, options, words.cuts()), monitor);
    let assembly = Mutex::new(Assembly::default());
    let counters = count(&mut feed, words, &assembly, threads)?;
    let mut report = CorpusReport { replaced_bytes: feed.finish()?, ..CorpusReport::default() };
    for counter in &counters {
        report.documents += counter.report.documents;
        report.bytes += counter.report.bytes;
        report.words += counter.report.words;
    }
    let assembly = std::mem::take(&mut *assembly.lock().unwrap_or_else(PoisonError::into_inner));
    let corpus = match words.tokenizer() {
        None => {
            let interners = counters.into_iter().map(|counter| counter.interner).collect();
            let (vocabulary, maps) = Vocabulary::of_words(interners, min_count)?;
            Corpus { vocabulary, ids: assembly.finish(&maps), token_ids: None, report }
        }
        Some(tokenizer) => {
            let name = |id| name_of(tokenizer.decoder().token(id).unwrap_or_default());
            let counts = summed(counters.iter().map(|counter| &counter.token_counts));
            let (vocabulary, ranks, order) = Vocabulary::of_tokens(&counts, min_count, name)?;
            let maps = vec![ranks; counters.len()];
            Corpus { vocabulary, ids: assembly.finish(&maps), token_ids: Some(order), report }
        }
    };
    Ok(corpus)
}

/// The text of a token; bytes that are no text as `\xd0`.
fn name_of(token: &[u8]) -> String {
    token.utf8_chunks().fold(String::new(), |name, chunk| {
        let bytes = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        name + chunk.valid() + &bytes.collect::<String>()
    })
}

fn summed<'a>(counts: impl Iterator<Item = &'a Vec<u64>>) -> Vec<u64> {
    let mut sums = Vec::new();
    for counts in counts {
        sums.resize(sums.len().max(counts.len()), 0);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    sums
}

/// What one thread counts.
struct Counter<'a> {
    words: &'a Words,
    assembly: &'a Mutex<Assembly>,
    thread: usize,
    interner: Interner,
    token_counts: Vec<u64>,
    report: CorpusReport,
}

impl<'a> Counter<'a> {
    fn new(words: &'a Words, assembly: &'a Mutex<Assembly>, thread: usize) -> Self {
        let (interner, report) = (Interner::default(), CorpusReport::default());
        Counter { words, assembly, thread, interner, token_counts: Vec::new(), report }
    }

    fn take(&mut self, block: &Block) -> Result<()> {
        let mut numbers = Vec::with_capacity(block.text.len() / 4);
        for piece in block.pieces() {
            let start = block.place + piece.start as u64;
            let ends = block.part(&piece).ends;
            self.take_piece(block, piece, &mut numbers)
                .map_err(|error| error.in_source(format!("the part of the corpus that starts at its byte {start}")))?;
            if ends {
                numbers.push(END);
            }
            self.report.documents += u64::from(ends);
        }
        self.report.bytes += block.text.len() as u64;
        self.assembly.lock().unwrap_or_else(PoisonError::into_inner).push(block.index, self.thread, numbers);
        Ok(())
    }

    fn take_piece(&mut self, block: &Block, piece: std::ops::Range<usize>, numbers: &mut Vec<u32>) -> Result<()> {
        let (before, text, part) = (numbers.len(), &block.text[piece.clone()], block.part(&piece));
        match self.words.tokenizer() {
            None => {
                let add = |text: &[u8], word| numbers.push(self.interner.add(text, word, 1));
                self.words.for_each_word(text, part, add)?;
            }
            Some(tokenizer) => {
                tokens_of(tokenizer, text, numbers)?;
                numbers[before..].iter().for_each(|&id| count_token(&mut self.token_counts, id));
            }
        }
        self.report.words += (numbers.len() - before) as u64;
        Ok(())
    }
}

fn count_token(counts: &mut Vec<u64>, id: u32) {
    if counts.len() <= id as usize {
        counts.resize(id as usize + 1, 0);
    }
    counts[id as usize] += 1;
}

fn count<'a>(
    feed: &mut Feed<'_, '_>,
    words: &'a Words,
    assembly: &'a Mutex<Assembly>,
    threads: usize,
) -> Result<Vec<Counter<'a>>> {
    if threads <= 1 {
        let mut counter = Counter::new(words, assembly, 0);
        while let Some(block) = feed.next()? {
            counter.take(&block)?;
        }
        return Ok(vec![counter]);
    }
    let (sender, receiver) = sync_channel(2 * threads);
    let (receiver, stop) = (Mutex::new(receiver), AtomicBool::new(false));
    thread::scope(|scope| {
        let (receiver, stop) = (&receiver, &stop);
        let work = move |thread| drain(receiver, Counter::new(words, assembly, thread), stop);
        let helpers: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        let own = deal(feed, sender, Counter::new(words, assembly, 0), stop);
        let own = own.and_then(|counter| drain(receiver, counter, stop));
        if own.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        let join = |helper: thread::ScopedJoinHandle<'_, Result<Counter<'a>>>| {
            helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let others: Vec<_> = helpers.into_iter().map(join).collect();
        [own].into_iter().chain(others).collect()
    })
}

/// Hands blocks out; counts one itself when the queue is full.
fn deal<'a>(
    feed: &mut Feed<'_, '_>,
    queue: SyncSender<Block>,
    mut counter: Counter<'a>,
    stop: &AtomicBool,
) -> Result<Counter<'a>> {
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
fn drain<'a>(queue: &Mutex<Receiver<Block>>, mut counter: Counter<'a>, stop: &AtomicBool) -> Result<Counter<'a>> {
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
