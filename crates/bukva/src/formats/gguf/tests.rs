//! Files built by hand: each kind of tokenizer, and every way to be damaged.

use serde_json::json;

use super::*;
use crate::error::{Kind, Result};
use crate::pipeline::Tokenizer;
use crate::spec::{Model, Normalizer, Spec};

/// A file in the making: keys with their values as bytes.
#[derive(Clone, Default)]
struct File(Vec<(String, Vec<u8>)>);

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
}

fn array(kind: u32, values: Vec<Vec<u8>>) -> Vec<u8> {
    let head = [&9_u32.to_le_bytes()[..], &kind.to_le_bytes(), &(values.len() as u64).to_le_bytes()].concat();
    [head, values.concat()].concat()
}

impl File {
    fn with(mut self, key: &str, value: Vec<u8>) -> Self {
        self.0.retain(|(old, _)| old != key);
        self.0.push((key.to_owned(), value));
        self
    }

    fn text(self, key: &str, value: &str) -> Self {
        self.with(key, [&8_u32.to_le_bytes()[..], &text(value)].concat())
    }

    fn number(self, key: &str, value: u32) -> Self {
        self.with(key, [4_u32.to_le_bytes(), value.to_le_bytes()].concat())
    }

    fn flag(self, key: &str, value: bool) -> Self {
        self.with(key, [&7_u32.to_le_bytes()[..], &[u8::from(value)]].concat())
    }

    fn texts(self, key: &str, values: &[&str]) -> Self {
        self.with(key, array(8, values.iter().map(|value| text(value)).collect()))
    }

    fn floats(self, key: &str, values: &[f32]) -> Self {
        self.with(key, array(6, values.iter().map(|value| value.to_le_bytes().to_vec()).collect()))
    }

    fn ints(self, key: &str, values: &[i32]) -> Self {
        self.with(key, array(5, values.iter().map(|value| value.to_le_bytes().to_vec()).collect()))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = [&MAGIC[..], &3_u32.to_le_bytes(), &0_u64.to_le_bytes()].concat();
        out.extend((self.0.len() as u64).to_le_bytes());
        for (key, value) in &self.0 {
            out.extend(text(key));
            out.extend(value);
        }
        out
    }

    fn read(&self) -> Result<Spec> {
        read_gguf(&self.bytes())
    }
}

fn byte_bpe() -> File {
    let bytes: Vec<String> = (0..=255_u8).map(|byte| crate::unicode::byte_chars::char_of(byte).to_string()).collect();
    let mut tokens: Vec<&str> = bytes.iter().map(String::as_str).collect();
    tokens.extend(["ab", "Ġab", "<|end|>", "<think>", "[PAD260]"]);
    let kinds: Vec<i32> = (0..258).map(|_| 1).chain([3, 4, 5]).collect();
    File::default()
        .text("general.architecture", "llama")
        .text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", "gpt-2")
        .texts("tokenizer.ggml.tokens", &tokens)
        .ints("tokenizer.ggml.token_type", &kinds)
        .texts("tokenizer.ggml.merges", &["a b", "Ġ ab"])
        .number("tokenizer.ggml.eos_token_id", 258)
        .flag("tokenizer.ggml.add_eos_token", true)
        .text("tokenizer.chat_template", "{{ eos_token }}")
}

