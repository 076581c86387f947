use proptest::prelude::*;

use super::columns::Columns;
use super::loss::Loss;
use super::{Kernel, Scratch, Step, plain};
use crate::embed::context::matrix::Matrix;
use crate::embed::context::random::Random;

/// Rows of random numbers up to `scale` in size.
fn random_rows(rows: usize, dim: usize, scale: f32, seed: u64) -> Vec<Vec<f32>> {
    let mut random = Random::new(seed, &[]);
    (0..rows).map(|_| (0..dim).map(|_| (random.unit() * 2.0 - 1.0) * scale).collect()).collect()
}

fn matrix(rows: &[Vec<f32>]) -> Matrix {
    let mut matrix = Matrix::zeros(rows.len(), rows[0].len()).unwrap();
    for (number, row) in rows.iter().enumerate() {
        matrix.row_mut(number as u32).copy_from_slice(row);
    }
    matrix
}

fn run(kernel: Kernel, inputs: &Matrix, outputs: &Matrix, columns: &Columns, rate: f32) -> f64 {
    let rows = |matrix: &Matrix| (0..matrix.rows() as u32).map(|row| matrix.row(row)).collect::<Vec<_>>();
    let (x, y) = (rows(inputs), rows(outputs));
    let (mut scratch, mut loss) = (Scratch::default(), Loss::default());
    let step = Step { inputs: &x, may_repeat: false, outputs: &y, next: &y, columns, rate, dim: inputs.dim() };
    // SAFETY: rows are of the matrices, and nobody else has them.
    unsafe { kernel.step(&step, &mut scratch, &mut loss) };
    loss.take()
}

fn wide(rows: &[Vec<f32>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.iter().copied().map(f64::from).collect()).collect()
}

fn assert_close(name: &str, got: &[f32], expected: &[Vec<f64>]) {
    for (number, (got, expected)) in got.iter().zip(expected.concat()).enumerate() {
        let error = (f64::from(*got) - expected).abs();
        assert!(error <= 2e-5 * expected.abs().max(1.0), "{name}: number {number} is {got}, expected {expected}");
    }
}

proptest! {
    #[test]
    fn every_kernel_does_what_the_definition_says(
        inputs in 1usize..12,
        right in proptest::collection::vec((any::<bool>(), 0usize..4), 1..20),
        dim in 1usize..70,
        scale in prop::sample::select(vec![0.1f32, 0.5, 1.0]),
        seed in any::<u64>(),
    ) {
        let mut columns = Columns::with_capacity(right.len());
        for (column, &(is_right, repeats)) in right.iter().enumerate() {
            columns.push(is_right);
            (0..repeats).for_each(|_| columns.repeat(column));
        }
        let (x, y) = (random_rows(inputs, dim, scale, seed), random_rows(right.len(), dim, scale, !seed));
        let (mut expected_x, mut expected_y) = (wide(&x), wide(&y));
        let expected = plain::step(&mut expected_x, &mut expected_y, &columns, 0.05);
        for kernel in Kernel::all() {
            let (got_x, got_y) = (matrix(&x), matrix(&y));
            let loss = run(kernel, &got_x, &got_y, &columns, 0.05);
            assert_close(kernel.name, &got_x.into_vec(), &expected_x);
            assert_close(kernel.name, &got_y.into_vec(), &expected_y);
            prop_assert!((loss - expected).abs() < 1e-4 * expected.max(1.0), "{}: {loss}, {expected}", kernel.name);
        }
    }
}

#[test]
fn padding_stays_zero() {
    for kernel in Kernel::all() {
        let (x, y) = (matrix(&random_rows(3, 5, 1.0, 1)), matrix(&random_rows(8, 5, 1.0, 2)));
        let mut columns = Columns::with_capacity(8);
        (0..8).for_each(|column| columns.push(column == 0));
        run(kernel, &x, &y, &columns, 0.5);
        for row in (0..3).map(|row| x.row(row)).chain((0..8).map(|row| y.row(row))) {
            // SAFETY: rows are padded to 16 numbers, and nobody else has them.
            let padding = (5..16).map(|at| unsafe { *row.add(at) });
            assert!(padding.into_iter().all(|number| number == 0.0), "{}", kernel.name);
        }
    }
}

