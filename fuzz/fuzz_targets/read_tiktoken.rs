//! The reader takes any bytes: a specification or a typed error, never a panic.
#![no_main]

mod used;

use bukva::formats::encodings::Encoding;
use bukva::formats::tiktoken::read_tiktoken;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(spec) = read_tiktoken(data, Encoding::named("cl100k_base").expect("a known name")) {
        used::check(spec);
    }
});
