//! Training vectors takes any text and options: vectors or a typed error. Covers the kernels and the rows they share.
#![no_main]

use bukva::corpus::{Input, Options};
use bukva::embed::context::{Corpus, Method, Negatives, TrainOptions, Tree, Words, grow, read_corpus, train};
use bukva::embed::subword::{Hashing, Scheme, WordNgrams};
use libfuzzer_sys::fuzz_target;

const PATTERNS: [&str; 3] = ["whitespace", "words", r"\p{L}+|\p{N}+"];

fuzz_target!(|input: (u8, u8, u8, u8, u8, &str)| {
    let (choice, form, dim, window, negatives, text) = input;
    let texts: Vec<_> = text.split('\n').map(|line| Ok(line.to_owned())).collect();
    let Ok(words) = Words::by_pattern(PATTERNS[usize::from(choice % 3)], None) else { return };
    let inputs = vec![Input::Texts(Box::new(texts.into_iter()))];
    let min_count = u64::from(choice >> 6);
    let Ok(corpus) = read_corpus(inputs, Options::default(), &words, min_count, 1, &mut ()) else { return };
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
    let (tree, ngrams) = ((form & 1 == 1).then(|| tree(&corpus)), ngrams(&corpus, form));
    let words = corpus.vocabulary.words.len();
    let Ok(trained) = train(corpus, ngrams.as_ref(), tree.as_ref(), None, &options, &mut ()) else { return };
    assert!(ngrams.is_some() || trained.inputs.len() == words * options.dim);
    assert!(trained.losses.iter().all(|&loss| loss.is_finite() && loss >= 0.0));
});

fn tree(corpus: &Corpus) -> Tree {
    let (words, nodes) = grow(&[], &[], 0, &corpus.vocabulary.counts).expect("no tree can be grown");
    Tree::new(&words, &nodes).expect("what was grown is a tree")
}

fn ngrams(corpus: &Corpus, form: u8) -> Option<WordNgrams> {
    let hashing = match form >> 1 & 3 {
        1 => Hashing::FastText,
        2 => Hashing::Floret { count: 2 },
        _ => return None,
    };
    let scheme = Scheme { minn: 2, maxn: 4, bucket: u32::from(form) * 7 + 1, hashing };
    let words = corpus.vocabulary.words.iter().map(String::as_str);
    Some(WordNgrams::new(words, scheme).expect("the scheme is sound"))
}
