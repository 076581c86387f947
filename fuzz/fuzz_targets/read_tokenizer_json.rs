//! The reader takes any bytes: a specification or a typed error, never a panic.
#![no_main]

mod used;

use bukva::formats::hf::read_tokenizer_json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(spec) = read_tokenizer_json(data) {
        used::check(spec);
    }
});
