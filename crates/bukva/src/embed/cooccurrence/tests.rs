use std::collections::BTreeMap;

use proptest::prelude::*;

use super::bands::{bands, pairs_of_rows};
use super::rows::{Sums, Text};
use super::stretch::stretches;
use super::weights::Weights;
use super::*;
use crate::embed::context::Corpus;
use crate::embed::context::ids::{END, Ids};
use crate::error::Kind;

const WORDS: u32 = 6;

fn corpus(segments: &[Vec<u32>]) -> Corpus {
    let segments: Vec<&[u32]> = segments.iter().map(Vec::as_slice).collect();
    let mut corpus = Corpus { ids: Ids::of(&segments), ..Corpus::default() };
    corpus.vocabulary.words = (0..WORDS).map(|word| word.to_string()).collect();
    corpus
}

/// Sums by the definition: every two places of a document.
fn plain(segments: &[Vec<u32>], options: &CountOptions) -> BTreeMap<(u32, u32), f64> {
    let (ids, window) = (segments.concat(), options.window as usize);
    let mut sums = BTreeMap::new();
    for document in ids.split(|&id| id == END) {
        for (at, &word) in document.iter().enumerate() {
            for (other, &context) in document.iter().enumerate() {
                let distance = at.abs_diff(other);
                let is_of_side = match options.sides {
                    Sides::Both => true,
                    Sides::Left => other < at,
                    Sides::Right => other > at,
                };
                if distance > 0 && distance <= window && is_of_side {
                    *sums.entry((word, context)).or_default() += match options.weighting {
                        Weighting::Harmonic => 1.0 / distance as f64,
                        Weighting::Flat => 1.0,
                        Weighting::Dynamic => (window - distance + 1) as f64 / window as f64,
                    };
                }
            }
        }
    }
    sums
}

fn cells(counts: &Cooccurrences) -> Vec<((u32, u32), f32)> {
    let row = |row| counts.row(row).map(move |cell| ((row as u32, counts.columns[cell]), counts.values[cell]));
    (0..counts.words()).flat_map(row).collect()
}

fn check(segments: &[Vec<u32>], options: &CountOptions) {
    let counts = count(&corpus(segments), options, &mut ()).unwrap();
    let (found, expected) = (cells(&counts), plain(segments, options));
    assert_eq!(found.iter().map(|cell| cell.0).collect::<Vec<_>>(), expected.keys().copied().collect::<Vec<_>>());
    for (&(cell, value), expected) in found.iter().zip(expected.values()) {
        assert!((f64::from(value) / expected - 1.0).abs() < 1e-6, "{cell:?}: {value}, expected {expected}");
    }
    for (sums, is_row) in [(&counts.row_sums, true), (&counts.column_sums, false)] {
        for (word, &sum) in (0..).zip(sums) {
            let of_word = |(row, column): (u32, u32)| if is_row { row == word } else { column == word };
            let expected: f64 = expected.iter().filter(|cell| of_word(*cell.0)).map(|cell| cell.1).sum();
            assert!((sum - expected).abs() <= 1e-7 * expected, "{word}: {sum}, expected {expected}");
        }
    }
}

fn segments() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let word = prop_oneof![9 => 0..WORDS, 1 => Just(END)];
    proptest::collection::vec(proptest::collection::vec(word, 0..40), 1..4)
}

proptest! {
    #[test]
    fn counts_are_those_of_the_definition(
        segments in segments(),
        window in prop_oneof![1u32..6, Just(23), Just(u32::MAX / 4)],
        weighting in prop::sample::select(vec![Weighting::Harmonic, Weighting::Flat, Weighting::Dynamic]),
        sides in prop::sample::select(vec![Sides::Both, Sides::Left, Sides::Right]),
        threads in 1usize..4,
    ) {
        check(&segments, &CountOptions { window, weighting, sides, threads, memory_limit: None });
    }

    #[test]
    fn bands_of_any_size_give_the_same_rows(segments in segments(), room in 0u64..200) {
        let corpus = corpus(&segments);
        let weights = Weights::new(&CountOptions::default(), corpus.len()).unwrap();
        let window = weights.units.len();
        let stretches = stretches(&corpus.ids, window);
        let pairs = pairs_of_rows(&stretches, WORDS as usize, window, Sides::Both);
        let text = Text { stretches: &stretches, window, sides: Sides::Both, weights: &weights, pairs: &pairs };
        let mut sums = Sums::new(WORDS as usize);
        let counted = bands(&pairs, room).iter().map(|band| text.count(band, &mut sums, &mut || Ok(())).unwrap()).collect();
        let found = Cooccurrences::of(counted, &sums.column_units, |units| weights.number(units)).unwrap();
        prop_assert_eq!(found, count(&corpus, &CountOptions::default(), &mut ()).unwrap());
    }
}

#[test]
fn a_corpus_without_pairs_has_no_cells() {
    let counts = count(&corpus(&[vec![0, END, 1, END]]), &CountOptions::default(), &mut ()).unwrap();
    assert!(counts.is_empty() && counts.pairs == 0);
    assert_eq!(counts.offsets, [0; WORDS as usize + 1]);
}

#[test]
fn options_and_memory_are_looked_at() {
    let corpus = corpus(&[vec![0, 1, 2]]);
    let options = CountOptions { window: 0, ..CountOptions::default() };
    assert_eq!(count(&corpus, &options, &mut ()).unwrap_err().kind, Kind::Argument);
    let options = CountOptions { memory_limit: Some(100), ..CountOptions::default() };
    let error = count(&corpus, &options, &mut ()).unwrap_err();
    assert!(error.kind == Kind::Training && error.message.contains("memory_limit is 100"), "{error}");
    let stop = &mut |_: crate::Progress| false;
    assert_eq!(count(&corpus, &CountOptions::default(), stop).unwrap_err().kind, Kind::Cancelled);
}
