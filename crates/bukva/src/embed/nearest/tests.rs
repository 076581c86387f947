use proptest::prelude::*;

use super::Codes;
use crate::error::Kind;

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths == 0.0 { 0.0 } else { dot(a, b) / lengths }
}

/// The `k` of greatest cosine, and all that are as good as the last of them.
fn nearest(matrix: &[f32], query: &[f32], k: usize, among: usize, excluded: &[usize]) -> Vec<usize> {
    let rows = matrix.chunks_exact(query.len()).take(among).enumerate();
    let mut scored: Vec<(f64, usize)> =
        rows.filter(|(row, _)| !excluded.contains(row)).map(|(row, numbers)| (cosine(numbers, query), row)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let least = scored.get(k - 1).map_or(f64::NEG_INFINITY, |last| last.0);
    scored.into_iter().filter(|&(score, _)| score >= least).map(|(_, row)| row).collect()
}

proptest! {
    #[test]
    fn no_near_row_is_left_out(
        numbers in prop::collection::vec(-1e3_f32..1e3, 20..600),
        dim in 1_usize..20, k in 1_usize..8, among in 1_usize..40, skipped in 0_usize..30,
    ) {
        let rows = numbers.len() / dim - 1;
        let (matrix, query) = (&numbers[..rows * dim], &numbers[rows * dim..(rows + 1) * dim]);
        let codes = Codes::new(matrix, dim).unwrap();
        let found = codes.candidates(query, k, among, &[skipped]).unwrap();
        for row in nearest(matrix, query, k, among, &[skipped]) {
            prop_assert!(found.contains(&row), "{row} of {found:?}");
        }
        prop_assert!(found.iter().all(|&row| row < rows.min(among) && row != skipped));
        prop_assert!(found.is_sorted());
    }
}

#[test]
fn few_of_many_rows_are_candidates() {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let matrix: Vec<f32> = (0..20_000 * 50).map(|_| random()).collect();
    let codes = Codes::new(&matrix, 50).unwrap();
    let found = codes.candidates(&matrix[..50], 10, usize::MAX, &[0]).unwrap();
    assert!((10..200).contains(&found.len()), "{}", found.len());
    assert_eq!(codes.len(), 20_000);
}

#[test]
fn rows_of_zeros_and_of_any_length_are_compared() {
    let matrix = [0.0, 0.0, 3e-30, 3e-30, 1e30, -1e30, f32::MAX, f32::MAX];
    let codes = Codes::new(&matrix, 2).unwrap();
    assert_eq!(codes.candidates(&[1.0, 1.0], 1, 9, &[]).unwrap(), [1, 3]);
    assert_eq!(codes.candidates(&[1.0, 1.0], 1, 9, &[1, 3]).unwrap(), [0, 2]);
    assert_eq!(codes.candidates(&[1.0, 1.0], 9, 9, &[]).unwrap(), [0, 1, 2, 3]);
}

#[test]
fn sizes_that_do_not_fit_are_named() {
    let error = Codes::new(&[1.0; 5], 2).unwrap_err();
    assert!(error.kind == Kind::Argument && error.message.contains("5 numbers do not make up rows of 2"), "{error}");
    assert!(Codes::new(&[], 0).is_err());
    assert!(Codes::new(&[], 3).unwrap().is_empty());
    let error = Codes::new(&[1.0; 4], 2).unwrap().candidates(&[1.0], 1, 9, &[]).unwrap_err();
    assert_eq!(error.message, "the query has 1 numbers, a row 2");
}
