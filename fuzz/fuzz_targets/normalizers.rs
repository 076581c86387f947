//! Normalising with and without alignment gives the same text, and what lies outside the edits is untouched.
#![no_main]

use bukva::normalize::{Normalizer, names};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (choice, text) = input;
    let names = names::NAMES;
    let pair = [names[usize::from(choice) % names.len()], names[usize::from(choice / 16) % names.len()]];
    let spec = names::from_names(&pair).expect("known names").expect("two of them");
    let normalizer = Normalizer::compile(&spec).expect("what the trainer offers compiles");
    let aligned = normalizer.apply_aligned(text).expect("no expression is involved");
    assert_eq!(normalizer.apply(text).expect("the same"), aligned.text);
    let (mut old, mut new) = (0, 0);
    for edit in &aligned.edits {
        assert_eq!(text[old..edit.original.start], aligned.text[new..edit.normalized.start]);
        (old, new) = (edit.original.end, edit.normalized.end);
    }
    assert_eq!(text[old..], aligned.text[new..]);
    assert_eq!(aligned.original_of(aligned.text.len()), text.len() * usize::from(!aligned.text.is_empty()));
});
