//! Masks by registers of 32 bytes.

use std::arch::x86_64::*;

use super::masks::{BLOCK, Machine};

/// A processor with AVX2, and a block in two of its registers.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i, __m256i);

impl Machine for Avx2 {
    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        let at = block.as_ptr();
        // SAFETY: the block has 64 bytes; loads need no alignment, and the caller says that the processor has AVX2.
        unsafe { Avx2(_mm256_loadu_si256(at.cast()), _mm256_loadu_si256(at.add(32).cast())) }
    }

    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let byte = _mm256_set1_epi8(byte as i8);
            gathered(_mm256_cmpeq_epi8(self.0, byte), _mm256_cmpeq_epi8(self.1, byte))
        }
    }

    #[inline(always)]
    unsafe fn below(self, limit: u8) -> u64 {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let limit = _mm256_set1_epi8(limit as i8);
            gathered(_mm256_cmpgt_epi8(limit, self.0), _mm256_cmpgt_epi8(limit, self.1))
        }
    }
}

/// The highest bits of all bytes.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn gathered(low: __m256i, high: __m256i) -> u64 {
    // SAFETY: the caller says that the processor has AVX2.
    let (low, high) = unsafe { (_mm256_movemask_epi8(low), _mm256_movemask_epi8(high)) };
    u64::from(low as u32) | u64::from(high as u32) << 32
}
