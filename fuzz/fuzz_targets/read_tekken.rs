//! The reader takes any bytes: a specification or a typed error, never a panic.
#![no_main]

mod used;

use bukva::formats::tekken::read_tekken;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(spec) = read_tekken(data) {
        used::check(spec);
    }
});
