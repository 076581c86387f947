use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{read_tekken, write_tekken};
use crate::error::Kind;
use crate::spec::Model;

fn file(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    tokens.extend([b"ab".to_vec(), b"abc".to_vec(), b"unused".to_vec()]);
    let entry = |(rank, bytes): (usize, &Vec<u8>)| json!({"rank": rank, "token_bytes": STANDARD.encode(bytes), "token_str": String::from_utf8(bytes.clone()).ok()});
    let mut value = json!({
        "config": {
            "pattern": r"\p{L}+|\s+", "num_vocab_tokens": 259, "default_vocab_size": 283,
            "default_num_special_tokens": 25, "version": "v3",
        },
        "vocab": tokens.iter().enumerate().map(entry).collect::<Vec<_>>(),
        "image": {"size": 7},
    });
    change(&mut value);
    value.to_string().into_bytes()
}

#[test]
fn ids_come_after_the_special_tokens() {
    let spec = read_tekken(&file(|_| ())).unwrap();
    let Model::Bpe(bpe) = &spec.model else { panic!("no BPE") };
    assert_eq!((bpe.vocab.len(), bpe.vocab.ids()[0], bpe.vocab.ids()[257]), (258, 25, 282));
    let texts: Vec<&str> = spec.added_tokens.iter().map(|token| token.content.as_str()).collect();
    assert_eq!((texts.len(), texts[0], texts[19], texts[20]), (25, "<unk>", "[TOOL_CONTENT]", "<SPECIAL_20>"));
}

#[test]
fn what_is_written_reads_the_same() {
    let listed = |value: &mut Value| {
        value["special_tokens"] = json!([{"rank": 0, "token_str": "<s>", "is_control": true}]);
        value["config"]["version"] = json!("v13");
    };
    for bytes in [file(|_| ()), file(listed)] {
        let spec = read_tekken(&bytes).unwrap();
        let written = write_tekken(&spec).unwrap();
        assert_eq!(written.losses, []);
        assert_eq!(read_tekken(&written.files[0].bytes).unwrap(), spec);
    }
}

#[test]
fn contradictions_are_named() {
    type Change = fn(&mut Value);
    let changes: [(Change, &str); 9] = [
        (|value| value["vocab"][256]["rank"] = json!(7), "vocab[256].rank is 7"),
        (|value| value["vocab"][256]["token_bytes"] = json!("*"), "vocab[256].token_bytes \"*\" is not base64"),
        (|value| value["vocab"][257]["token_bytes"] = json!("YWI="), "vocab[257] is \"ab\", and so is vocab[256]"),
        (|value| value["vocab"][3]["token_bytes"] = json!("YWI="), "the first 256 tokens are the bytes"),
        (|value| value["config"]["default_vocab_size"] = json!(4_000_000_000_u32), "default_vocab_size is 4000000000"),
        (|value| value["config"]["default_vocab_size"] = json!(280), "leaves 255 tokens"),
        (|value| value["config"]["default_num_special_tokens"] = json!(3), "20 special_tokens"),
        (|value| value["config"]["version"] = json!("v11"), "special_tokens is missing"),
        (|value| value["vocab"][1]["rank"] = json!(-1), "invalid value"),
    ];
    for (change, said) in changes {
        let error = read_tekken(&file(change)).unwrap_err();
        assert_eq!(error.kind, Kind::Format);
        assert!(error.message.contains(said), "{error}");
    }
    let unsupported: [Change; 2] = [
        |value| value["config"]["version"] = json!("v99"),
        // So many special tokens would fill the memory, and both numbers agree.
        |value| {
            value["config"]["default_num_special_tokens"] = json!(4_000_000_000_u32);
            value["config"]["default_vocab_size"] = json!(4_000_000_258_u32);
        },
    ];
    for change in unsupported {
        assert_eq!(read_tekken(&file(change)).unwrap_err().kind, Kind::Unsupported);
    }
}

#[test]
fn a_truncated_file_names_the_byte() {
    let bytes = file(|_| ());
    let error = read_tekken(&bytes[..bytes.len() / 2]).unwrap_err();
    assert!(error.place.byte_offset.is_some(), "{error}");
}

proptest! {
    #[test]
    fn flipped_bits_are_a_tokenizer_or_an_error(at in any::<prop::sample::Index>(), bit in 0_u32..8) {
        let mut bytes = file(|_| ());
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        if let Ok(spec) = read_tekken(&bytes) {
            let written = write_tekken(&spec).unwrap();
            prop_assert_eq!(read_tekken(&written.files[0].bytes).unwrap(), spec);
        }
    }
}
