//! The reader takes any two files: a specification or a typed error, never a panic.
#![no_main]

mod used;

use bukva::formats::encodings::Encoding;
use bukva::formats::hf::{Spelling, read_vocab_merges};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let encoding = Encoding::named("cl100k_base").expect("a known name");
    // The first line break after the object parts the files, as in the seeds.
    let half = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    if let Ok(spec) = read_vocab_merges(&data[..half], &data[half..], encoding, Spelling::default()) {
        used::check(spec);
    }
});
