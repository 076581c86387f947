use proptest::prelude::*;

use super::cells::{Blocks, Cell};
use super::kernel::{Kernel, Weigher};
use super::tables::{Side, Table};
use super::*;
use crate::embed::context::lanes::{Lanes, Machine, Portable};
use crate::embed::context::random::Random;
use crate::embed::cooccurrence::Cooccurrences;
use crate::error::Kind;

const WEIGHER: Weigher = Weigher { ln_max: 2.0, exponent: 0.75, rate: 0.05 };

/// A matrix with about a third of its cells filled.
fn counts(words: usize, seed: u64) -> Cooccurrences {
    let mut random = Random::new(seed, &[]);
    let mut counts = Cooccurrences { offsets: vec![0], row_sums: vec![0.0; words], ..Cooccurrences::default() };
    for _ in 0..words {
        for column in 0..words as u32 {
            if random.below(3) == 0 {
                counts.columns.push(column);
                counts.values.push(0.5 + 20.0 * random.unit());
            }
        }
        counts.offsets.push(counts.columns.len() as u64);
    }
    counts
}

/// Vectors, biases and sums of both tables, in 64 bits, and the step by its definition.
struct Plain {
    vectors: [Vec<Vec<f64>>; 2],
    biases: [Vec<f64>; 2],
    sums: [Vec<Vec<f64>>; 2],
    bias_sums: [Vec<f64>; 2],
}

impl Plain {
    fn of(tables: [&mut Table; 2], words: usize, dim: usize) -> Self {
        let vectors = tables.map(|table| {
            let vector = |row: usize| table.vector(row as u32).iter().map(|&x| f64::from(x)).collect();
            (0..words).map(vector).collect()
        });
        let ones = || vec![vec![1.0; dim]; words];
        Plain {
            vectors,
            biases: [vec![0.0; words], vec![0.0; words]],
            sums: [ones(), ones()],
            bias_sums: [vec![1.0; words], vec![1.0; words]],
        }
    }

    fn step(&mut self, cell: Cell) -> f64 {
        let places = [cell.row as usize, cell.column as usize];
        let old = [0, 1].map(|side| self.vectors[side][places[side]].clone());
        let product: f64 = old[0].iter().zip(&old[1]).map(|(w, c)| w * c).sum();
        let x = f64::from(cell.value);
        let weight = (x / f64::from(WEIGHER.ln_max).exp()).min(1.0).powf(0.75);
        let error = product + self.biases[0][places[0]] + self.biases[1][places[1]] - x.ln();
        let slope = weight * error * f64::from(WEIGHER.rate);
        let move_one = |number: &mut f64, sum: &mut f64, gradient: f64| {
            *number -= gradient / sum.sqrt();
            *sum += gradient * gradient;
        };
        for side in [0, 1] {
            let (at, other) = (places[side], &old[1 - side]);
            for (n, &other) in other.iter().enumerate() {
                move_one(&mut self.vectors[side][at][n], &mut self.sums[side][at][n], slope * other);
            }
            move_one(&mut self.biases[side][at], &mut self.bias_sums[side][at], slope);
        }
        0.5 * weight * error * error
    }
}

proptest! {
    #[test]
    fn every_kernel_does_what_the_definition_says(words in 1usize..9, dim in 1usize..70, seed in any::<u64>()) {
        let blocks = Blocks::new(&counts(words, seed), seed).unwrap();
        for kernel in Kernel::all() {
            let mut tables = [Side::Words, Side::Contexts].map(|side| Table::new(words, dim, side, seed).unwrap());
            let [w, c] = &mut tables;
            let mut plain = Plain::of([w, c], words, dim);
            for _ in 0..3 {
                // SAFETY: the tables have a row for each word, and nobody else knows them.
                let loss = unsafe { kernel.steps(blocks.cells(), &tables[0], &tables[1], WEIGHER) };
                let expected: f64 = blocks.cells().iter().map(|&cell| plain.step(cell)).sum();
                prop_assert!((loss - expected).abs() <= 1e-5 * expected.max(1.0), "{loss}, expected {expected}");
            }
            for (side, table) in tables.iter_mut().enumerate() {
                for row in 0..words {
                    let bias = f64::from(*table.bias_mut(row as u32));
                    prop_assert!((bias - plain.biases[side][row]).abs() < 1e-4, "{}: bias", kernel.name);
                    for (got, expected) in table.vector(row as u32).iter().zip(&plain.vectors[side][row]) {
                        prop_assert!((f64::from(*got) - expected).abs() < 1e-4, "{}: {got}, {expected}", kernel.name);
                    }
                }
            }
        }
    }

    #[test]
    fn every_cell_is_in_one_block_and_every_epoch_has_all(words in 1usize..200, seed in any::<u64>()) {
        let counts = counts(words, seed);
        let blocks = Blocks::new(&counts, seed).unwrap();
        let mut expected: Vec<(u32, u32)> =
            (0..words).flat_map(|row| counts.row(row).map(move |at| (row as u32, at))).map(|(row, at)| (row, counts.columns[at])).collect();
        expected.sort_unstable();
        let mut orders = Vec::new();
        for epoch in 0..2 {
            let (mut all, mut block) = (Vec::new(), Vec::new());
            for number in blocks.order(epoch) {
                blocks.block(epoch, number, &mut block);
                all.extend(block.iter().map(|cell| (cell.row, cell.column)));
            }
            orders.push(all.clone());
            all.sort_unstable();
            prop_assert_eq!(&all, &expected);
        }
        prop_assert!(expected.len() < 20 || orders[0] != orders[1]);
    }
}

