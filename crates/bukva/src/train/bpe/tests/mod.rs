//! The engine against the definition ([`naive`]), against known results ([`golden`]), and at its limits.

mod golden;
mod limits;
mod naive;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::spec;
use crate::train::WordTable;
use naive::Naive;

/// Words in corpus order, each at its own place.
fn table(words: &[(String, u64)]) -> Words {
    let mut table = WordTable::new();
    words.iter().enumerate().for_each(|(place, (word, count))| table.add(word.as_bytes(), *count, place as u64));
    table.into_words_by_place()
}

fn trained(words: &[(String, u64)], options: &BpeOptions) -> Trained {
    train_bpe(table(words), options, &mut ()).unwrap()
}

/// Left text, right text and count of each merge.
type Listed = Vec<(Vec<u8>, Vec<u8>, u64)>;

fn listed(trained: &Trained) -> Listed {
    let text: BTreeMap<u32, &[u8]> = trained.vocab.iter().map(|entry| (entry.id, entry.bytes)).collect();
    let merges = trained.merges.iter().zip(&trained.counts);
    merges.map(|(merge, &count)| (text[&merge.left].to_vec(), text[&merge.right].to_vec(), count)).collect()
}

fn corpora() -> impl Strategy<Value = Vec<(String, u64)>> {
    let counts = prop_oneof![
        4 => 1u64..4,
        2 => 1u64..300,
        1 => (1u64 << 31)..(1u64 << 34),
        1 => (1u64 << 40)..(1u64 << 45)
    ];
    let letters = prop_oneof![Just("[a]"), Just("[ab]"), Just("[abж]"), Just("[<a/>]")];
    letters.prop_flat_map(move |letters| {
        let word = proptest::string::string_regex(&format!("{letters}{{1,12}}")).unwrap();
        prop::collection::vec((word, counts.clone()), 1..12)
    })
}

fn rules() -> impl Strategy<Value = TieBreak> {
    prop::sample::select(TieBreak::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_engine_is_the_definition_on_bytes(words in corpora(), tie_break in rules(), merges in 1u32..60,
                                             min_frequency in 0u64..4, length in prop::option::of(1u32..8)) {
        let options = BpeOptions { tie_break, min_frequency, max_token_length: length, ..BpeOptions::new(Limit::Merges(merges)) };
        prop_assert_eq!(listed(&trained(&words, &options)), Naive::new(&words, &options).run(merges as usize));
    }

    #[test]
    fn the_engine_is_the_definition_on_characters(words in corpora(), tie_break in rules(), merges in 1u32..60,
                                                  marker in prop::option::of(prop::sample::select(vec!["_", "a", "<a>", "</w>"]))) {
        let end_of_word = marker.map(String::from);
        let options = BpeOptions { tie_break, end_of_word, alphabet: spec::Alphabet::Chars, ..BpeOptions::new(Limit::Merges(merges)) };
        prop_assert_eq!(listed(&trained(&words, &options)), Naive::new(&words, &options).run(merges as usize));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn long_words_are_words(words in corpora(), long in prop::collection::vec(("[ab]{500,900}", 1u64..3), 1..3),
                            tie_break in rules(), at in 0usize..12) {
        let mut words = words;
        let at = at.min(words.len());
        words.splice(at..at, long);
        let options = BpeOptions { tie_break, ..BpeOptions::new(Limit::Merges(150)) };
        prop_assert_eq!(listed(&trained(&words, &options)), Naive::new(&words, &options).run(150));
    }
}
