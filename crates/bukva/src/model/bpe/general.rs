//! Merging by the letter of SentencePiece's and `tokenizers`' rules, for what the table of pairs does not serve: merges
//! of equal score that spell different pieces, unused pieces, and merges that are left out at random.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::Excluded;
use crate::spec::{Bpe, PieceKind};

const NONE: usize = usize::MAX;

/// An id, and how many bytes of the text it stands for.
pub(super) type Part = (u32, usize);

/// All merges of a model, by pair of ids.
#[derive(Debug)]
pub(super) struct General {
    /// (left, right) → (rank, product).
    pairs: FxHashMap<(u32, u32), (u32, u32)>,
    /// Unused pieces.
    unused: FxHashSet<u32>,
}

/// What becomes of a merge that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Skipped {
    /// It may happen after the next one that does: the `tokenizers` library.
    Waits,
    /// It never happens, unless the pair comes about anew: SentencePiece.
    IsGone,
}

struct Link {
    part: Part,
    before: usize,
    next: usize,
}

type Waiting = BinaryHeap<Reverse<(u32, usize, u32)>>;

impl General {
    /// Whether a model has unused pieces that can be merged, or merges of one rank with different products.
    pub(super) fn needed(bpe: &Bpe) -> bool {
        let Some(pieces) = &bpe.pieces else { return false };
        let tie = bpe.merges.windows(2).any(|pair| pair[0].rank == pair[1].rank && pair[0].product != pair[1].product);
        tie || pieces.kinds.contains(&PieceKind::Unused)
    }

    /// Collects the merges; of two of one pair the first counts. Excluded pieces are unused. O(merges).
    pub(super) fn of(bpe: &Bpe, excluded: &Excluded) -> Self {
        let mut pairs = FxHashMap::with_capacity_and_hasher(bpe.merges.len(), Default::default());
        for merge in &bpe.merges {
            pairs.entry((merge.left, merge.right)).or_insert((merge.rank, merge.product));
        }
        let kinds = bpe.pieces.iter().flat_map(|pieces| &pieces.kinds);
        let unused = bpe.vocab.iter().zip(kinds).filter(|(_, kind)| **kind == PieceKind::Unused);
        let excluded = bpe.vocab.ids().iter().copied().filter(|&id| excluded.has(id) && Some(id) != bpe.unk);
        General { pairs, unused: unused.map(|(entry, _)| entry.id).chain(excluded).collect() }
    }

    /// Merges first symbols: the lowest rank first, the leftmost among equals. Each time one is due, `skip` says
    /// whether it is left out. O(n log n) for n symbols.
    pub(super) fn merge(&self, parts: &[Part], skipped: Skipped, mut skip: impl FnMut() -> bool) -> Vec<Part> {
        let mut word = Word { links: links(parts), queue: Waiting::new(), origins: FxHashMap::default() };
        (1..parts.len()).for_each(|right| word.add(self, right - 1, right));
        let mut aside = Vec::new();
        while let Some(Reverse(top)) = word.queue.pop() {
            let (rank, left, product) = top;
            match skipped {
                // In `tokenizers` the dice are cast before a pair is found to be gone.
                Skipped::Waits if skip() => {
                    aside.push(Reverse(top));
                    continue;
                }
                Skipped::Waits => word.queue.extend(aside.drain(..)),
                Skipped::IsGone => {}
            }
            let right = word.links[left].next;
            if right == NONE || self.pair(&word, left, right) != Some((rank, product)) {
                continue;
            }
            if skipped == Skipped::IsGone && skip() {
                continue;
            }
            word.join(left, right, product);
            let before = word.links[left].before;
            word.add(self, before, left);
            word.add(self, left, word.links[left].next);
        }
        self.collect(&word)
    }

    fn pair(&self, word: &Word, left: usize, right: usize) -> Option<(u32, u32)> {
        self.pairs.get(&(word.links[left].part.0, word.links[right].part.0)).copied()
    }

    /// What is left, unused pieces taken apart again: each as the pair that was seen last for it anywhere in the text.
    fn collect(&self, word: &Word) -> Vec<Part> {
        let (mut out, mut at) = (Vec::new(), if word.links.is_empty() { NONE } else { 0 });
        let mut open = Vec::new();
        while at != NONE {
            open.push(word.links[at].part);
            while let Some(part) = open.pop() {
                match word.origins.get(&part) {
                    Some(&[left, right]) => open.extend([right, left]),
                    None => out.push(part),
                }
            }
            at = word.links[at].next;
        }
        out
    }
}

struct Word {
    links: Vec<Link>,
    queue: Waiting,
    /// The last pair for each unused piece. One id has several lengths where it is made of unknown units.
    origins: FxHashMap<Part, [Part; 2]>,
}

impl Word {
    /// Queues the pair of two neighbours, if they have a merge.
    fn add(&mut self, general: &General, left: usize, right: usize) {
        if left == NONE || right == NONE {
            return;
        }
        let Some((rank, product)) = general.pair(self, left, right) else { return };
        self.queue.push(Reverse((rank, left, product)));
        if general.unused.contains(&product) {
            let pair = [self.links[left].part, self.links[right].part];
            self.origins.insert((product, pair[0].1 + pair[1].1), pair);
        }
    }

    fn join(&mut self, left: usize, right: usize, product: u32) {
        let Link { part, next, .. } = self.links[right];
        self.links[left].part = (product, self.links[left].part.1 + part.1);
        self.links[left].next = next;
        // What is gone pairs with nothing any more.
        self.links[right].next = NONE;
        if let Some(next) = self.links.get_mut(next) {
            next.before = left;
        }
    }
}

fn links(parts: &[Part]) -> Vec<Link> {
    let last = parts.len().wrapping_sub(1);
    let link = |(at, &part)| Link {
        part,
        before: if at == 0 { NONE } else { at - 1 },
        next: if at == last { NONE } else { at + 1 },
    };
    parts.iter().enumerate().map(link).collect()
}
