//! The reader takes any bytes: a specification or a typed error, never a panic.
#![no_main]

mod used;

use bukva::formats::gguf::read_gguf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(spec) = read_gguf(data) {
        used::check(spec);
    }
});
