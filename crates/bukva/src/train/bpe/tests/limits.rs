//! Limits, layouts, bad input, interruption.

use super::*;
use crate::monitor::Progress;
use crate::spec::Alphabet;

fn some_words() -> Vec<(String, u64)> {
    ["banana", "bandana", "ananas"].iter().map(|word| (word.to_string(), 3)).collect()
}

fn refused(words: &[(String, u64)], options: &BpeOptions) -> Error {
    train_bpe(table(words), options, &mut ()).unwrap_err()
}

fn chars(limit: Limit) -> BpeOptions {
    BpeOptions { alphabet: Alphabet::Chars, ..BpeOptions::new(limit) }
}

#[test]
fn a_vocabulary_has_the_size_that_was_asked_for() {
    for tie_break in TieBreak::ALL {
        let special_tokens = vec!["<s>".to_owned(), "</s>".to_owned()];
        let options = BpeOptions { tie_break, special_tokens, ..BpeOptions::new(Limit::VocabSize(262)) };
        let trained = trained(&some_words(), &options);
        assert_eq!((trained.merges.len(), trained.counts.len()), (4, 4));
        let ids: Vec<u32> = trained.special_tokens.iter().map(|token| token.1).collect();
        let in_vocab = trained.vocab.len();
        let expected = if tie_break.specials_first() { (vec![0, 1], 262) } else { (vec![260, 261], 260) };
        assert_eq!((ids, in_vocab), expected, "{tie_break:?}");
        let spec = crate::train::assemble(trained, &options, None, None);
        spec.validate().unwrap();
    }
}

#[test]
fn bytes_are_numbered_as_the_rule_says() {
    let id = |tie_break, byte: u8| {
        let options = BpeOptions { tie_break, ..BpeOptions::new(Limit::Merges(0)) };
        let trained = trained(&some_words(), &options);
        trained.vocab.iter().find(|entry| entry.bytes == [byte]).unwrap().id
    };
    assert_eq!(id(TieBreak::FirstSeen, b'a'), 97);
    assert_eq!(id(TieBreak::RawBytes, 0), 0);
    // GPT-2's table: "!" is the first printable character, byte 0 the first of the others.
    assert_eq!(id(TieBreak::Huggingface, b'!'), 0);
    assert_eq!(id(TieBreak::Huggingface, 0), 188);
}

#[test]
fn a_product_that_is_a_special_token_takes_its_id() {
    let special_tokens = vec!["an".to_owned(), "b".to_owned()];
    let options = BpeOptions { special_tokens, ..chars(Limit::Merges(2)) };
    let trained = trained(&some_words(), &options);
    assert_eq!(trained.merges[0].product, 0);
    let ids: BTreeMap<&[u8], u32> = trained.vocab.iter().map(|entry| (entry.bytes, entry.id)).collect();
    assert_eq!((ids[&b"b"[..]], ids[&b"a"[..]]), (1, 2));
    crate::train::assemble(trained, &options, None, None).validate().unwrap();
}

#[test]
fn the_unknown_token_is_special_and_first() {
    let options = BpeOptions {
        unk_token: Some("[UNK]".into()),
        special_tokens: vec!["[PAD]".into()],
        initial_alphabet: vec!['ж'],
        ..chars(Limit::Merges(1))
    };
    let trained = trained(&some_words(), &options);
    assert_eq!(trained.special_tokens, [("[UNK]".to_owned(), 0), ("[PAD]".to_owned(), 1)]);
    assert_eq!(trained.unk, Some(0));
    assert!(trained.vocab.iter().any(|entry| entry.bytes == "ж".as_bytes()));
    crate::train::assemble(trained, &options, None, None).validate().unwrap();
}

#[test]
fn rare_pairs_are_not_merged() {
    let options = BpeOptions { min_frequency: 4, ..BpeOptions::new(Limit::Merges(100)) };
    let trained = trained(&some_words(), &options);
    assert_eq!(trained.stopped, StopReason::BelowMinFrequency { min_frequency: 4 });
    assert!(trained.counts.iter().all(|&count| count >= 4));
}

#[test]
fn counts_go_beyond_32_bits() {
    let words = vec![("ab".to_owned(), 1u64 << 40), ("bc".to_owned(), (1 << 40) + 1)];
    let trained = trained(&words, &BpeOptions::new(Limit::Merges(2)));
    assert_eq!(trained.counts, [(1 << 40) + 1, 1 << 40]);
}

#[test]
fn errors_name_value_limit_and_remedy() {
    let size = |size| BpeOptions::new(Limit::VocabSize(size));
    let error = refused(&[], &size(300));
    assert_eq!(error.kind, Kind::Corpus);
    let error = refused(&some_words(), &size(255));
    assert_eq!(error.kind, Kind::Training);
    assert!(error.message.contains("255") && error.message.contains("give at least 256"), "{error}");
    let twice = BpeOptions { special_tokens: vec!["<s>".into(), "<s>".into()], ..size(300) };
    let error = refused(&some_words(), &twice);
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.message.contains("\"<s>\" twice"), "{error}");
    for options in [
        BpeOptions { special_tokens: vec![String::new()], ..size(300) },
        BpeOptions { end_of_word: Some("_".into()), ..size(300) },
        BpeOptions { end_of_word: Some(String::new()), ..chars(Limit::Merges(1)) },
        BpeOptions { unk_token: Some("[UNK]".into()), ..size(300) },
        BpeOptions { initial_alphabet: vec!['a'], ..size(300) },
    ] {
        assert_eq!(refused(&some_words(), &options).kind, Kind::Argument, "{options:?}");
    }
    for count in [1u64 << 53, u64::MAX / 2] {
        assert_eq!(refused(&[("ab".to_owned(), count)], &size(300)).kind, Kind::Training);
    }
    let mut table = WordTable::new();
    table.add(b"\xff", 1, 9);
    let error = train_bpe(table.into_words_by_place(), &chars(Limit::Merges(1)), &mut ()).unwrap_err();
    assert_eq!(error.kind, Kind::Encoding);
}

#[test]
fn words_of_one_symbol_leave_nothing_to_merge() {
    let trained = trained(&[("a".to_owned(), 5)], &BpeOptions::new(Limit::Merges(3)));
    assert_eq!((trained.merges.len(), trained.stopped), (0, StopReason::NoPairLeft));
}

/// Letters in no pattern: the same on every run.
fn random_letters(length: usize) -> String {
    let mut state = 1u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'a' + ((state >> 33) % 20) as u8)
    };
    (0..length).map(|_| letter()).collect()
}

#[test]
fn a_word_of_two_megabytes_is_no_trouble() {
    for tie_break in TieBreak::ALL {
        for word in [random_letters(2 << 20), "a".repeat(2 << 20)] {
            let options = BpeOptions { tie_break, ..BpeOptions::new(Limit::Merges(1000)) };
            let trained = trained(&[(word, 1)], &options);
            assert!(trained.counts.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }
}

#[test]
fn the_monitor_can_stop_training() {
    let mut stop = |progress: Progress| {
        assert_eq!(progress.stage, crate::Stage::Merge);
        false
    };
    let options = BpeOptions::new(Limit::Merges(10));
    let error = train_bpe(table(&some_words()), &options, &mut stop).unwrap_err();
    assert_eq!(error.kind, Kind::Cancelled);
}
