//! Scores as the `tokenizers` library has them after reading its file.
//!
//! It reads numbers with the default of `serde_json`, which takes the digits as one whole number and scales it by a
//! power of ten: of 16 or 17 digits, the last bit is often another than that of the nearest number. Sums of such scores
//! decide between paths that are equal otherwise, so the model has to add up the same numbers. Found on XLNet's file,
//! where 8,341 of 32,000 scores are read so.

/// The number that the library has where its file says `score` in the fewest digits. O(1).
pub(super) fn as_read(score: f64) -> f64 {
    if !score.is_finite() {
        return score;
    }
    let (digits, exponent) = decimal(score.abs());
    let read = scaled(digits as f64, exponent);
    if score.is_sign_negative() { -read } else { read }
}

/// The fewest digits that tell a number from every other, as a whole number, and the power of ten to scale it by.
fn decimal(number: f64) -> (u64, i32) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number);
    let (text, power) = text.split_once('e').unwrap_or((text, "0"));
    let (mut digits, mut behind_point, mut exponent) = (0, 0, power.parse().unwrap_or(0));
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                exponent -= behind_point;
            }
            _ => behind_point = 1,
        }
    }
    if digits == 0 { (0, 0) } else { without_zeros(digits, exponent) }
}

fn without_zeros(mut digits: u64, mut exponent: i32) -> (u64, i32) {
    while digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (digits, exponent)
}

/// `number` × 10^`exponent`, each step rounded; the power is the nearest number to it.
fn scaled(mut number: f64, mut exponent: i32) -> f64 {
    const HIGHEST: i32 = 308;
    while exponent < -HIGHEST {
        number /= power(HIGHEST);
        exponent += HIGHEST;
    }
    if exponent < 0 { number / power(-exponent) } else { number * power(exponent) }
}

/// 10^`exponent`, from 0 on.
fn power(exponent: i32) -> f64 {
    /// Exact.
    const SMALL: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ];
    let small = SMALL.get(exponent as usize).copied();
    small.unwrap_or_else(|| format!("1e{exponent}").parse().unwrap_or(f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{as_read, decimal};

    proptest! {
        #[test]
        fn digits_are_the_fewest(bits in any::<u64>(), score in -40.0_f32..0.0) {
            for number in [f64::from_bits(bits >> 1), f64::from(score).abs()] {
                prop_assume!(number.is_finite());
                let (digits, exponent) = decimal(number);
                prop_assert_eq!(format!("{digits}e{exponent}").parse(), Ok(number));
                let text = format!("{number:e}");
                let fewest = text.split_once('e').unwrap().0.replace('.', "");
                prop_assert_eq!(digits.to_string().len(), fewest.len());
            }
        }
    }

    /// As Python and `serde_json` write it; the standard library of Rust would write 3 at the end.
    #[test]
    fn between_two_texts_the_even_one_is_meant() {
        assert_eq!(decimal(f64::from(9.529373_f32)), (9_529_373_168_945_312, -15));
    }

    #[test]
    fn the_last_bit_is_that_of_the_library() {
        // Asked of tokenizers 0.23.3, by the sums that decide "X***" with XLNet's file.
        assert_eq!(as_read(-9.514063835144043), -9.514063835144045);
        assert_eq!(as_read(-11.409975051879883), -11.409975051879885);
        assert_eq!(as_read(-10.728899002075195), -10.728899002075195);
    }

    #[test]
    fn few_digits_are_read_as_they_are() {
        for score in [0.0, -0.0, -1.0, 2.5, -1e-9, 1e22, -123456.789, 5e-324, f64::MAX, f64::MIN_POSITIVE] {
            assert_eq!(as_read(score), score, "{score:e}");
        }
        assert!(as_read(f64::NEG_INFINITY) == f64::NEG_INFINITY);
    }
}
