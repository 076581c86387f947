//! Training vectors takes any text and options: vectors or a typed error. Covers the kernels and the rows they share.
#![no_main]

use bukva::corpus::{Input, Options};
use bukva::embed::context::{Method, Negatives, TrainOptions, Words, read_corpus, train};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, u8, &str)| {
    let (choice, dim, window, negatives, text) = input;
    let texts: Vec<_> = text.split('\n').map(|line| Ok(line.to_owned())).collect();
    let Ok(words) = Words::by_pattern(["whitespace", "words", r"\p{L}+|\p{N}+"][usize::from(choice % 3)], None) else {
        return;
    };
    let inputs = vec![Input::Texts(Box::new(texts.into_iter()))];
    let min_count = u64::from(choice >> 6);
    let Ok(corpus) = read_corpus(inputs, Options::default(), &words, min_count, 1, &mut ()) else { return };
    let rows = corpus.vocabulary.words.len();
    let options = TrainOptions {
        method: if choice & 8 == 0 { Method::SkipGram } else { Method::Cbow },
        sharing: if choice & 16 == 0 { Negatives::Shared } else { Negatives::Independent },
        dim: usize::from(dim % 40) + 1,
        window: u32::from(window % 12) + 1,
        negatives: u32::from(negatives % 20) + 1,
        epochs: 2,
        threads: if choice & 32 == 0 { 1 } else { 2 },
        ..TrainOptions::default()
    };
    let Ok(trained) = train(corpus, None, &options, &mut ()) else { return };
    assert_eq!(trained.inputs.len(), rows * options.dim);
    assert!(trained.losses.iter().all(|&loss| loss.is_finite() && loss >= 0.0));
});
