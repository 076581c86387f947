//! Registers of AVX-512 for rows; pairs are worked on with AVX2, which such processors have too.

use std::arch::x86_64::*;

use super::{Lanes, Machine};

/// A processor with AVX-512 F, AVX2 and FMA.
pub(in crate::embed) struct Avx512;

impl Machine for Avx512 {
    type Wide = __m512;
    type Eight = __m256;
}

impl Lanes for __m512 {
    const COUNT: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller says that the numbers are readable and that the processor has AVX-512 F.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller says that the numbers are writable and that the processor has AVX-512 F.
        unsafe { _mm512_storeu_ps(to, self) }
    }

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the caller says that the processor has AVX-512 F.
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self {
        // SAFETY: the caller says that the processor has AVX-512 F.
        unsafe { _mm512_fmadd_ps(self, factor, addend) }
    }

    #[inline(always)]
    unsafe fn inverse_root(self) -> Self {
        // SAFETY: the caller says that the processor has AVX-512 F.
        unsafe {
            // 14 bits of the instruction, doubled by a step of Newton's method.
            let root = _mm512_rsqrt14_ps(self);
            let half = _mm512_mul_ps(_mm512_mul_ps(self, _mm512_set1_ps(0.5)), root);
            _mm512_mul_ps(root, _mm512_fnmadd_ps(half, root, _mm512_set1_ps(1.5)))
        }
    }

    #[inline(always)]
    unsafe fn store_sums([a, b, c, d, e, f, g, h]: [Self; 8], to: *mut f32) {
        // SAFETY: the caller says that the processor has AVX-512 F and AVX, and that eight numbers are writable.
        unsafe {
            let low = [halves_added(a), halves_added(b), halves_added(c), halves_added(d)];
            let high = [halves_added(e), halves_added(f), halves_added(g), halves_added(h)];
            let [[a, b, c, d], [e, f, g, h]] = [low, high];
            __m256::store_sums([a, b, c, d, e, f, g, h], to);
        }
    }
}

/// # Safety
/// The processor has AVX-512 F.
#[inline(always)]
unsafe fn halves_added(register: __m512) -> __m256 {
    // SAFETY: the caller says that the processor has AVX-512 F.
    unsafe {
        let high = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(register));
        _mm256_add_ps(_mm512_castps512_ps256(register), _mm256_castpd_ps(high))
    }
}
