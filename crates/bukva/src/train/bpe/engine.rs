//! The merge loop.
//!
//! Only pairs that occur at least θ times are kept. That loses nothing: the count of an existing pair never rises, and
//! the count of a new pair is known when the merge that made it ends, so a pair below θ cannot be the best one as long
//! as a pair at or above θ is left. When none is left, θ is lowered and the corpus counted again.

use rustc_hash::FxHashSet;

use super::corpus::{Corpus, Cursor};
use super::heap::{Candidate, Heap};
use super::pairs::{Kept, PairTable};
use super::pulse::Pulse;
use super::recount::{self, Recount};
use super::sides::{COLD, Sides};
use super::stop::StopReason;
use super::tokens::{Product, Tokens};
use crate::error::Result;
use crate::train::tie_break::{Occurrence, Pair, Rule, Sight};

/// θ is divided by this when no pair reaches it. Lower numbers count more often, higher ones keep more postings.
const LOWERING: u64 = 6;

/// One merge as it was chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen {
    pub(super) pair: Pair,
    pub(super) product: u32,
    pub(super) count: u64,
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// Most merges.
    pub(super) merges: u64,
    /// Most new ids.
    pub(super) ids: u64,
    /// Lowest count of a pair that may be merged: at least 1.
    pub(super) min_frequency: u64,
}

/// The state of a training run.
pub(super) struct Engine<'a, R: Rule> {
    corpus: Corpus,
    tokens: &'a mut Tokens,
    target: Target,
    /// θ.
    least: u64,
    table: PairTable,
    heap: Heap<R::Key>,
    /// Pairs that must not be merged: their product is a token already.
    dropped: FxHashSet<Pair>,
    sides: Sides,
    chosen: Vec<Chosen>,
    new_ids: u64,
}

impl<'a, R: Rule> Engine<'a, R> {
    pub(super) fn new(corpus: Corpus, tokens: &'a mut Tokens, target: Target) -> Self {
        Engine {
            corpus,
            tokens,
            target,
            least: u64::MAX,
            table: PairTable::default(),
            heap: Heap::new(),
            dropped: FxHashSet::default(),
            sides: Sides::default(),
            chosen: Vec::new(),
            new_ids: 0,
        }
    }

    /// Merges until the target is reached or no pair may be merged.
    pub(super) fn run(mut self, pulse: &mut Pulse<'_>) -> Result<(Vec<Chosen>, StopReason)> {
        while (self.chosen.len() as u64) < self.target.merges && self.new_ids < self.target.ids {
            pulse.beat()?;
            match self.best() {
                Some(candidate) => self.choose(candidate, pulse)?,
                None if self.least > self.target.min_frequency => self.lower(pulse)?,
                None => {
                    let stopped = self.why_none_is_left(pulse)?;
                    return Ok((self.chosen, stopped));
                }
            }
        }
        Ok((self.chosen, StopReason::Reached))
    }

    /// The best pair, taken from the heap. Candidates that have become worse are put back.
    fn best(&mut self) -> Option<Candidate<R::Key>> {
        while let Some(mut candidate) = self.heap.pop() {
            let Some((kept, postings)) = self.table.get_mut(candidate.pair) else { continue };
            let mut is_current = kept.count == candidate.count;
            if R::GROWS {
                let key = key::<R>(candidate.pair, kept, postings, &self.corpus, self.tokens);
                is_current &= key == candidate.key;
                candidate.key = key;
            }
            if is_current {
                return Some(candidate);
            }
            candidate.count = kept.count;
            self.heap.push(candidate);
        }
        None
    }

    fn choose(&mut self, candidate: Candidate<R::Key>, pulse: &mut Pulse<'_>) -> Result<()> {
        let Candidate { pair, count, .. } = candidate;
        let Some(kept) = self.table.remove(pair) else { return Ok(()) };
        let product = match self.tokens.make(pair) {
            Product::Taken => {
                self.dropped.insert(pair);
                return Ok(());
            }
            Product::Special(id) => id,
            Product::New(id) => {
                self.new_ids += 1;
                id
            }
        };
        self.chosen.push(Chosen { pair, product, count });
        pulse.advance();
        let postings = self.table.postings(kept);
        self.sides.fit(self.tokens.len(), postings.len());
        self.corpus.merge(pair, product, postings, &mut self.sides, pulse)?;
        self.settle(pair, product);
        Ok(())
    }

