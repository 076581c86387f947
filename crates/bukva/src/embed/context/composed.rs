//! Vectors of words that are made of rows: composed when a word comes into reach, and taken apart when it leaves it.
//!
//! A word is composed once for all windows that it stands in, and its rows get at once what it learned there. So memory is
//! waited for once an occurrence, not once a pair. Meanwhile words that share an n-gram do not see what the others learn
//! of it: about ten occurrences are in reach at a time.

use super::kernel::{Kernel, Loss, Scratch, Step, Sums};
use super::matrix::Matrix;
use super::piece::Piece;
use crate::embed::subword::WordNgrams;

/// Words in reach, with their vectors.
pub(super) struct Composed<'a> {
    ngrams: &'a WordNgrams,
    table: &'a Matrix,
    sums: Sums,
    window: usize,
    /// Numbers of a vector, with the padding.
    length: usize,
    slots: Vec<Slot>,
    free: Vec<usize>,
    /// The slot of each word of the piece up to the last in reach.
    places: Vec<usize>,
    /// Rows of each of these words.
    counts: Vec<f32>,
    /// Words of the piece that were left.
    left: usize,
    shares: Vec<f32>,
    mean: Slot,
}

/// A cache line of numbers.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    _numbers: [f32; 16],
}

/// The vector of a word.
struct Slot {
    /// Its last place in the piece that is in reach.
    last: usize,
    rows: Vec<*mut f32>,
    /// The vector as it is.
    new: *mut f32,
    /// And as it was composed.
    old: *mut f32,
    /// Owns what both point to.
    _memory: Vec<Line>,
}

impl Slot {
    fn new(length: usize) -> Self {
        let lines = length / 16;
        let mut memory = vec![Line { _numbers: [0.0; 16] }; 2 * lines];
        let new = memory.as_mut_ptr();
        // SAFETY: half of the lines lie before it, half behind.
        let old = unsafe { new.add(lines) };
        Slot { last: 0, rows: Vec::new(), new: new.cast(), old: old.cast(), _memory: memory }
    }
}

impl<'a> Composed<'a> {
    /// No words. Memory for those of a window is taken when they come.
    pub(super) fn new(ngrams: &'a WordNgrams, table: &'a Matrix, window: usize) -> Self {
        let length = table.dim().next_multiple_of(16);
        Composed {
            ngrams,
            table,
            sums: Sums::best(),
            window,
            length,
            slots: Vec::new(),
            free: Vec::new(),
            places: Vec::new(),
            counts: Vec::new(),
            left: 0,
            shares: Vec::new(),
            mean: Slot::new(length),
        }
    }

    /// Leaves what is no longer in reach of the word in the middle, and composes what comes; `vectors` get theirs.
    #[inline]
    pub(super) fn reach(&mut self, centre: usize, piece: &Piece, vectors: &mut Vec<*mut f32>) {
        self.leave(centre.saturating_sub(self.window));
        let end = (centre + self.window + 1).min(piece.words.len());
        for at in self.places.len()..end {
            let slot = match piece.earlier(at) {
                Some(earlier) if earlier >= self.left => self.places[earlier],
                _ => self.compose(piece.words[at]),
            };
            self.slots[slot].last = at;
            self.places.push(slot);
            self.counts.push(self.slots[slot].rows.len() as f32);
            vectors.push(self.slots[slot].new);
        }
    }

    /// Leaves all words.
    pub(super) fn finish(&mut self) {
        self.leave(self.places.len());
        self.places.clear();
        self.counts.clear();
        self.left = 0;
    }

    fn compose(&mut self, word: u32) -> usize {
        let number = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::new(self.length));
            self.slots.len() - 1
        });
        let (slot, rows) = (&mut self.slots[number], self.ngrams.rows(word));
        slot.rows.clear();
        slot.rows.extend(rows.iter().map(|&row| self.table.row(row)));
        self.shares.clear();
        self.shares.resize(rows.len(), 1.0 / rows.len() as f32);
        // SAFETY: rows of the table have `length` numbers, and so has either vector of a slot.
        unsafe {
            self.sums.sum(&slot.rows, &self.shares, slot.new, self.length);
            slot.new.copy_to_nonoverlapping(slot.old, self.length);
        }
        number
    }

    /// Gives rows what the words before `end` learned.
    fn leave(&mut self, end: usize) {
        for at in self.left..end {
            let slot = &mut self.slots[self.places[at]];
            if slot.last == at {
                // SAFETY: as in `compose`.
                unsafe { self.sums.add(&slot.rows, slot.new, slot.old, self.length) };
                self.free.push(self.places[at]);
            }
        }
        self.left = self.left.max(end);
    }

    /// A step with the mean of the rows of all words around the middle as the one input; the vector of each moves as the
    /// mean does.
    ///
    /// # Safety
    /// As [`Kernel::step_of_mean`], and the inputs are the vectors of the words in `window` but for the one at `centre`.
    #[inline]
    pub(super) unsafe fn step_of_mean(
        &mut self,
        kernel: Kernel,
        of: &Step<'_>,
        (window, centre): (std::ops::Range<usize>, usize),
        scratch: &mut Scratch,
        loss: &mut Loss,
    ) {
        let (before, after) = (&self.counts[window.start..centre], &self.counts[centre + 1..window.end]);
        let counts = || before.iter().chain(after);
        let all: f32 = counts().sum();
        self.shares.clear();
        self.shares.extend(counts().map(|count| count / all));
        let (new, old) = (self.mean.new, self.mean.old);
        // SAFETY: the caller's promises; there are as many counts as inputs.
        unsafe {
            self.sums.sum(of.inputs, &self.shares, new, self.length);
            new.copy_to_nonoverlapping(old, self.length);
            kernel.step(&Step { inputs: &[new], may_repeat: false, ..*of }, scratch, loss);
            self.sums.add(of.inputs, new, old, self.length);
        }
    }
}