fn sentencepiece() -> File {
    File::default()
        .text("tokenizer.ggml.model", "llama")
        .texts("tokenizer.ggml.tokens", &["<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "▁ab"])
        .floats("tokenizer.ggml.scores", &[0.0, 0.0, 0.0, -3.0, -4.0, -5.0, -1.0, -2.0])
        .ints("tokenizer.ggml.token_type", &[2, 3, 3, 1, 1, 1, 1, 1])
        .number("tokenizer.ggml.bos_token_id", 1)
        .number("tokenizer.ggml.eos_token_id", 2)
}

fn wordpiece() -> File {
    File::default()
        .text("tokenizer.ggml.model", "bert")
        .texts("tokenizer.ggml.tokens", &["[UNK]", "[CLS]", "[SEP]", "▁a", "b", "▁b", "▁!", "[x]"])
        .number("tokenizer.ggml.unknown_token_id", 0)
        .number("tokenizer.ggml.cls_token_id", 1)
        .number("tokenizer.ggml.seperator_token_id", 2)
}

fn ids(spec: Spec, text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    Tokenizer::new(spec).unwrap().encode_ordinary(text, &mut ids).unwrap();
    ids
}

fn message(file: &File) -> String {
    let error = file.read().unwrap_err();
    assert_eq!(error.kind, Kind::Format, "{error}");
    error.to_string()
}

#[test]
fn byte_bpe_has_its_merges_and_added_tokens() {
    let spec = byte_bpe().read().unwrap();
    let added: Vec<(&str, bool)> = spec.added_tokens.iter().map(|token| (&*token.content, token.special)).collect();
    assert_eq!(added, [("<|end|>", true), ("<think>", false)]);
    assert!(!spec.model.vocab().ids().contains(&260));
    assert_eq!(spec.unknown_fields["file:chat_template.jinja"], "{{ eos_token }}");
    assert_eq!(spec.unknown_fields["file:tokenizer_config.json"], json!({"eos_token": "<|end|>"}));
    assert_eq!(spec.unknown_fields["gguf"]["tokenizer.ggml.add_eos_token"], true);
    assert!(spec.unknown_fields["gguf"].get("general.architecture").is_none());
    assert!(spec.postprocessor.is_some());
    assert_eq!(ids(spec, "ab ab"), [256, 257]);
}

#[test]
fn sentencepiece_has_its_pieces() {
    let spec = sentencepiece().read().unwrap();
    assert_eq!(ids(spec.clone(), "ab a c"), [7, 6, 3, 0]);
    assert!(spec.postprocessor.is_some());
    let Model::Bpe(bpe) = spec.model else { panic!() };
    assert!(bpe.pieces.is_some() && !bpe.byte_fallback);
    let bare =
        sentencepiece().flag("tokenizer.ggml.add_space_prefix", false).flag("tokenizer.ggml.add_bos_token", false);
    let spec = bare.read().unwrap();
    assert_eq!(spec.postprocessor, None);
    assert_eq!(ids(spec, "ab"), [4, 5]);
}

#[test]
fn unigram_has_its_scores_and_its_map() {
    let file = sentencepiece()
        .text("tokenizer.ggml.model", "t5")
        .with("tokenizer.ggml.precompiled_charsmap", array(0, vec![]));
    let spec = file.flag("tokenizer.ggml.add_space_prefix", true).read().unwrap();
    assert!(matches!(&spec.model, Model::Unigram(unigram) if unigram.scores[7] == -2.0));
    assert!(matches!(spec.normalizer, Some(Normalizer::SentencePiece { .. })));
    assert_eq!(ids(spec, "ab a"), [7, 6]);
}

#[test]
fn wordpiece_has_its_prefix_again() {
    let spec = wordpiece().read().unwrap();
    let entry = |id: usize| String::from_utf8_lossy(spec.model.vocab().entry(id).bytes).into_owned();
    assert_eq!([3, 4, 5, 6, 7].map(entry), ["a", "##b", "b", "!", "[x]"]);
    assert!(spec.added_tokens.iter().all(|token| token.special) && spec.added_tokens.len() == 3);
    assert_eq!(ids(spec, "AB b! c"), [3, 4, 5, 6, 0]);
}

#[test]
fn what_is_not_read_is_named() {
    let refused = |file: &File| {
        let error = file.read().unwrap_err();
        assert_eq!(error.kind, Kind::Unsupported, "{error}");
        error.to_string()
    };
    assert!(refused(&byte_bpe().text("tokenizer.ggml.model", "rwkv")).contains("llama, gpt2, bert and t5"));
    assert!(refused(&byte_bpe().text("tokenizer.ggml.pre", "afmoe")).contains("llama-bpe"));
    for (version, says) in [([0, 0, 0, 3], "big-endian"), ([1, 0, 0, 0], "version 1"), ([4, 0, 0, 0], "version 4")] {
        let mut bytes = byte_bpe().bytes();
        bytes[4..8].copy_from_slice(&version);
        let error = read_gguf(&bytes).unwrap_err();
        assert_eq!((error.kind, error.message.contains(says)), (Kind::Unsupported, true), "{error}");
    }
    let mut second = byte_bpe().bytes();
    second[4] = 2;
    assert_eq!(read_gguf(&second), byte_bpe().read());
}

#[test]
fn errors_name_key_and_byte() {
    let nested = array(9, vec![array(4, vec![])]);
    let oversized = [&9_u32.to_le_bytes()[..], &8_u32.to_le_bytes(), &u64::MAX.to_le_bytes()].concat();
    for (file, says) in [
        (File::default(), "tokenizer.ggml.model is missing"),
        (byte_bpe().with("tokenizer.ggml.merges", nested), "an array of arrays"),
        (byte_bpe().with("tokenizer.x", oversized), "18446744073709551615 values"),
        (byte_bpe().with("tokenizer.x", 13_u32.to_le_bytes().to_vec()), "the type is 13"),
        (byte_bpe().text("tokenizer.ggml.tokens", "x"), "tokenizer.ggml.tokens is a text; it must be an array"),
        (byte_bpe().texts("tokenizer.ggml.merges", &["a"]), "tokenizer.ggml.merges[0] is \"a\""),
        (byte_bpe().texts("tokenizer.ggml.merges", &["a zz"]), "\"zz\" is no token"),
        (byte_bpe().texts("tokenizer.ggml.merges", &["a b", "a b"]), "repeats the merge"),
        (byte_bpe().number("tokenizer.ggml.eos_token_id", 900), "tokenizer.ggml.eos_token_id is 900"),
        (byte_bpe().flag("tokenizer.ggml.add_bos_token", true), "tokenizer.ggml.bos_token_id is missing"),
        (byte_bpe().ints("tokenizer.ggml.token_type", &[1]), "has 1 values"),
        (sentencepiece().texts("tokenizer.ggml.tokens", &["a", "a", "b", "c", "d", "e", "f", "g"]), "and so is"),
        (sentencepiece().floats("tokenizer.ggml.scores", &[f32::NAN; 8]), "no number"),
        (sentencepiece().ints("tokenizer.ggml.token_type", &[2, 2, 1, 1, 1, 1, 1, 1]), "two unknown tokens"),
        (sentencepiece().ints("tokenizer.ggml.token_type", &[1, 3, 3, 1, 1, 1, 1, 1]), "unknown_token_id is missing"),
        (sentencepiece().ints("tokenizer.ggml.token_type", &[2, 3, 3, 1, 6, 1, 1, 1]), "not <0x00> to <0xFF>"),
        (sentencepiece().ints("tokenizer.ggml.token_type", &[2, 3, 3, 1, 7, 1, 1, 1]), "the types are 0 to 6"),
        (wordpiece().number("tokenizer.ggml.unknown_token_id", 90), "which is no token"),
    ] {
        let message = message(&file);
        assert!(message.contains(says) && message.contains("(byte "), "{message}");
    }
}

#[test]
fn a_file_cut_short_is_an_error_at_every_byte() {
    for file in [sentencepiece(), wordpiece()] {
        let bytes = file.bytes();
        for end in 0..bytes.len() {
            let error = read_gguf(&bytes[..end]).unwrap_err();
            assert_eq!(error.kind, Kind::Format, "{end}: {error}");
            assert!(error.place.byte_offset.is_some_and(|at| at <= end as u64), "{end}: {error}");
        }
        assert!(read_gguf(&[bytes, vec![7; 9]].concat()).is_ok(), "tensors follow");
    }
}

#[test]
fn flipped_bits_never_panic() {
    for file in [byte_bpe(), sentencepiece(), wordpiece()] {
        let bytes = file.bytes();
        // Every bit of the smaller files, and a spread of those of the largest.
        let step = (bytes.len() * 8 / 8192).max(1);
        for bit in (0..bytes.len() * 8).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(spec) = read_gguf(&damaged) {
                spec.validate().unwrap();
            }
        }
    }
}
