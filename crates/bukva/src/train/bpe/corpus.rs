//! The corpus as symbols: short words in an arena of records, long words as linked symbols.
//!
//! A *posting* says where a pair may stand: the start of a record, or behind all records the position of a symbol of a
//! long word. Postings of a pair are sorted, and may be stale: the pair may have gone since.

use super::alphabet::Alphabet;
use super::long::LongWords;
use super::pulse::{Pulse, STEPS};
use super::record::{self, HEADER};
use super::sides::Sides;
use super::tokens::Tokens;
use crate::error::{Error, Kind, Result, shown};
use crate::prefetch::prefetch;
use crate::train::tie_break::{Occurrence, Pair};
use crate::train::words::{Word, Words};

/// Words of more symbols are linked. Below, rewriting a whole record is cheaper than following links.
const LONG: usize = 512;
const _: () = assert!(LONG <= record::MAX_LENGTH);

/// Records that are asked for ahead of their turn.
const AHEAD: usize = 12;

/// Cells of a cache line. The record of an average word lies in two lines.
const LINE: usize = 16;

/// All words of two or more symbols, with their counts.
pub(super) struct Corpus {
    cells: Vec<u32>,
    /// Start of each record.
    starts: Vec<u32>,
    long: LongWords,
    /// The posting of the first symbol of the first long word.
    base: u32,
}

/// A place from which the search for the first occurrence goes on: everything before it is stale for good.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    short: u32,
    long: u32,
}

impl Corpus {
    /// Spells all words. O(bytes).
    pub(super) fn build(words: &Words, alphabet: &Alphabet, pulse: &mut Pulse<'_>) -> Result<Self> {
        let lengths = || words.iter().map(|word| alphabet.count(word.bytes));
        let short = |length: &usize| (2..=LONG).contains(length);
        let records = lengths().filter(short).count();
        let cells = lengths().filter(short).map(|length| length + HEADER).sum::<usize>();
        check_size(cells + lengths().filter(|&length| length > LONG).sum::<usize>())?;
        check_total(words, alphabet)?;
        let (cells, starts) = (Vec::with_capacity(cells), Vec::with_capacity(records));
        let mut corpus = Corpus { cells, starts, long: LongWords::default(), base: 0 };
        for (index, word) in words.iter().enumerate() {
            if index % STEPS == 0 {
                pulse.beat()?;
            }
            corpus.push(word, alphabet)?;
        }
        corpus.base = corpus.cells.len() as u32;
        Ok(corpus)
    }

    fn push(&mut self, word: Word<'_>, alphabet: &Alphabet) -> Result<()> {
        let (length, start) = (alphabet.count(word.bytes), self.cells.len() as u32);
        if length > LONG {
            self.long.push(word.count, start, |cells| alphabet.spell(word.bytes, cells));
        } else if length >= 2 {
            check_count(word)?;
            self.starts.push(start);
            self.cells.extend(record::header(word.count, length));
            alphabet.spell(word.bytes, &mut self.cells);
        }
        Ok(())
    }

    /// Closes the gaps that merges have left, and drops words of one symbol. O(cells).
    pub(super) fn compact(&mut self, pulse: &mut Pulse<'_>) -> Result<()> {
        let old_starts = std::mem::take(&mut self.starts);
        let mut kept = Vec::with_capacity(old_starts.len());
        let mut write = 0;
        let mut moved = Vec::with_capacity(if self.long.is_empty() { 0 } else { old_starts.len() });
        for (index, &start) in old_starts.iter().enumerate() {
            if index % STEPS == 0 {
                pulse.beat()?;
            }
            if !self.long.is_empty() {
                moved.push(write as u32);
            }
            let (start, length) = (start as usize, record::length(&self.cells[start as usize..]));
            if length >= 2 {
                self.cells.copy_within(start..start + HEADER + length, write);
                kept.push(write as u32);
                write += HEADER + length;
            }
        }
        self.cells.truncate(write);
        self.starts = kept;
        let new_start = |anchor: u32| moved.get(old_starts.partition_point(|&start| start < anchor)).copied();
        self.long.move_anchors(|anchor| new_start(anchor).unwrap_or(write as u32));
        Ok(())
    }

    /// Shows every pair with its weight and its posting, in the order of postings. O(cells).
    #[inline]
    pub(super) fn walk(&self, pulse: &mut Pulse<'_>, mut see: impl FnMut(Pair, u64, u32)) -> Result<()> {
        for starts in self.starts.chunks(STEPS) {
            pulse.beat()?;
            for &start in starts {
                let cells = &self.cells[start as usize..];
                let weight = record::count(cells);
                for pair in cells[record::symbols(cells)].windows(2) {
                    see(Pair::new(pair[0], pair[1]), weight, start);
                }
            }
        }
        let mut step = 0;
        self.long.walk(|pair, weight, position| {
            step += 1;
            see(pair, weight, self.base + position);
            if step % STEPS == 0 { pulse.beat() } else { Ok(()) }
        })
    }

