//! The step by its definition, one number after the other: the oracle of the kernels.

use super::columns::Columns;

/// Does a step on rows that are all different, and gives the loss.
pub(super) fn step(inputs: &mut [Vec<f64>], outputs: &mut [Vec<f64>], columns: &Columns, rate: f64) -> f64 {
    let (old_inputs, old_outputs) = (inputs.to_vec(), outputs.to_vec());
    let mut loss = 0.0;
    for (x, old_x) in inputs.iter_mut().zip(&old_inputs) {
        for (column, (y, old_y)) in outputs.iter_mut().zip(&old_outputs).enumerate() {
            let (sign, count) = (f64::from(columns.sign(column)), f64::from(columns.weight(column)));
            let score: f64 = old_x.iter().zip(old_y).map(|(a, b)| a * b).sum();
            let probability = 1.0 / (1.0 + (-sign * score).exp());
            let gradient = sign * count * (1.0 - probability);
            loss -= count * probability.ln();
            x.iter_mut().zip(old_y).for_each(|(a, b)| *a += rate * gradient * b);
            y.iter_mut().zip(old_x).for_each(|(a, b)| *a += rate * gradient * b);
        }
    }
    loss
}
