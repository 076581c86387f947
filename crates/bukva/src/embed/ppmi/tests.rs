use proptest::prelude::*;

use super::*;
use crate::embed::context::random::Random;
use crate::embed::cooccurrence::Cooccurrences;
use crate::error::Kind;

/// Counts of a dense matrix.
fn counts(rows: &[Vec<f32>]) -> Cooccurrences {
    let mut counts = Cooccurrences { offsets: vec![0], ..Cooccurrences::default() };
    for row in rows {
        for (column, &value) in row.iter().enumerate().filter(|cell| *cell.1 > 0.0) {
            counts.columns.push(column as u32);
            counts.values.push(value);
        }
        counts.offsets.push(counts.columns.len() as u64);
        counts.row_sums.push(row.iter().map(|&value| f64::from(value)).sum());
    }
    let column_sum = |column: usize| rows.iter().map(|row| f64::from(row[column])).sum();
    counts.column_sums = (0..rows.len()).map(column_sum).collect();
    counts
}

fn random_rows(words: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut random = Random::new(seed, &[]);
    (0..words).map(|_| (0..words).map(|_| random.below(4) as f32 * (random.unit() + 0.1)).collect()).collect()
}

fn dense(matrix: &Ppmi) -> Vec<Vec<f64>> {
    (0..matrix.words())
        .map(|row| {
            let mut numbers = vec![0.0; matrix.words()];
            let (columns, values) = matrix.row(row);
            columns.iter().zip(values).for_each(|(&column, &value)| numbers[column as usize] = f64::from(value));
            numbers
        })
        .collect()
}

proptest! {
    #[test]
    fn cells_are_those_of_the_definition(
        words in 2usize..30,
        seed in any::<u64>(),
        shift in 1.0f64..3.0,
        exponent in 0.0f64..1.5,
    ) {
        let rows = random_rows(words, seed);
        let made = counts(&rows);
        let powers: Vec<f64> = made.column_sums.iter().map(|sum| if *sum > 0.0 { sum.powf(exponent) } else { 0.0 }).collect();
        let total: f64 = powers.iter().sum();
        let sums = made.row_sums.clone();
        match Ppmi::new(made, &PpmiOptions { shift, noise_exponent: exponent }) {
            Err(error) => prop_assert_eq!(error.kind, Kind::Corpus),
            Ok(matrix) => {
                for (row, found) in dense(&matrix).iter().enumerate() {
                    for (column, found) in found.iter().enumerate() {
                        let pmi = (f64::from(rows[row][column]) * total / (sums[row] * powers[column])).ln() - shift.ln();
                        let expected = if rows[row][column] > 0.0 { pmi.max(0.0) } else { 0.0 };
                        prop_assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn products_are_those_of_the_definition(words in 2usize..40, width in 1usize..5, seed in any::<u64>(), size in 1usize..20) {
        let Ok(matrix) = Ppmi::new(counts(&random_rows(words, seed)), &PpmiOptions::default()) else { return Ok(()) };
        let mut random = Random::new(seed, &[1]);
        let other: Vec<f64> = (0..words * width).map(|_| f64::from(random.unit()) - 0.5).collect();
        let all = dense(&matrix);
        let times = matrix.times(&other, width, 3, &mut ()).unwrap();
        let transposed = matrix.transposed_in_parts(&other, width, size, 3, &mut ()).unwrap();
        for row in 0..words {
            for n in 0..width {
                let expected: f64 = (0..words).map(|column| all[row][column] * other[column * width + n]).sum();
                prop_assert!((times[row * width + n] - expected).abs() < 1e-9);
                let expected: f64 = (0..words).map(|column| all[column][row] * other[column * width + n]).sum();
                prop_assert!((transposed[row * width + n] - expected).abs() < 1e-9);
            }
        }
        prop_assert_eq!(times, matrix.times(&other, width, 1, &mut ()).unwrap());
        prop_assert_eq!(transposed, matrix.transposed_times(&other, width, 1, &mut ()).unwrap());
    }
}

#[test]
fn what_cannot_work_is_named() {
    let rows = vec![vec![0.0, 2.0], vec![2.0, 1.0]];
    for (options, name) in [
        (PpmiOptions { shift: 0.5, ..PpmiOptions::default() }, "shift"),
        (PpmiOptions { noise_exponent: f64::NAN, ..PpmiOptions::default() }, "noise_exponent"),
    ] {
        let error = Ppmi::new(counts(&rows), &options).unwrap_err();
        assert!(error.kind == Kind::Argument && error.message.contains(name), "{error}");
    }
    let far = PpmiOptions { shift: 1e9, ..PpmiOptions::default() };
    assert_eq!(Ppmi::new(counts(&rows), &far).unwrap_err().kind, Kind::Corpus);
    let matrix = Ppmi::new(counts(&rows), &PpmiOptions::default()).unwrap();
    assert_eq!(matrix.times(&[1.0; 3], 1, 1, &mut ()).unwrap_err().kind, Kind::Argument);
    assert_eq!(matrix.times(&[], 0, 1, &mut ()).unwrap_err().kind, Kind::Argument);
    assert!(!matrix.is_empty() && matrix.len() == 2 && matrix.squares() > 0.0);
}
