//! Training takes any words and options: merges or a typed error. Covers the prefetching of the table and the engine.
#![no_main]

use bukva::spec::Alphabet;
use bukva::train::{BpeOptions, Limit, TieBreak, WordTable, train_bpe};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u16, &str)| {
    let (choice, merges, text) = input;
    let ties = [TieBreak::Huggingface, TieBreak::RawBytes, TieBreak::FirstSeen, TieBreak::SentencePiece];
    let chars = choice & 4 != 0;
    let options = BpeOptions {
        alphabet: if chars { Alphabet::Chars } else { Alphabet::Bytes },
        tie_break: ties[usize::from(choice & 3)],
        end_of_word: (chars && choice & 8 != 0).then(|| "_".to_owned()),
        min_frequency: u64::from(choice >> 6),
        ..BpeOptions::new(Limit::Merges(u32::from(merges % 512)))
    };
    let mut table = WordTable::new();
    let mut batch = table.batch();
    let mut start = 0;
    for word in text.split_inclusive(' ') {
        batch.add(text.as_bytes(), start, start + word.len(), 1, start as u64);
        start += word.len();
    }
    drop(batch);
    let Ok(trained) = train_bpe(table.into_words_by_place(), &options, &mut ()) else { return };
    assert_eq!(trained.merges.len(), trained.counts.len());
    assert!(trained.counts.windows(2).all(|pair| pair[0] >= pair[1]), "counts never rise");
});