    /// Takes over what the merge has changed: old neighbours lose, new pairs are kept if they reach θ.
    fn settle(&mut self, pair: Pair, product: u32) {
        let mut new = self.keep_new(pair, product);
        self.lose_old(pair, product);
        let Sides { left, right } = &self.sides;
        left.for_each_kept(|slot, posting| self.table.stand(slot, posting));
        right.for_each_kept(|slot, posting| self.table.stand(slot, posting));
        for pair in new.drain(..) {
            self.offer(pair);
        }
        self.sides.clear();
    }

    fn keep_new(&mut self, merged: Pair, product: u32) -> Vec<Pair> {
        let Sides { left, right } = &mut self.sides;
        let (table, tokens, least) = (&mut self.table, &*self.tokens, self.least);
        let mut new = Vec::new();
        let mut keep = |pair: Pair, count: u64, events: u32| {
            if count < least || !tokens.admits(pair) {
                return COLD;
            }
            new.push(pair);
            table.insert(pair, count, events)
        };
        for index in 0..left.touched().len() {
            let neighbour = left.touched()[index];
            let sum = left.sum(neighbour);
            left.set_slot(neighbour, keep(Pair::new(neighbour, product), sum.weight, sum.events));
        }
        // In "abab" the first merge makes (p, a), and the second takes that a away again.
        let taken_again = left.sum(product).weight;
        for index in 0..right.touched().len() {
            let neighbour = right.touched()[index];
            let sum = right.sum(neighbour);
            let weight = if neighbour == merged.left { sum.weight - taken_again } else { sum.weight };
            right.set_slot(neighbour, keep(Pair::new(product, neighbour), weight, sum.events));
        }
        new
    }

    fn lose_old(&mut self, merged: Pair, product: u32) {
        let Sides { left, right } = &self.sides;
        for &neighbour in left.touched().iter().filter(|&&neighbour| neighbour != product) {
            self.table.lose(Pair::new(neighbour, merged.left), left.sum(neighbour).weight, self.least);
        }
        for &neighbour in right.touched() {
            self.table.lose(Pair::new(merged.right, neighbour), right.sum(neighbour).weight, self.least);
        }
    }

    fn offer(&mut self, pair: Pair) {
        if let Some((kept, postings)) = self.table.get_mut(pair) {
            let key = key::<R>(pair, kept, postings, &self.corpus, self.tokens);
            self.heap.push(Candidate { count: kept.count, key, pair });
        }
    }

    /// Lowers θ and counts the corpus again.
    fn lower(&mut self, pulse: &mut Pulse<'_>) -> Result<()> {
        let floor = self.target.min_frequency;
        let (tokens, dropped) = (&*self.tokens, &self.dropped);
        let admits = |pair| tokens.admits(pair) && (dropped.is_empty() || !dropped.contains(&pair));
        // The old postings go before the new ones come.
        self.table = PairTable::default();
        let Recount { least, table, pairs } = if self.least == u64::MAX {
            recount::first(&self.corpus, floor, pulse, admits)?
        } else {
            self.corpus.compact(pulse)?;
            recount::again(&self.corpus, self.least / LOWERING, floor, pulse, admits)?
        };
        (self.least, self.table) = (least, table);
        pairs.into_iter().for_each(|pair| self.offer(pair));
        Ok(())
    }

    fn why_none_is_left(&self, pulse: &mut Pulse<'_>) -> Result<StopReason> {
        let may_merge = |pair| self.tokens.admits(pair) && !self.dropped.contains(&pair);
        let min_frequency = self.target.min_frequency;
        let is_rare = min_frequency > 1 && self.corpus.any_pair(pulse, may_merge)?;
        Ok(if is_rare { StopReason::BelowMinFrequency { min_frequency } } else { StopReason::NoPairLeft })
    }
}

fn key<R: Rule>(pair: Pair, kept: &mut Kept, postings: &[u32], corpus: &Corpus, tokens: &Tokens) -> R::Key {
    R::key(&mut View { pair, cursor: &mut kept.cursor, postings, corpus, tokens })
}

/// What a tie rule sees of a pair.
struct View<'a> {
    pair: Pair,
    cursor: &'a mut Cursor,
    postings: &'a [u32],
    corpus: &'a Corpus,
    tokens: &'a Tokens,
}

impl Sight for View<'_> {
    fn first(&mut self) -> Occurrence {
        // A kept pair occurs; were it not so, it would come last.
        let nowhere = Occurrence { word: u64::MAX, offset: u32::MAX };
        self.corpus.first(self.pair, self.postings, self.cursor, self.tokens).unwrap_or(nowhere)
    }

    fn product(&self) -> (u32, Box<[u8]>) {
        self.tokens.joined(self.pair)
    }
}
