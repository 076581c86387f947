//! A few outputs against all inputs: what stays in registers.

use std::array::from_fn;

use super::columns::ROW;
use crate::embed::context::lanes::Lanes;
use crate::prefetch::prefetch_at;

/// Numbers of pairs: a row for each input, one number for each output of the block.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) start: *mut f32,
    /// From a row to the next.
    pub(super) width: usize,
}

impl Rows {
    /// # Safety
    /// There is such a row.
    #[inline(always)]
    unsafe fn row(self, input: usize) -> *mut f32 {
        // SAFETY: the caller says so.
        unsafe { self.start.add(input * self.width) }
    }
}

/// Calls a kernel for the number of outputs that it is compiled for.
macro_rules! for_width {
    ($outputs:expr, $kernel:ident::<$($generic:ident),+>($($argument:expr),+)) => {
        match $outputs.len() {
            0 => {}
            1 => $kernel::<$($generic),+, 1>($($argument),+),
            2 => $kernel::<$($generic),+, 2>($($argument),+),
            3 => $kernel::<$($generic),+, 3>($($argument),+),
            4 => $kernel::<$($generic),+, 4>($($argument),+),
            5 => $kernel::<$($generic),+, 5>($($argument),+),
            _ => $kernel::<$($generic),+, 6>($($argument),+),
        }
    };
}

/// Writes the scores of all inputs and up to [`super::columns::BLOCK`] outputs, and asks for the rows of `next`.
///
/// # Safety
/// The processor has the instructions; rows are readable for `length` numbers, a multiple of `L::COUNT`; `rows` has
/// a row of [`ROW`] numbers for each input.
#[inline(always)]
pub(super) unsafe fn scores<L: Lanes>(
    inputs: &[*mut f32],
    outputs: &[*mut f32],
    next: &[*mut f32],
    rows: Rows,
    length: usize,
) {
    // SAFETY: the caller's promises.
    unsafe { for_width!(outputs, scores_of::<L>(inputs, outputs, next, rows, length)) }
}

/// Two inputs at a time, so that each output is loaded half as often.
///
/// # Safety
/// As [`scores`]; there are `N` outputs at least.
#[inline(always)]
unsafe fn scores_of<L: Lanes, const N: usize>(
    inputs: &[*mut f32],
    outputs: &[*mut f32],
    next: &[*mut f32],
    rows: Rows,
    length: usize,
) {
    let outputs: [*const f32; N] = from_fn(|n| outputs[n].cast_const());
    let (mut pairs, mut next) = (inputs.chunks_exact(2), next.iter());
    let mut input = 0;
    // SAFETY: the caller's promises.
    unsafe {
        for pair in &mut pairs {
            let rows = [rows.row(input), rows.row(input + 1)];
            scores_of_some::<L, N, 2>([pair[0], pair[1]], outputs, few(&mut next, outputs[0]), rows, length);
            input += 2;
        }
        if let [last] = pairs.remainder() {
            scores_of_some::<L, N, 1>([*last], outputs, few(&mut next, outputs[0]), [rows.row(input)], length);
        }
        for &row in next {
            (0..length).step_by(LINE).for_each(|at| prefetch_at(row.wrapping_add(at)));
        }
    }
}

/// Numbers of a cache line.
const LINE: usize = 16;

/// Some of the rows to ask for. Few at a time, for a processor waits when it has asked for too many. Where there are no
/// more, a row that is there already takes the place: to ask for it costs nothing.
#[inline(always)]
fn few(next: &mut std::slice::Iter<'_, *mut f32>, there: *const f32) -> [*const f32; 3] {
    from_fn(|_| next.next().map_or(there, |row| row.cast_const()))
}

/// # Safety
/// As [`scores`].
#[inline(always)]
unsafe fn scores_of_some<L: Lanes, const N: usize, const I: usize>(
    inputs: [*mut f32; I],
    outputs: [*const f32; N],
    next: [*const f32; 3],
    rows: [*mut f32; I],
    length: usize,
) {
    // SAFETY: the caller's promises.
    unsafe {
        let mut sums = [[L::splat(0.0); ROW]; I];
        for at in (0..length).step_by(L::COUNT) {
            if at.is_multiple_of(LINE) {
                next.into_iter().for_each(|row| prefetch_at(row.wrapping_add(at)));
            }
            let x: [L; I] = load_all(inputs, at);
            for n in 0..N {
                let y = L::load(outputs[n].add(at));
                for i in 0..I {
                    sums[i][n] = x[i].mul_add(y, sums[i][n]);
                }
            }
        }
        for i in 0..I {
            L::store_sums(sums[i], rows[i]);
        }
    }
}

