//! Registers of AVX2 with FMA.

use std::arch::x86_64::*;

use super::{Eight, Lanes, Machine};

/// A processor with AVX2 and FMA.
pub(in crate::embed) struct Avx2;

impl Machine for Avx2 {
    type Wide = __m256;
    type Eight = __m256;
}

impl Lanes for __m256 {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller says that the numbers are readable and that the processor has AVX.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller says that the numbers are writable and that the processor has AVX.
        unsafe { _mm256_storeu_ps(to, self) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller says that the processor has AVX.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self {
        // SAFETY: the caller says that the processor has FMA.
        unsafe { _mm256_fmadd_ps(self, factor, addend) }
    }

    #[inline(always)]
    unsafe fn inverse_root(self) -> Self {
        // SAFETY: the caller says that the processor has AVX and FMA.
        unsafe {
            // 12 bits of the instruction, doubled by a step of Newton's method.
            let root = _mm256_rsqrt_ps(self);
            let half = _mm256_mul_ps(_mm256_mul_ps(self, _mm256_set1_ps(0.5)), root);
            _mm256_mul_ps(root, _mm256_fnmadd_ps(half, root, _mm256_set1_ps(1.5)))
        }
    }

    #[inline(always)]
    unsafe fn store_sums([a, b, c, d, e, f, g, h]: [Self; 8], to: *mut f32) {
        // SAFETY: the caller says that the processor has AVX and that eight numbers are writable.
        unsafe {
            let low = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
            let high = _mm256_hadd_ps(_mm256_hadd_ps(e, f), _mm256_hadd_ps(g, h));
            let crossed = _mm256_permute2f128_ps::<0x21>(low, high);
            let straight = _mm256_blend_ps::<0xf0>(low, high);
            _mm256_storeu_ps(to, _mm256_add_ps(crossed, straight));
        }
    }
}

impl Eight for __m256 {
    type Whole = __m256i;

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        // SAFETY: the caller says that the processor has AVX.
        unsafe { _mm256_mul_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        // SAFETY: the caller says that the processor has AVX.
        unsafe { _mm256_sub_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        // SAFETY: the caller says that the processor has AVX.
        unsafe { _mm256_div_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: the caller says that the processor has AVX.
        unsafe { _mm256_min_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the caller says that the processor has AVX.
        unsafe { _mm256_max_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn round_and_power(self) -> (Self, Self) {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let whole = _mm256_cvtps_epi32(self);
            let power = _mm256_slli_epi32::<23>(_mm256_add_epi32(whole, _mm256_set1_epi32(127)));
            (_mm256_cvtepi32_ps(whole), _mm256_castsi256_ps(power))
        }
    }

    #[inline(always)]
    unsafe fn split(self, exponents: Self::Whole) -> (Self, Self::Whole) {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let bits = _mm256_castps_si256(self);
            let exponent = _mm256_sub_epi32(_mm256_srli_epi32::<23>(bits), _mm256_set1_epi32(127));
            let mantissa = _mm256_and_si256(bits, _mm256_set1_epi32(0x007f_ffff));
            let mantissa = _mm256_or_si256(mantissa, _mm256_set1_epi32(0x3f80_0000));
            (_mm256_castsi256_ps(mantissa), _mm256_add_epi32(exponents, exponent))
        }
    }

    #[inline(always)]
    unsafe fn load_whole(from: &[i32; 8]) -> Self::Whole {
        // SAFETY: eight numbers are readable, and the caller says that the processor has AVX.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn store_whole(whole: Self::Whole, to: &mut [i32; 8]) {
        // SAFETY: eight numbers are writable, and the caller says that the processor has AVX.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), whole) }
    }
}
