//! Every reader takes any bytes: a specification or a typed error, never a panic. What is read and can be compiled
//! encodes, and survives its own image.
#![no_main]

use bukva::formats::encodings::Encoding;
use bukva::formats::hf::{Spelling, read_tokenizer_json, read_vocab_merges};
use bukva::formats::image::{read_image, write_image};
use bukva::formats::tiktoken::read_tiktoken;
use bukva::pipeline::Tokenizer;
use bukva::{Spec, formats};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = formats::detect::detect("tokenizer", data);
    let encoding = || Encoding::named("cl100k_base").expect("a known name");
    let half = data.len() / 2;
    let specs = [
        read_image(data),
        read_tiktoken(data, encoding()),
        read_tokenizer_json(data),
        read_vocab_merges(&data[..half], &data[half..], encoding(), Spelling::default()),
    ];
    specs.into_iter().flatten().for_each(use_it);
});

fn use_it(spec: Spec) {
    let image = write_image(&spec).expect("every specification has an image");
    let again = read_image(&image.files[0].bytes).expect("its own image can be read");
    assert!(again == spec, "an image changed the specification");
    if let Ok(tokenizer) = Tokenizer::new(spec) {
        let mut ids = Vec::new();
        if tokenizer.encode_ordinary("Привет, 123  мир\n", &mut ids).is_ok() {
            tokenizer.decoder().bytes(&ids, false).expect("its own ids are defined");
        }
    }
}
