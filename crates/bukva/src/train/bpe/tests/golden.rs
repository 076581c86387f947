//! Results that are known beforehand: examples of the lecture course.

use super::*;
use crate::spec::Alphabet;

fn words(text: &str) -> Vec<(String, u64)> {
    text.split_inclusive(' ').map(|word| (word.trim_end().to_owned(), 1)).collect()
}

/// Each merge as "left right count".
fn lines(trained: &Trained) -> Vec<String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    listed(trained).into_iter().map(|(left, right, count)| format!("{} {} {count}", text(left), text(right))).collect()
}

fn first_seen(limit: Limit) -> BpeOptions {
    BpeOptions { tie_break: TieBreak::FirstSeen, ..BpeOptions::new(limit) }
}

#[test]
fn the_toy_text_in_bytes() {
    let text = ["низко", " низко", " летали", " ласточки", ",", " ласточки", " летали", " низко"];
    let words: Vec<_> = text.iter().map(|word| (word.to_string(), 1)).collect();
    let trained = trained(&words, &first_seen(Limit::Merges(6)));
    let pairs: Vec<_> = trained.merges.iter().map(|merge| (merge.left, merge.right)).collect();
    assert_eq!(pairs, [(208, 184), (32, 208), (208, 186), (208, 190), (257, 187), (260, 208)]);
    assert_eq!(trained.merges[5].product, 261);
    assert_eq!(trained.stopped, StopReason::Reached);
}

#[test]
fn characters_with_an_end_marker() {
    let corpus = "кот котёнок котик кошка кошки кошке коты котов нос носок носки носить носил сок соки сокол";
    let options =
        BpeOptions { alphabet: Alphabet::Chars, end_of_word: Some("_".into()), ..first_seen(Limit::Merges(12)) };
    let expected = [
        "к о 9",
        "н о 6",
        "ко т 5",
        "но с 5",
        "к _ 4",
        "ко ш 3",
        "кош к 3",
        "и _ 3",
        "с о 3",
        "к и_ 2",
        "нос и 2",
        "л _ 2",
    ];
    assert_eq!(lines(&trained(&words(corpus), &options)), expected);
}

#[test]
fn training_ends_when_every_word_is_one_token() {
    let options =
        BpeOptions { alphabet: Alphabet::Chars, end_of_word: Some("</w>".into()), ..first_seen(Limit::Merges(100)) };
    let trained = trained(&words("мама мыла раму"), &options);
    let expected = [
        "м а 2",
        "ма ма 1",
        "мама </w> 1",
        "м ы 1",
        "мы л 1",
        "мыл а 1",
        "мыла </w> 1",
        "р а 1",
        "ра м 1",
        "рам у 1",
        "раму </w> 1",
    ];
    assert_eq!(lines(&trained), expected);
    assert_eq!(trained.stopped, StopReason::NoPairLeft);
    assert_eq!(trained.vocab.len(), 7 + 11);
    assert_eq!(trained.vocab.entry(0).bytes, b"</w>");
}
