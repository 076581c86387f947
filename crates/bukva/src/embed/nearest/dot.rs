//! Dot products of rows of bytes with one query, by the widest instructions that the processor has.

/// Numbers that rows are padded to a multiple of.
pub(super) const LANES: usize = 16;

/// The dot product of each row with the query, whose length is that of a row, a multiple of [`LANES`]. O(codes).
pub(super) fn dots(codes: &[i8], query: &[i16], out: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function asks for.
        return unsafe { avx2::dots(codes, query, out) };
    }
    for (row, sum) in codes.chunks_exact(query.len()).zip(out) {
        *sum = dot(row, query);
    }
}

fn dot(row: &[i8], query: &[i16]) -> i32 {
    row.iter().zip(query).map(|(&code, &number)| i32::from(code) * i32::from(number)).sum()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Four rows at once: a query is loaded once for them, and their sums are added across together. The plain loop
    /// above multiplies in 32 bits, which takes twice as long.
    #[target_feature(enable = "avx2")]
    pub(super) fn dots(codes: &[i8], query: &[i16], out: &mut [i32]) {
        let width = query.len();
        let mut sums = out.chunks_exact_mut(4);
        for (rows, sums) in codes.chunks_exact(4 * width).zip(&mut sums) {
            four(rows, query, sums);
        }
        let left = sums.into_remainder();
        let rows = codes[codes.len() - left.len() * width..].chunks_exact(width);
        for (row, sum) in rows.zip(left) {
            *sum = super::dot(row, query);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn four(rows: &[i8], query: &[i16], out: &mut [i32]) {
        let width = query.len();
        let mut sums = [_mm256_setzero_si256(); 4];
        for at in (0..width).step_by(LANES) {
            let numbers = load_numbers(&query[at..at + LANES]);
            for (row, sum) in sums.iter_mut().enumerate() {
                let codes = load_codes(&rows[row * width + at..row * width + at + LANES]);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(codes, numbers));
            }
        }
        let pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
        let sum = _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
        for (out, sum) in out.iter_mut().zip(to_array(sum)) {
            *out = sum;
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_numbers(numbers: &[i16]) -> __m256i {
        assert!(numbers.len() == LANES);
        // SAFETY: 16 numbers are 32 bytes, and the load asks for no alignment.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_codes(codes: &[i8]) -> __m256i {
        assert!(codes.len() == LANES);
        // SAFETY: 16 codes are 16 bytes, and the load asks for no alignment.
        _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(codes.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn to_array(sums: __m128i) -> [i32; 4] {
        let high = _mm_unpackhi_epi64(sums, sums);
        [sums, _mm_shuffle_epi32(sums, 1), high, _mm_shuffle_epi32(high, 1)].map(|sum| _mm_cvtsi128_si32(sum))
    }
}
