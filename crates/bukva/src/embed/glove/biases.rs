//! Biases for vectors that are there: files keep vectors only.

use super::cells::Cell;
use super::kernel::Weigher;
use super::tables::Table;

/// Turns of fitting words, then contexts. The loss falls with each; after a few it hardly does.
const TURNS: usize = 3;

/// Sets the biases to about those with the least loss, vectors left as they are: by turns those of words and of
/// contexts, each time the weighted mean of what is left. O(cells · dim).
pub(super) fn fit(cells: &[Cell], words: &mut Table, contexts: &mut Table, rows: usize, weigher: Weigher) {
    let left: Vec<f32> = cells.iter().map(|cell| left(cell, words, contexts, weigher)).collect();
    let (mut of_words, mut of_contexts) = (vec![0.0; rows], vec![0.0; rows]);
    for _ in 0..TURNS {
        let means = means(cells, &left, &of_contexts, weigher, |cell| (cell.row, cell.column));
        of_words = means;
        let means = self::means(cells, &left, &of_words, weigher, |cell| (cell.column, cell.row));
        of_contexts = means;
    }
    for row in 0..rows {
        *words.bias_mut(row as u32) = of_words[row] as f32;
        *contexts.bias_mut(row as u32) = of_contexts[row] as f32;
    }
}

/// ln x - w·c.
fn left(cell: &Cell, words: &mut Table, contexts: &mut Table, weigher: Weigher) -> f32 {
    let product: f32 = words.vector(cell.row).iter().zip(&*contexts.vector(cell.column)).map(|(w, c)| w * c).sum();
    weigher.of(cell.value).0 - product
}

/// For each own row the weighted mean of what is left without the biases of the `others`; 0 where there is no cell.
fn means(
    cells: &[Cell],
    left: &[f32],
    others: &[f64],
    weigher: Weigher,
    places: impl Fn(&Cell) -> (u32, u32),
) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); others.len()];
    for (cell, &left) in cells.iter().zip(left) {
        let (own, other) = places(cell);
        let weight = f64::from(weigher.of(cell.value).1);
        let sum: &mut (f64, f64) = &mut sums[own as usize];
        *sum = (sum.0 + weight * (f64::from(left) - others[other as usize]), sum.1 + weight);
    }
    sums.iter().map(|&(sum, weight)| if weight > 0.0 { sum / weight } else { 0.0 }).collect()
}