/// # Safety
/// The processor has the instructions; all are readable at `at`.
#[inline(always)]
unsafe fn load_all<L: Lanes, const I: usize>(inputs: [*mut f32; I], at: usize) -> [L; I] {
    // SAFETY: the caller's promises.
    unsafe {
        let mut loaded = [L::splat(0.0); I];
        for i in 0..I {
            loaded[i] = L::load(inputs[i].add(at));
        }
        loaded
    }
}

/// Adds gradient × output to each input and gradient × input to each output, and asks for the rows of `next`. The outputs
/// take `old` as the inputs, which may be `inputs` itself.
///
/// # Safety
/// As [`scores`], and rows are writable; there are as many `old` as inputs.
#[inline(always)]
pub(super) unsafe fn update<L: Lanes>(
    inputs: &[*mut f32],
    old: &[*mut f32],
    outputs: &[*mut f32],
    next: &[*mut f32],
    rows: Rows,
    length: usize,
) {
    // SAFETY: the caller's promises.
    unsafe { for_width!(outputs, update_of::<L>(inputs, old, outputs, next, rows, length)) }
}

/// # Safety
/// As [`update`]; there are `N` outputs at least.
#[inline(always)]
unsafe fn update_of<L: Lanes, const N: usize>(
    inputs: &[*mut f32],
    old: &[*mut f32],
    outputs: &[*mut f32],
    next: &[*mut f32],
    rows: Rows,
    length: usize,
) {
    let outputs: [*mut f32; N] = from_fn(|n| outputs[n]);
    // SAFETY: the caller's promises.
    unsafe {
        for at in (0..length).step_by(L::COUNT) {
            if at.is_multiple_of(LINE) {
                next.iter().for_each(|row| prefetch_at(row.wrapping_add(at)));
            }
            let y: [L; N] = load_all(outputs, at);
            let mut new = y;
            for (i, (&input, &old)) in inputs.iter().zip(old).enumerate() {
                let (x, gradients) = (L::load(old.add(at)), rows.row(i));
                let mut moved = L::load(input.add(at));
                for n in 0..N {
                    let gradient = L::splat(*gradients.add(n));
                    moved = gradient.mul_add(y[n], moved);
                    new[n] = gradient.mul_add(x, new[n]);
                }
                moved.store(input.add(at));
            }
            for n in 0..N {
                new[n].store(outputs[n].add(at));
            }
        }
    }
}

/// Writes the mean of rows.
///
/// # Safety
/// The processor has the instructions; rows are readable, and `mean` writable, for `length` numbers, a multiple of
/// `L::COUNT`.
#[inline(always)]
pub(super) unsafe fn mean<L: Lanes>(rows: &[*mut f32], mean: *mut f32, length: usize) {
    // SAFETY: the caller's promises.
    unsafe {
        let share = L::splat(1.0 / rows.len() as f32);
        for at in (0..length).step_by(L::COUNT) {
            let mut sum = L::splat(0.0);
            for &row in rows {
                sum = L::load(row.add(at)).mul_add(share, sum);
            }
            sum.store(mean.add(at));
        }
    }
}

/// Adds the difference of two vectors to every row.
///
/// # Safety
/// As [`mean`], and rows are writable.
#[inline(always)]
pub(super) unsafe fn spread<L: Lanes>(rows: &[*mut f32], new: *const f32, old: *const f32, length: usize) {
    // SAFETY: the caller's promises.
    unsafe {
        let (plus, minus) = (L::splat(1.0), L::splat(-1.0));
        for at in (0..length).step_by(L::COUNT) {
            let moved = L::load(old.add(at)).mul_add(minus, L::load(new.add(at)));
            for &row in rows {
                moved.mul_add(plus, L::load(row.add(at))).store(row.add(at));
            }
        }
    }
}
