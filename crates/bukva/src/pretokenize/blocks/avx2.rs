//! Masks by registers of 32 bytes.
//!
//! No closures here: what they hold is compiled without the instructions, and is not inlined.

use std::arch::x86_64::*;

use super::masks::{Ascii, BLOCK, COLLECTED, Machine};

/// A processor with AVX2.
pub(super) struct Avx2;

/// A block in two registers.
#[derive(Clone, Copy)]
struct Pair(__m256i, __m256i);

impl Machine for Avx2 {
    #[inline(always)]
    unsafe fn ascii(block: &[u8; BLOCK]) -> Ascii {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let pair = Pair::load(block);
            let blank = pair.equal(b' ');
            Ascii {
                upper: pair.between(b'A', b'Z'),
                lower: pair.between(b'a', b'z'),
                digit: pair.between(b'0', b'9'),
                space: pair.between(b'\t', b'\r') | blank,
                newline: pair.equal(b'\n') | pair.equal(b'\r'),
                blank,
                apostrophe: pair.equal(b'\''),
                slash: pair.equal(b'/'),
                beyond: pair.mask(),
                continuation: pair.below(-64),
            }
        }
    }

    #[inline(always)]
    unsafe fn collect(flags: &[u8; BLOCK]) -> [u64; COLLECTED.len()] {
        let mut masks = [0; COLLECTED.len()];
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let pair = Pair::load(flags);
            for (mask, flag) in masks.iter_mut().zip(COLLECTED) {
                *mask = pair.shifted(7 - flag.bits().trailing_zeros()).mask();
            }
        }
        masks
    }
}

impl Pair {
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        let at = block.as_ptr();
        // SAFETY: the block has 64 bytes; loads need no alignment, and the caller says that the processor has AVX2.
        unsafe { Pair(_mm256_loadu_si256(at.cast()), _mm256_loadu_si256(at.add(32).cast())) }
    }

    /// The highest bits of all bytes.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn mask(self) -> u64 {
        // SAFETY: the caller says that the processor has AVX2.
        let (low, high) = unsafe { (_mm256_movemask_epi8(self.0), _mm256_movemask_epi8(self.1)) };
        u64::from(low as u32) | u64::from(high as u32) << 32
    }

    /// Every byte `count` bits to the left; what leaves a byte enters the one above, below its highest bit.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn shifted(self, count: u32) -> Self {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let count = _mm_cvtsi32_si128(count as i32);
            Pair(_mm256_sll_epi16(self.0, count), _mm256_sll_epi16(self.1, count))
        }
    }

    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn equal(self, byte: u8) -> u64 {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let byte = _mm256_set1_epi8(byte as i8);
            Pair(_mm256_cmpeq_epi8(self.0, byte), _mm256_cmpeq_epi8(self.1, byte)).mask()
        }
    }

    /// Bytes below `limit`, as signed numbers.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn below(self, limit: i8) -> u64 {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe {
            let limit = _mm256_set1_epi8(limit);
            Pair(_mm256_cmpgt_epi8(limit, self.0), _mm256_cmpgt_epi8(limit, self.1)).mask()
        }
    }

    /// Bytes from `first` to `last`, ASCII both; bytes beyond are negative here.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn between(self, first: u8, last: u8) -> u64 {
        // SAFETY: the caller says that the processor has AVX2.
        unsafe { self.below(last as i8 + 1) & !self.below(first as i8) }
    }
}
