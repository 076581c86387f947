//! Scores → gradients and loss, eight at a time.

use super::columns::{Columns, ROW};
use super::loss::Loss;
use super::pairs::Step;
use crate::embed::context::lanes::Eight;

/// 1 / (1 + e^-x), by a polynomial of 2^f with f in [-½, ½]: error below 2e-7 of the value. |x| counts as 80 at most.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(super) unsafe fn sigmoid<E: Eight>(x: E) -> E {
    // SAFETY: the caller says that the processor has the instructions.
    unsafe {
        let x = x.min(E::splat(80.0)).max(E::splat(-80.0));
        let exponent = x.mul(E::splat(-std::f32::consts::LOG2_E));
        let (whole, power) = exponent.round_and_power();
        let f = exponent.sub(whole);
        let mut series = E::splat(COEFFICIENTS[0]);
        for &coefficient in &COEFFICIENTS[1..] {
            series = series.mul_add(f, E::splat(coefficient));
        }
        E::splat(1.0).div(series.mul_add(power, E::splat(1.0)))
    }
}

/// ln(2)^n / n! for n from 6 to 0: the series of 2^f.
const COEFFICIENTS: [f32; 7] =
    [1.540_353e-4, 1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 2.402_265e-1, 6.931_472e-1, 1.0];

/// Turns the scores in `rows` into gradients times the rate, and multiplies the probabilities into `loss`.
///
/// # Safety
/// The processor has the instructions; `rows` are `step.inputs.len()` rows, each as long as the columns of `step`.
#[inline(always)]
pub(super) unsafe fn gradients<E: Eight>(step: &Step<'_>, rows: &mut [f32], loss: &mut Loss) {
    let Columns { signs, weights, most, .. } = step.columns;
    // SAFETY: the places below are inside of `rows` and of the columns, whose lengths are multiples of eight.
    unsafe {
        let (mut mantissas, mut exponents) = (E::load(loss.mantissas.as_ptr()), E::load_whole(&loss.exponents));
        for block in (0..signs.len()).step_by(ROW) {
            let sign = E::load(signs.as_ptr().add(block));
            let weight = E::load(weights.as_ptr().add(block));
            let rate = weight.mul(E::splat(step.rate));
            let count = weight.mul(sign);
            for row in rows.chunks_exact_mut(signs.len()) {
                let scores = row.as_mut_ptr().add(block);
                let probability = sigmoid(E::load(scores).mul(sign));
                E::splat(1.0).sub(probability).mul(rate).store(scores);
                (mantissas, exponents) = probability.max(floor(count, 1)).mul(mantissas).split(exponents);
                for times in 2..=*most {
                    (mantissas, exponents) = probability.max(floor(count, times)).mul(mantissas).split(exponents);
                }
            }
        }
        mantissas.store(loss.mantissas.as_mut_ptr());
        E::store_whole(exponents, &mut loss.exponents);
    }
}

/// What the factors of the loss are not below: 1 for a column that counts less than `times`, so that it does not count.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
unsafe fn floor<E: Eight>(count: E, times: u32) -> E {
    // SAFETY: the caller says that the processor has the instructions.
    unsafe { E::splat(times as f32).sub(count).min(E::splat(1.0)).max(E::splat(f32::MIN_POSITIVE)) }
}
