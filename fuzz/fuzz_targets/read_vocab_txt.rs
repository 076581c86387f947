//! The reader takes any bytes: a specification or a typed error, never a panic.
#![no_main]

mod used;

use bukva::formats::hf::{Bert, read_vocab_txt};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for lowercase in [true, false] {
        if let Ok(spec) = read_vocab_txt(data, Bert::published(lowercase)) {
            used::check(spec);
        }
    }
});
