//! Counting all pairs anew, and keeping those that occur at least θ times.
//!
//! Three walks over the corpus: a sketch bounds every count, an exact table counts what the sketch lets through, and the
//! last walk notes where the pairs stand that are kept. Most distinct pairs are rare, and a table of all of them would
//! be the largest thing in memory.

use super::corpus::Corpus;
use super::counts::{Counted, Counts};
use super::pairs::PairTable;
use super::pulse::Pulse;
use super::sketch::{Filter, Sketch, hash};
use crate::error::Result;
use crate::train::tie_break::Pair;

/// The pairs that were kept, and the threshold they were kept by.
pub(super) struct Recount {
    pub(super) least: u64,
    pub(super) table: PairTable,
    /// Every kept pair once.
    pub(super) pairs: Vec<Pair>,
}

/// The first threshold is this part of the highest count: about what the first thousands of merges need.
const FIRST_PART: u64 = 216;

/// Counts every pair for the first time. O(cells); the pairs of an alphabet are few, so no sketch is needed.
pub(super) fn first(
    corpus: &Corpus,
    floor: u64,
    pulse: &mut Pulse<'_>,
    admits: impl Fn(Pair) -> bool,
) -> Result<Recount> {
    let counts = count(corpus, &Filter::all(), pulse, admits)?;
    let least = (counts.highest() / FIRST_PART).max(floor);
    keep(corpus, counts, least, pulse)
}

/// Counts again with a threshold of at most `least`; lower if no pair can reach that. O(cells).
pub(super) fn again(
    corpus: &Corpus,
    least: u64,
    floor: u64,
    pulse: &mut Pulse<'_>,
    admits: impl Fn(Pair) -> bool,
) -> Result<Recount> {
    let mut sketch = Sketch::new();
    corpus.walk(pulse, |pair, weight, _| sketch.add(hash(pair), weight))?;
    let least = least.min(sketch.highest()).max(floor);
    let filter = sketch.reaching(least);
    drop(sketch);
    let counts = count(corpus, &filter, pulse, admits)?;
    keep(corpus, counts, least, pulse)
}

fn count(corpus: &Corpus, filter: &Filter, pulse: &mut Pulse<'_>, admits: impl Fn(Pair) -> bool) -> Result<Counts> {
    let mut counts = Counts::new();
    corpus.walk(pulse, |pair, weight, _| {
        let hash = hash(pair);
        if filter.passes(hash) && admits(pair) {
            counts.add(pair, hash, weight);
        }
    })?;
    Ok(counts)
}

/// Builds the table of the pairs that reach `least`, with their postings.
fn keep(corpus: &Corpus, counts: Counts, least: u64, pulse: &mut Pulse<'_>) -> Result<Recount> {
    let counted = counts.reaching(least);
    let filter = Filter::of(counted.iter().map(|entry| hash(entry.pair)));
    let mut ends = Ends::new(&counted);
    let mut postings = vec![0; counted.iter().map(|entry| entry.occurrences as usize).sum()];
    corpus.walk(pulse, |pair, _, posting| {
        let hash = hash(pair);
        if filter.passes(hash)
            && let Some(at) = ends.advance(pair, hash, posting)
        {
            postings[at] = posting;
        }
    })?;
    let mut table = PairTable::over(postings, counted.len());
    let mut start = 0;
    for entry in &counted {
        let filled = ends.end(entry.pair) - start;
        table.insert_filled(entry.pair, entry.count, start, filled as u32);
        start += entry.occurrences as usize;
    }
    Ok(Recount { least, table, pairs: counted.iter().map(|entry| entry.pair).collect() })
}

/// How far the postings of each kept pair are filled: a table like [`Counts`], 16 bytes an entry.
struct Ends(Vec<End>);

#[derive(Clone, Copy)]
struct End {
    pair: Pair,
    end: u32,
    last: u32,
}

impl End {
    /// No word has these neighbours: ids stay below the number of cells.
    const FREE: End = End { pair: Pair { left: u32::MAX, right: u32::MAX }, end: 0, last: u32::MAX };
}

impl Ends {
    fn new(counted: &[Counted]) -> Self {
        let mut ends = Ends(vec![End::FREE; (counted.len() * 2).next_power_of_two()]);
        let mut start = 0;
        for entry in counted {
            let index = ends.index(entry.pair, hash(entry.pair));
            ends.0[index] = End { pair: entry.pair, end: start, last: u32::MAX };
            start += entry.occurrences;
        }
        ends
    }

    #[inline]
    fn index(&self, pair: Pair, hash: u64) -> usize {
        let mask = self.0.len() - 1;
        let mut index = hash as usize & mask;
        while self.0[index].pair != pair && self.0[index].pair != End::FREE.pair {
            index = (index + 1) & mask;
        }
        index
    }

    /// Where to put `posting`, or `None` if the pair is not kept or has it already.
    #[inline]
    fn advance(&mut self, pair: Pair, hash: u64, posting: u32) -> Option<usize> {
        let index = self.index(pair, hash);
        let end = &mut self.0[index];
        if end.pair != pair || end.last == posting {
            return None;
        }
        end.last = posting;
        end.end += 1;
        Some(end.end as usize - 1)
    }

    fn end(&self, pair: Pair) -> usize {
        self.0[self.index(pair, hash(pair))].end as usize
    }
}
