//! Rows as one vector: their weighted sum, and back to each of them what it learned.

use std::array::from_fn;

#[cfg(target_arch = "x86_64")]
use crate::embed::context::lanes::{Avx2, Avx512};
use crate::embed::context::lanes::{Instructions, Lanes, Machine, Portable};

/// Sums and their reverse, compiled for some processor.
#[derive(Debug, Clone, Copy)]
pub(in crate::embed::context) struct Sums {
    /// The instructions that they are made of.
    #[cfg(test)]
    pub(in crate::embed::context) name: &'static str,
    sum: Sum,
    add: Add,
}

type Sum = unsafe fn(&[*mut f32], &[f32], *mut f32, usize);
type Add = unsafe fn(&[*mut f32], *const f32, *const f32, usize);

macro_rules! compiled {
    ($instructions:expr, $machine:ident $(, $features:literal)?) => {{
        /// # Safety
        /// As [`sum`].
        $(#[target_feature(enable = $features)])?
        unsafe fn sum_here(rows: &[*mut f32], shares: &[f32], to: *mut f32, length: usize) {
            // SAFETY: the caller's promises.
            unsafe { sum::<<$machine as Machine>::Wide>(rows, shares, to, length) }
        }
        /// # Safety
        /// As [`add`].
        $(#[target_feature(enable = $features)])?
        unsafe fn add_here(rows: &[*mut f32], new: *const f32, old: *const f32, length: usize) {
            // SAFETY: the caller's promises.
            unsafe { add::<<$machine as Machine>::Wide>(rows, new, old, length) }
        }
        Sums {
            #[cfg(test)]
            name: $instructions.name(),
            sum: sum_here,
            add: add_here,
        }
    }};
}

impl Sums {
    /// The fastest that this processor has.
    pub(in crate::embed::context) fn best() -> Self {
        Self::all()[0]
    }

    /// All that this processor has, the fastest first.
    pub(in crate::embed::context) fn all() -> Vec<Self> {
        Instructions::all().into_iter().map(Self::of).collect()
    }

    fn of(instructions: Instructions) -> Self {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => compiled!(instructions, Avx512, "avx512f,avx2,fma"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => compiled!(instructions, Avx2, "avx2,fma"),
            Instructions::Portable => compiled!(instructions, Portable),
        }
    }

    /// Writes the sum of rows, each times its share. O(rows · length).
    ///
    /// # Safety
    /// Each row is readable, and `to` writable, for `length` numbers, a multiple of 16. There is a share for each row.
    /// Other threads may write rows meanwhile only as in [`Kernel::step`](super::Kernel::step).
    #[inline]
    pub(in crate::embed::context) unsafe fn sum(self, rows: &[*mut f32], shares: &[f32], to: *mut f32, length: usize) {
        // SAFETY: the processor has the instructions: `all` looked. The rest is the caller's promise.
        unsafe { (self.sum)(rows, shares, to, length) }
    }

    /// Adds the difference of two vectors to every row; as often as it is there. O(rows · length).
    ///
    /// # Safety
    /// As [`Sums::sum`]; rows are writable, `new` and `old` readable, and neither is a row.
    #[inline]
    pub(in crate::embed::context) unsafe fn add(
        self,
        rows: &[*mut f32],
        new: *const f32,
        old: *const f32,
        length: usize,
    ) {
        // SAFETY: as in `sum`.
        unsafe { (self.add)(rows, new, old, length) }
    }
}

/// Calls a kernel for the whole length, with as many registers at a time as there is room for.
macro_rules! in_blocks {
    ($kernel:ident::<$lanes:ident>($length:expr, $($argument:expr),+)) => {{
        let mut at = 0;
        while at + 8 * $lanes::COUNT <= $length {
            $kernel::<$lanes, 8>(at, $($argument),+);
            at += 8 * $lanes::COUNT;
        }
        while at + 2 * $lanes::COUNT <= $length {
            $kernel::<$lanes, 2>(at, $($argument),+);
            at += 2 * $lanes::COUNT;
        }
        while at < $length {
            $kernel::<$lanes, 1>(at, $($argument),+);
            at += $lanes::COUNT;
        }
    }};
}

/// # Safety
/// The processor has the instructions; the rest as [`Sums::sum`].
#[inline(always)]
unsafe fn sum<L: Lanes>(rows: &[*mut f32], shares: &[f32], to: *mut f32, length: usize) {
    // SAFETY: the caller's promises.
    unsafe { in_blocks!(sum_at::<L>(length, rows, shares, to)) }
}

/// # Safety
/// As [`sum`], for `N` registers from `at`.
#[inline(always)]
unsafe fn sum_at<L: Lanes, const N: usize>(at: usize, rows: &[*mut f32], shares: &[f32], to: *mut f32) {
    // SAFETY: the caller's promises.
    unsafe {
        let mut sums = [L::splat(0.0); N];
        for (&row, &share) in rows.iter().zip(shares) {
            let share = L::splat(share);
            for (n, sum) in sums.iter_mut().enumerate() {
                *sum = L::load(row.add(at + n * L::COUNT)).mul_add(share, *sum);
            }
        }
        for (n, sum) in sums.into_iter().enumerate() {
            sum.store(to.add(at + n * L::COUNT));
        }
    }
}

/// # Safety
/// The processor has the instructions; the rest as [`Sums::add`].
#[inline(always)]
unsafe fn add<L: Lanes>(rows: &[*mut f32], new: *const f32, old: *const f32, length: usize) {
    // SAFETY: the caller's promises.
    unsafe { in_blocks!(add_at::<L>(length, rows, new, old)) }
}

/// # Safety
/// As [`add`], for `N` registers from `at`.
#[inline(always)]
unsafe fn add_at<L: Lanes, const N: usize>(at: usize, rows: &[*mut f32], new: *const f32, old: *const f32) {
    // SAFETY: the caller's promises.
    unsafe {
        let (plus, minus) = (L::splat(1.0), L::splat(-1.0));
        let moved: [L; N] = from_fn(|n| {
            let at = at + n * L::COUNT;
            L::load(old.add(at)).mul_add(minus, L::load(new.add(at)))
        });
        for &row in rows {
            for (n, moved) in moved.into_iter().enumerate() {
                let place = row.add(at + n * L::COUNT);
                moved.mul_add(plus, L::load(place)).store(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::context::matrix::Matrix;

    #[test]
    fn every_processor_sums_and_adds_as_the_definition_says() {
        for sums in Sums::all() {
            for dim in [1, 16, 17, 48, 100, 128, 300] {
                let mut matrix = Matrix::zeros(4, dim).unwrap();
                for row in 0..3 {
                    let numbers = (0..dim).map(|at| (row as usize * dim + at) as f32);
                    matrix.row_mut(row).iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
                }
                let before = [0, 1, 2].map(|row| matrix.row_mut(row).to_vec());
                let (rows, length) = ([0, 1, 2, 1].map(|row| matrix.row(row)), dim.next_multiple_of(16));
                let zero = vec![0.0; length];
                // SAFETY: rows are padded to 16 numbers, and nobody else has them.
                unsafe {
                    sums.sum(&rows, &[1.0, 0.5, 2.0, 0.0], matrix.row(3), length);
                    sums.add(&rows, matrix.row(3), zero.as_ptr(), length);
                }
                let sum = matrix.row_mut(3).to_vec();
                for at in 0..dim {
                    let expected = before[0][at] + 0.5 * before[1][at] + 2.0 * before[2][at];
                    assert_eq!(sum[at], expected, "{}, dim {dim}", sums.name);
                    assert_eq!(matrix.row_mut(0)[at], before[0][at] + expected);
                    assert_eq!(matrix.row_mut(1)[at], before[1][at] + 2.0 * expected);
                }
            }
        }
    }
}
