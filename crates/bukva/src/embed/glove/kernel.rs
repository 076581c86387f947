//! A block of cells: products, losses and the steps of AdaGrad.

use super::cells::Cell;
use super::tables::Table;
#[cfg(target_arch = "x86_64")]
use crate::embed::context::lanes::{Avx2, Avx512};
use crate::embed::context::lanes::{Instructions, Lanes, Machine, Portable};
use crate::prefetch::prefetch_at;

/// What steps depend on beside their cell.
#[derive(Clone, Copy)]
pub(super) struct Weigher {
    /// ln x_max.
    pub(super) ln_max: f32,
    pub(super) exponent: f32,
    pub(super) rate: f32,
}

impl Weigher {
    /// ln x and f(x) = min(1, (x/x_max)^α).
    #[inline(always)]
    pub(super) fn of(self, value: f32) -> (f32, f32) {
        let logarithm = value.ln();
        (logarithm, (self.exponent * (logarithm - self.ln_max)).min(0.0).exp())
    }
}

/// The steps of a block, compiled for some processor.
#[derive(Clone, Copy)]
pub(super) struct Kernel {
    /// The instructions that it is made of.
    pub(super) name: &'static str,
    run: Run,
}

type Run = unsafe fn(&[Cell], &Table, &Table, Weigher) -> f64;

impl Kernel {
    /// The fastest that this processor has.
    pub(super) fn best() -> Self {
        Self::all()[0]
    }

    /// All that this processor has, the fastest first.
    pub(super) fn all() -> Vec<Self> {
        Instructions::all().into_iter().map(Self::of).collect()
    }

    fn of(instructions: Instructions) -> Self {
        let run: Run = match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => avx512,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => avx2,
            Instructions::Portable => portable,
        };
        Kernel { name: instructions.name(), run }
    }

    /// Does the steps of a block one after the other and gives the sum of the losses before each. O(cells · dim).
    ///
    /// # Safety
    /// Both tables are of the same dimension and as long as rows and columns of the cells say. Other threads may write
    /// them at the same time only by this function: then numbers get lost or are added to older ones, and no other harm
    /// is done.
    pub(super) unsafe fn steps(self, cells: &[Cell], words: &Table, contexts: &Table, weigher: Weigher) -> f64 {
        // SAFETY: the processor has the instructions: `all` looked. The rest is the caller's promise.
        unsafe { (self.run)(cells, words, contexts, weigher) }
    }
}

/// # Safety
/// As [`Kernel::steps`]; the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn avx512(cells: &[Cell], words: &Table, contexts: &Table, weigher: Weigher) -> f64 {
    // SAFETY: the caller's promises.
    unsafe { steps::<<Avx512 as Machine>::Wide>(cells, words, contexts, weigher) }
}

/// # Safety
/// As [`Kernel::steps`]; the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(cells: &[Cell], words: &Table, contexts: &Table, weigher: Weigher) -> f64 {
    // SAFETY: the caller's promises.
    unsafe { steps::<<Avx2 as Machine>::Wide>(cells, words, contexts, weigher) }
}

/// # Safety
/// As [`Kernel::steps`].
unsafe fn portable(cells: &[Cell], words: &Table, contexts: &Table, weigher: Weigher) -> f64 {
    // SAFETY: the caller's promises.
    unsafe { steps::<<Portable as Machine>::Wide>(cells, words, contexts, weigher) }
}

/// # Safety
/// As [`Kernel::steps`]; the processor has the instructions of `L`.
#[inline(always)]
unsafe fn steps<L: Lanes>(cells: &[Cell], words: &Table, contexts: &Table, weigher: Weigher) -> f64 {
    let length = words.length();
    let mut loss = 0.0;
    for (at, cell) in cells.iter().enumerate() {
        let later = cells.get(at + AHEAD).unwrap_or(cell);
        let next = [words.row(later.row), contexts.row(later.column)];
        let (target, weight) = weigher.of(cell.value);
        // SAFETY: rows are of the tables, and of twice `length` numbers, a multiple of 16.
        unsafe {
            let (word, context) = (words.row(cell.row), contexts.row(cell.column));
            let error = product::<L>(word, context, next, length) - target;
            loss += 0.5 * f64::from(weight) * f64::from(error) * f64::from(error);
            update::<L>(word, context, weight * error * weigher.rate, length);
        }
    }
    loss
}

/// Cells between asking for rows and using them.
const AHEAD: usize = 4;

/// The product of two rows. Asks for the `next` rows, each with its sums, meanwhile.
///
/// # Safety
/// `length` numbers are readable at both, a multiple of 16, and the processor has the instructions.
#[inline(always)]
unsafe fn product<L: Lanes>(word: *const f32, context: *const f32, next: [*mut f32; 2], length: usize) -> f32 {
    // SAFETY: the caller's promises.
    unsafe {
        let zero = L::splat(0.0);
        let mut sums = [zero; 8];
        for start in (0..length).step_by(16) {
            for row in next {
                prefetch_at(row.wrapping_add(start));
                prefetch_at(row.wrapping_add(length + start));
            }
            for (lane, at) in (start..start + 16).step_by(L::COUNT).enumerate() {
                let lane = (lane + start / 16 * (16 / L::COUNT)) % 4;
                sums[lane] = L::load(word.add(at)).mul_add(L::load(context.add(at)), sums[lane]);
            }
        }
        let mut parts = [0.0; 8];
        L::store_sums(sums, parts.as_mut_ptr());
        (parts[0] + parts[1]) + (parts[2] + parts[3])
    }
}

/// Moves both rows against their gradients, `slope` times the other row, each number divided by the root of its sum of
/// squares, and adds to the sums.
///
/// # Safety
/// Twice `length` numbers are readable and writable at both, `length` is a multiple of 16, and the processor has the
/// instructions.
#[inline(always)]
unsafe fn update<L: Lanes>(word: *mut f32, context: *mut f32, slope: f32, length: usize) {
    // SAFETY: the caller's promises.
    unsafe {
        let (zero, down) = (L::splat(0.0), L::splat(-slope));
        for at in (0..length).step_by(L::COUNT) {
            let (w, c) = (L::load(word.add(at)), L::load(context.add(at)));
            for (row, old, other) in [(word, w, c), (context, c, w)] {
                let sums = row.add(length + at);
                let (step, squares) = (down.mul_add(other, zero), L::load(sums));
                step.mul_add(squares.inverse_root(), old).store(row.add(at));
                step.mul_add(step, squares).store(sums);
            }
        }
    }
}