    /// Whether some neighbours could still be merged.
    pub(super) fn any_pair(&self, pulse: &mut Pulse<'_>, admits: impl Fn(Pair) -> bool) -> Result<bool> {
        let mut found = false;
        self.walk(pulse, |pair, _, _| found = found || admits(pair))?;
        Ok(found)
    }

    fn split<'p>(&self, postings: &'p [u32]) -> (&'p [u32], &'p [u32]) {
        if self.long.is_empty() {
            return (postings, &[]);
        }
        postings.split_at(postings.partition_point(|&posting| posting < self.base))
    }

    /// Merges the pair wherever it stands, from left to right, and notes all neighbours in `sides`.
    pub(super) fn merge(
        &mut self,
        pair: Pair,
        product: u32,
        postings: &[u32],
        sides: &mut Sides,
        pulse: &mut Pulse<'_>,
    ) -> Result<()> {
        let (short, long) = self.split(postings);
        for (index, &start) in short.iter().enumerate() {
            if index % STEPS == STEPS - 1 {
                pulse.beat()?;
            }
            if let Some(&later) = short.get(index + AHEAD) {
                self.cells.get(later as usize).into_iter().for_each(prefetch);
                self.cells.get(later as usize + LINE).into_iter().for_each(prefetch);
            }
            merge_record(&mut self.cells[start as usize..], pair, product, start, sides);
        }
        for (index, &posting) in long.iter().enumerate() {
            if index % STEPS == STEPS - 1 {
                pulse.beat()?;
            }
            self.long.merge(pair, product, posting - self.base, self.base, sides);
        }
        Ok(())
    }

    /// Where the pair stands first. Moves `cursor` past postings that are stale.
    pub(super) fn first(
        &self,
        pair: Pair,
        postings: &[u32],
        cursor: &mut Cursor,
        tokens: &Tokens,
    ) -> Option<Occurrence> {
        let (short, long) = self.split(postings);
        let in_short = advance(short, &mut cursor.short, |start| self.in_record(pair, start, tokens));
        let in_long = advance(long, &mut cursor.long, |posting| self.long.occurrence(pair, posting - self.base));
        in_short.into_iter().chain(in_long).min()
    }

    fn in_record(&self, pair: Pair, start: u32, tokens: &Tokens) -> Option<Occurrence> {
        let cells = &self.cells[start as usize..];
        let symbols = &cells[record::symbols(cells)];
        let at = find(symbols, pair)?;
        let offset = symbols[..at].iter().map(|&symbol| tokens.length(symbol)).sum();
        Some(Occurrence { word: 2 * u64::from(start) + 1, offset })
    }
}

/// The first hit from the cursor on; the cursor stays at it.
fn advance<T>(postings: &[u32], cursor: &mut u32, look: impl Fn(u32) -> Option<T>) -> Option<T> {
    let rest = postings.get(*cursor as usize..)?;
    let (passed, hit) = rest.iter().enumerate().find_map(|(index, &posting)| Some((index, look(posting)?)))?;
    *cursor += passed as u32;
    Some(hit)
}

#[inline]
fn find(symbols: &[u32], pair: Pair) -> Option<usize> {
    symbols.windows(2).position(|two| two[0] == pair.left && two[1] == pair.right)
}

/// Rewrites one record. O(length).
#[inline]
fn merge_record(cells: &mut [u32], pair: Pair, product: u32, start: u32, sides: &mut Sides) {
    let weight = record::count(cells);
    let range = record::symbols(cells);
    let symbols = &mut cells[range];
    let Some(first) = find(symbols, pair) else { return };
    let (mut write, mut read) = (first, first);
    while read < symbols.len() {
        if symbols[read] == pair.left && symbols.get(read + 1) == Some(&pair.right) {
            if write > 0 {
                sides.left.add(symbols[write - 1], weight, start);
            }
            if let Some(&after) = symbols.get(read + 2) {
                sides.right.add(after, weight, start);
            }
            symbols[write] = product;
            read += 2;
        } else {
            symbols[write] = symbols[read];
            read += 1;
        }
        write += 1;
    }
    record::set_length(cells, write);
}

fn check_size(cells: usize) -> Result<()> {
    if cells < u32::MAX as usize {
        return Ok(());
    }
    let message = format!(
        "the distinct pre-tokens need {cells} cells, and the limit is {}: use a pattern that splits more, or less text",
        u32::MAX - 1
    );
    Err(Error::new(Kind::Training, message))
}

fn check_count(word: Word<'_>) -> Result<()> {
    if word.count <= record::MAX_COUNT {
        return Ok(());
    }
    let (text, count, limit) = (shown(word.bytes), word.count, record::MAX_COUNT);
    Err(Error::new(Kind::Training, format!("pre-token {text} has count {count}, and the limit is {limit}")))
}

/// Sums of pairs must fit in 64 bits.
fn check_total(words: &Words, alphabet: &Alphabet) -> Result<()> {
    let symbols = |word: Word<'_>| word.count.checked_mul(alphabet.count(word.bytes) as u64);
    match words.iter().try_fold(0u64, |total, word| total.checked_add(symbols(word)?)) {
        Some(_) => Ok(()),
        None => Err(Error::new(Kind::Training, format!("the corpus has more than {} symbols, the limit", u64::MAX))),
    }
}
