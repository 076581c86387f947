//! Scores as the `tokenizers` library has them after reading its file.
//!
//! It reads numbers with the default of `serde_json`, which takes the digits as one whole number and scales it by a
//! power of ten: of 16 or 17 digits, the last bit is often another than that of the nearest number. Sums of such scores
//! decide between paths that are equal otherwise, so the model has to add up the same numbers. Found on XLNet's file,
//! where 8,341 of 32,000 scores are read so.

/// The number that the library has where its file says `score` in the fewest digits. O(1).
pub(super) fn as_read(score: f64) -> f64 {
    let text = format!("{:e}", score.abs());
    let Some((digits, exponent)) = text.split_once('e') else { return score };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (Ok(number), Ok(exponent)) = (format!("{whole}{fraction}").parse::<u64>(), exponent.parse::<i32>()) else {
        return score;
    };
    let read = scaled(number as f64, exponent - fraction.len() as i32);
    if score.is_sign_negative() { -read } else { read }
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

fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::as_read;

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
