//! Counting pairs and training on the counts takes any text and options: vectors or a typed error. Covers the kernel of
//! GloVe and the rows its threads share.
#![no_main]

use bukva::corpus::{Input, Options};
use bukva::embed::context::{Words, read_corpus};
use bukva::embed::cooccurrence::{CountOptions, Sides, Weighting, count};
use bukva::embed::glove::{GloveOptions, train};
use bukva::embed::ppmi::{Ppmi, PpmiOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u32, &str)| {
    let (choice, dim, window, text) = input;
    let texts: Vec<_> = text.split('\n').map(|line| Ok(line.to_owned())).collect();
    let Ok(words) = Words::by_pattern("whitespace", None) else { return };
    let inputs = vec![Input::Texts(Box::new(texts.into_iter()))];
    let Ok(corpus) = read_corpus(inputs, Options::default(), &words, 1, 1, &mut ()) else { return };
    let threads = if choice & 32 == 0 { 1 } else { 2 };
    let options = CountOptions {
        window: window.max(1),
        weighting: [Weighting::Harmonic, Weighting::Flat, Weighting::Dynamic][usize::from(choice % 3)],
        sides: [Sides::Both, Sides::Left, Sides::Right][usize::from(choice / 3 % 3)],
        threads,
        memory_limit: Some(1 << 26),
    };
    let Ok(counts) = count(&corpus, &options, &mut ()) else { return };
    assert!(counts.values.iter().all(|&value| value > 0.0));
    let rows = counts.words();
    if let Ok(matrix) = Ppmi::new(counts.clone(), &PpmiOptions::default()) {
        let ones = vec![1.0; rows];
        let (sums, others) = (matrix.times(&ones, 1, threads, &mut ()), matrix.transposed_times(&ones, 1, 1, &mut ()));
        let total = |sums: bukva::Result<Vec<f64>>| sums.map(|sums| sums.iter().sum::<f64>()).unwrap_or(f64::NAN);
        let (total, other) = (total(sums), total(others));
        assert!((total - other).abs() <= 1e-6 * total);
    }
    let options = GloveOptions { dim: usize::from(dim % 40) + 1, epochs: 2, threads, ..GloveOptions::default() };
    let Ok(trained) = train(counts, None, &options, &mut ()) else { return };
    assert_eq!(trained.words.len(), rows * options.dim);
    assert!(trained.losses.iter().all(|&loss| loss.is_finite() && loss >= 0.0));
});
