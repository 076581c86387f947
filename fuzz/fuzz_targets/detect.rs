//! The format of any bytes under any name is known or refused, never a panic.
#![no_main]

use bukva::formats::detect::detect;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for name in ["x", "tokenizer.json", "tokenizer.model", "vocab.txt", "x.tiktoken", "tekken.json", "x.gguf"] {
        let _ = detect(name, data);
    }
});
