//! What any specification must stand: its own image, being compiled, encoding and decoding.

use bukva::Spec;
use bukva::formats::image::{read_image, write_image};
use bukva::pipeline::Tokenizer;

/// Uses `spec` for a text and back.
///
/// # Panics
/// If an image changes the specification, or a tokenizer does not know its own ids.
pub fn check(spec: Spec) {
    let image = write_image(&spec).expect("every specification has an image");
    let again = read_image(&image.files[0].bytes).expect("its own image can be read");
    assert!(again == spec, "an image changed the specification");
    if let Ok(tokenizer) = Tokenizer::new(spec) {
        let mut ids = Vec::new();
        if tokenizer.encode_ordinary("Привет, 123  мир\n<s>ﬁ", &mut ids).is_ok() {
            tokenizer.decoder().bytes(&ids, false).expect("its own ids are defined");
        }
    }
}
