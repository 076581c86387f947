//! Registers as arrays, which any processor has; the compiler uses what vectors the target is sure to have.

use std::array::from_fn;

use super::{Eight, Lanes, Machine};

/// Any processor.
pub(in crate::embed) struct Portable;

impl Machine for Portable {
    type Wide = [f32; 8];
    type Eight = [f32; 8];
}

impl Lanes for [f32; 8] {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller says that eight numbers are there; no alignment beyond theirs is asked for.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: as in `load`.
        unsafe { to.cast::<Self>().write_unaligned(self) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        [value; 8]
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self {
        // Not `f32::mul_add`: without the instruction that is a call.
        from_fn(|i| self[i] * factor[i] + addend[i])
    }

    #[inline(always)]
    unsafe fn inverse_root(self) -> Self {
        self.map(|x| 1.0 / x.sqrt())
    }

    #[inline(always)]
    unsafe fn store_sums(registers: [Self; 8], to: *mut f32) {
        let sums: Self = from_fn(|n| {
            let [a, b, c, d, e, f, g, h] = registers[n];
            ((a + b) + (c + d)) + ((e + f) + (g + h))
        });
        // SAFETY: the caller says that eight numbers are writable.
        unsafe { sums.store(to) }
    }
}

impl Eight for [f32; 8] {
    type Whole = [i32; 8];

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        from_fn(|i| self[i] * other[i])
    }

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        from_fn(|i| self[i] - other[i])
    }

    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        from_fn(|i| self[i] / other[i])
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        from_fn(|i| if self[i] < other[i] { self[i] } else { other[i] })
    }

    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        from_fn(|i| if self[i] > other[i] { self[i] } else { other[i] })
    }

    #[inline(always)]
    unsafe fn round_and_power(self) -> (Self, Self) {
        // Adding and subtracting 1.5 * 2^23 rounds to whole numbers, ties to even, as the processors' instructions do.
        let rounded = self.map(|x| (x + 12_582_912.0) - 12_582_912.0);
        (rounded, rounded.map(|x| f32::from_bits(((x as i32 + 127) as u32) << 23)))
    }

    #[inline(always)]
    unsafe fn split(self, exponents: Self::Whole) -> (Self, Self::Whole) {
        let bits = self.map(f32::to_bits);
        let exponents = from_fn(|i| exponents[i].wrapping_add((bits[i] >> 23) as i32 - 127));
        (bits.map(|bits| f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000)), exponents)
    }

    #[inline(always)]
    unsafe fn load_whole(from: &[i32; 8]) -> Self::Whole {
        *from
    }

    #[inline(always)]
    unsafe fn store_whole(whole: Self::Whole, to: &mut [i32; 8]) {
        *to = whole;
    }
}
