//! All ways of encoding agree, and bytes come back: a tokenizer trained on the first half of the input encodes the
//! second. Covers the prefetching of groups.
#![no_main]

use bukva::added::SpecialPolicy;
use bukva::pipeline::Tokenizer;
use bukva::pretokenize::pretokenizer_of;
use bukva::train::{BpeOptions, Limit, WordTable, assemble, train_bpe};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let half = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let (corpus, text) = text.split_at(half);
    let mut table = WordTable::new();
    corpus.split_inclusive(' ').enumerate().for_each(|(place, word)| table.add(word.as_bytes(), 1, place as u64));
    let options = BpeOptions::new(Limit::Merges(64));
    let Ok(trained) = train_bpe(table.into_words_by_place(), &options, &mut ()) else { return };
    let spec = assemble(trained, &options, None, Some(pretokenizer_of("gpt2").expect("a known name")));
    let tokenizer = Tokenizer::new(spec).expect("what was trained compiles");
    let mut ids = Vec::new();
    let policy = SpecialPolicy::default();
    for _ in 0..2 {
        ids.clear();
        tokenizer.encode(text, &policy, &mut ids).expect("bytes encode any text");
        assert_eq!(tokenizer.explain(text, &policy).expect("the same").ids, ids);
        assert_eq!(tokenizer.count(text, &policy).expect("the same"), ids.len());
        assert_eq!(tokenizer.decoder().bytes(&ids, false).expect("own ids"), text.as_bytes());
    }
});