#[test]
fn constants_stay_and_padding_too() {
    let (dim, words) = (5, 4);
    let blocks = Blocks::new(&counts(words, 3), 1).unwrap();
    for kernel in Kernel::all() {
        let tables = [Side::Words, Side::Contexts].map(|side| Table::new(words, dim, side, 2).unwrap());
        for _ in 0..50 {
            // SAFETY: the tables have a row for each word, and nobody else knows them.
            unsafe { kernel.steps(blocks.cells(), &tables[0], &tables[1], WEIGHER) };
        }
        for row in 0..words as u32 {
            for (table, one) in tables.iter().zip([dim + 1, dim]) {
                // SAFETY: inside of the row.
                let row = unsafe { std::slice::from_raw_parts(table.row(row), table.length()) };
                assert_eq!(row[one], 1.0);
                assert!(row[dim + 2..].iter().all(|&number| number == 0.0));
            }
        }
    }
}

#[test]
fn roots_are_near_enough() {
    for x in [1e-30f32, 1e-3, 0.7, 1.0, 3.0, 1e6, 1e30] {
        // SAFETY: any processor has these.
        let root = unsafe { <Portable as Machine>::Wide::splat(x).inverse_root()[0] };
        assert!((root * x.sqrt() - 1.0).abs() < 2.4e-7);
    }
}

#[test]
fn one_thread_gives_the_same_bits_and_the_loss_falls() {
    let options = GloveOptions { dim: 8, epochs: 40, x_max: 10.0, ..GloveOptions::default() };
    let run = |options: &GloveOptions| train(counts(30, 1), None, options, &mut ()).unwrap();
    let first = run(&options);
    assert_eq!(first, run(&options));
    assert_ne!(first.words, run(&GloveOptions { seed: 1, ..options.clone() }).words);
    assert!(first.losses[39] < 0.2 * first.losses[0], "{:?}", first.losses);
    let threads = run(&GloveOptions { threads: 3, ..options.clone() });
    assert!((threads.losses[39] / first.losses[39] - 1.0).abs() < 0.2);
}

#[test]
fn going_on_starts_where_it_was_left() {
    let options = GloveOptions { dim: 8, epochs: 30, x_max: 10.0, ..GloveOptions::default() };
    let first = train(counts(30, 1), None, &options, &mut ()).unwrap();
    let start = GloveStart { known: vec![true; 30], words: first.words, contexts: first.contexts };
    let second = train(counts(30, 1), Some(&start), &options, &mut ()).unwrap();
    assert!(second.losses[0] < first.losses[28], "{:?} after {:?}", second.losses, first.losses);
    let short = GloveStart { known: vec![true; 29], ..start };
    assert_eq!(train(counts(30, 1), Some(&short), &options, &mut ()).unwrap_err().kind, Kind::Argument);
}

#[test]
fn what_cannot_work_is_named() {
    type Change = fn(&mut GloveOptions);
    let cases: [(&str, Change); 6] = [
        ("dim", |options| options.dim = 0),
        ("epochs", |options| options.epochs = 0),
        ("x_max", |options| options.x_max = 0.0),
        ("alpha", |options| options.alpha = f64::NAN),
        ("weight_exponent", |options| options.weight_exponent = -1.0),
        ("threads", |options| options.threads = 0),
    ];
    for (name, change) in cases {
        let mut options = GloveOptions::default();
        change(&mut options);
        let error = train(counts(3, 1), None, &options, &mut ()).unwrap_err();
        assert!(error.kind == Kind::Argument && error.message.contains(&format!("{name:?}")), "{error}");
    }
    let options = GloveOptions { alpha: 1e30, dim: 3, ..GloveOptions::default() };
    assert_eq!(train(counts(9, 1), None, &options, &mut ()).unwrap_err().kind, Kind::Training);
    let empty = Cooccurrences { offsets: vec![0, 0], row_sums: vec![0.0], ..Cooccurrences::default() };
    assert_eq!(train(empty, None, &options, &mut ()).unwrap_err().kind, Kind::Corpus);
    let stop = &mut |_: crate::Progress| false;
    assert_eq!(train(counts(3, 1), None, &GloveOptions::default(), stop).unwrap_err().kind, Kind::Cancelled);
}