#[test]
fn extreme_scores_have_a_finite_loss() {
    for kernel in Kernel::all() {
        let (x, y) = (matrix(&[vec![1e4; 4]]), matrix(&[vec![-1e4; 4], vec![1e4; 4]]));
        let mut columns = Columns::with_capacity(2);
        columns.push(true);
        columns.push(false);
        let loss = run(kernel, &x, &y, &columns, 0.01);
        assert!((loss - 160.0).abs() < 0.1, "{}: {loss}", kernel.name);
    }
}

#[test]
fn a_context_that_comes_twice_gets_both_updates() {
    let (x, y) = (random_rows(1, 20, 0.5, 3), random_rows(6, 20, 0.5, 4));
    let mut columns = Columns::with_capacity(6);
    (0..6).for_each(|column| columns.push(column == 0));
    let (mut once_x, mut once_y) = (wide(&x), wide(&y));
    plain::step(&mut once_x, &mut once_y, &columns, 0.3);
    let twice = |once: &[Vec<f64>], old: &[Vec<f32>]| {
        let more = |(new, old): (&f64, &f64)| 2.0 * new - old;
        vec![once.concat().iter().zip(&wide(old).concat()).map(more).collect::<Vec<f64>>()]
    };
    for kernel in Kernel::all() {
        let (inputs, outputs) = (matrix(&x), matrix(&y));
        let (rows, y_rows) = ([inputs.row(0); 2], (0..6).map(|row| outputs.row(row)).collect::<Vec<_>>());
        let (mut scratch, mut loss) = (Scratch::default(), Loss::default());
        let step = Step {
            inputs: &rows,
            may_repeat: true,
            outputs: &y_rows,
            next: &[],
            columns: &columns,
            rate: 0.3,
            dim: 20,
        };
        // SAFETY: rows are of the matrices, and nobody else has them.
        unsafe { kernel.step(&step, &mut scratch, &mut loss) };
        assert_close(kernel.name, &inputs.into_vec(), &twice(&once_x, &x));
        assert_close(kernel.name, &outputs.into_vec(), &twice(&once_y, &y));
    }
}

#[test]
fn the_mean_of_inputs_is_one_input() {
    let (x, y) = (random_rows(4, 37, 0.5, 5), random_rows(8, 37, 0.5, 6));
    let mut columns = Columns::with_capacity(8);
    (0..8).for_each(|column| columns.push(column == 0));
    let mean: Vec<f64> = (0..37).map(|at| wide(&x).iter().map(|row| row[at]).sum::<f64>() / 4.0).collect();
    let (mut moved, mut expected_y) = (vec![mean.clone()], wide(&y));
    let expected_loss = plain::step(&mut moved, &mut expected_y, &columns, 0.3);
    let difference: Vec<f64> = moved[0].iter().zip(&mean).map(|(new, old)| new - old).collect();
    let expected_x: Vec<Vec<f64>> =
        wide(&x).iter().map(|row| row.iter().zip(&difference).map(|(number, more)| number + more).collect()).collect();
    for kernel in Kernel::all() {
        let (inputs, outputs) = (matrix(&x), matrix(&y));
        let rows = |matrix: &Matrix| (0..matrix.rows() as u32).map(|row| matrix.row(row)).collect::<Vec<_>>();
        let (x_rows, y_rows) = (rows(&inputs), rows(&outputs));
        let (mut scratch, mut loss) = (Scratch::default(), Loss::default());
        let step = Step {
            inputs: &x_rows,
            may_repeat: true,
            outputs: &y_rows,
            next: &[],
            columns: &columns,
            rate: 0.3,
            dim: 37,
        };
        // SAFETY: rows are of the matrices, and nobody else has them.
        unsafe { kernel.step_of_mean(&step, &mut scratch, &mut loss) };
        assert_close(kernel.name, &inputs.into_vec(), &expected_x);
        assert_close(kernel.name, &outputs.into_vec(), &expected_y);
        assert!((loss.take() - expected_loss).abs() < 1e-4);
    }
}
