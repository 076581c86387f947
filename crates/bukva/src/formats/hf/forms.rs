//! Odd forms of `tokenizer.json`. Every expected value is what `tokenizers` 0.23.3 gives for the same file.

use serde_json::{Value, json};

use super::*;
use crate::added::{Names, SpecialPolicy};
use crate::error::{Kind, Result};
use crate::pipeline::Tokenizer;
use crate::spec::{AddedToken, Alphabet, Bpe, Decoder, Model, Normalizer, Postprocessor, Pretokenizer, Spec, Vocab};

fn base() -> Value {
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
            "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}, "merges": [["a", "b"], ["b", "c"]],
        },
    })
}

fn read(change: impl FnOnce(&mut Value)) -> Result<Spec> {
    let mut file = base();
    change(&mut file);
    read_tokenizer_json(file.to_string().as_bytes())
}

fn ids(text: &str, change: impl FnOnce(&mut Value)) -> Result<Vec<u32>> {
    let mut ids = Vec::new();
    Tokenizer::new(read(change)?)?.encode(
        text,
        &SpecialPolicy { allowed: Names::All, disallowed: Names::All },
        &mut ids,
    )?;
    Ok(ids)
}

fn added(content: &str, id: u32) -> Value {
    json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": false, "special": true})
}

fn kind_of(result: Result<Vec<u32>>) -> Kind {
    result.unwrap_err().kind
}

#[test]
fn of_a_merge_that_is_there_twice_the_later_counts() {
    assert_eq!(ids("abc", |_| ()).unwrap(), [3, 2]);
    let twice = |file: &mut Value| file["model"]["merges"] = json!([["a", "b"], ["b", "c"], ["a", "b"]]);
    assert_eq!(ids("abc", twice).unwrap(), [0, 4]);
    let spec = read(twice).unwrap();
    let again: Value = serde_json::from_slice(&write_tokenizer_json(&spec).unwrap().files[0].bytes).unwrap();
    assert_eq!(again["model"]["merges"], json!([["b", "c"], ["a", "b"]]));
}

#[test]
fn ids_of_the_vocabulary_may_have_holes() {
    let holes = |file: &mut Value| {
        file["model"]["vocab"] = json!({"a": 0, "b": 5, "c": 2, "ab": 30, "bc": 4, "abc": 7});
    };
    assert_eq!(ids("abc", holes).unwrap(), [30, 2]);
}

#[test]
fn added_tokens_get_the_next_number() {
    let tokens = |list: Value| move |file: &mut Value| file["added_tokens"] = list;
    assert_eq!(ids("a<s>b", tokens(json!([added("<s>", 9)]))).unwrap(), [0, 6, 1]);
    assert_eq!(ids("a<s><t>b", tokens(json!([added("<s>", 6), added("<t>", 6)]))).unwrap(), [0, 6, 7, 1]);
    assert_eq!(ids("a<s>b", tokens(json!([added("<s>", 6), added("<s>", 7)]))).unwrap(), [0, 6, 1]);
    assert_eq!(ids("a<t>b", tokens(json!([added("", 6), added("<t>", 7)]))).unwrap(), [0, 6, 1]);
    let holes = |file: &mut Value| {
        file["model"]["vocab"]["abc"] = json!(50);
        file["added_tokens"] = json!([added("<s>", 51), added("<t>", 70)]);
    };
    assert_eq!(ids("a<s>b<t>", holes).unwrap(), [0, 6, 1, 7]);
}

#[test]
fn an_added_token_that_is_there_again_has_the_later_flags() {
    let again = |file: &mut Value| {
        let mut later = added("<s>", 6);
        later["lstrip"] = json!(true);
        file["added_tokens"] = json!([added("<s>", 6), later]);
        file["pre_tokenizer"] = json!({"type": "WhitespaceSplit"});
    };
    assert_eq!(ids("a <s> b", again).unwrap(), [0, 6, 1]);
    assert!(read(again).unwrap().added_tokens[0].lstrip);
}

#[test]
fn two_ids_for_a_token_or_two_tokens_for_an_id_are_refused() {
    for (list, expected) in [
        (json!([added("ab", 9)]), "\"ab\" has id 9 in /added_tokens and id 3 in /model/vocab"),
        (json!([added("<s>", 1)]), "id 1 is \"<s>\" in /added_tokens and \"b\" in /model/vocab"),
    ] {
        let error = read(|file| file["added_tokens"] = list).unwrap_err();
        assert!(error.kind == Kind::Format && error.message.contains(expected), "{error}");
    }
}

#[test]
fn an_unknown_token_that_no_token_is_refuses_unknown_text() {
    let bpe = |file: &mut Value| file["model"]["unk_token"] = json!("?!");
    assert_eq!(ids("abc", bpe).unwrap(), [3, 2]);
    assert_eq!(kind_of(ids("axc", bpe)), Kind::UnknownCharacter);
    let words = |file: &mut Value| {
        file["model"] = json!({"type": "WordLevel", "unk_token": "?!", "vocab": {"a": 0}});
    };
    assert_eq!(ids("a", words).unwrap(), [0]);
    assert_eq!(kind_of(ids("x", words)), Kind::UnknownCharacter);
    for spec in [read(bpe).unwrap(), read(words).unwrap()] {
        let written = write_tokenizer_json(&spec).unwrap();
        assert_eq!(written.losses, []);
        let file: Value = serde_json::from_slice(&written.files[0].bytes).unwrap();
        assert_eq!(file["model"]["unk_token"], "?!");
        assert_eq!(read_tokenizer_json(&written.files[0].bytes).unwrap(), spec);
    }
}

#[test]
fn models_without_a_type_are_known_by_their_fields() {
    let word_piece = json!({"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
        "vocab": {"a": 0, "b": 1, "##b": 2, "[UNK]": 3}});
    assert_eq!(ids("ab", |file| file["model"] = word_piece).unwrap(), [0, 2]);
    let word_level = json!({"unk_token": "[UNK]", "vocab": {"a": 0, "[UNK]": 3}});
    assert_eq!(ids("a", |file| file["model"] = word_level).unwrap(), [0]);
    let unigram = json!({"vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0], ["ab", -1.5]]});
    assert_eq!(ids("ab", |file| file["model"] = unigram).unwrap(), [3]);
}

#[test]
fn of_unigram_entries_with_one_text_the_last_counts() {
    let with = |score: f64| {
        json!({"type": "Unigram", "unk_id": 0,
            "vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -2.0], ["ab", -1.5], ["ab", score]]})
    };
    assert_eq!(ids("ab", |file| file["model"] = with(-0.1)).unwrap(), [4]);
    assert_eq!(ids("ab", |file| file["model"] = with(-9.0)).unwrap(), [1, 2]);
}

#[test]
fn stages_without_a_type_are_known_by_their_fields() {
    let spec = read(|file| {
        file["normalizer"] = json!({"normalizers": [{"type": "NFC"}, {"prepend": "x"}, {"strip_left": true,
            "strip_right": false}, {"pattern": {"String": "a"}, "content": "b"}, {"clean_text": true,
            "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}]});
        file["decoder"] = json!({"prefix": "##", "cleanup": true});
        file["post_processor"] = json!({"sep": ["a", 0], "cls": ["b", 1]});
    });
    let spec = spec.unwrap();
    assert!(matches!(spec.normalizer, Some(Normalizer::Sequence { items }) if items.len() == 5));
    assert_eq!(spec.decoder, Some(Decoder::WordPiece { prefix: "##".into(), cleanup: true }));
    assert_eq!(spec.postprocessor, Some(Postprocessor::Bert { sep: ("a".into(), 0), cls: ("b".into(), 1) }));
    let typeless = |value: Value| read(|file| file["pre_tokenizer"] = value).unwrap_err().message;
    assert!(typeless(json!({"delimiter": "a"})).contains("/pre_tokenizer/type is missing"));
}

#[test]
fn missing_fields_have_the_defaults_of_the_library() {
    let roberta = json!({"type": "RobertaProcessing", "sep": ["a", 0], "cls": ["b", 1]});
    let spec = read(|file| file["post_processor"] = roberta).unwrap();
    assert_eq!(spec.postprocessor, Some(Postprocessor::Bert { sep: ("a".into(), 0), cls: ("b".into(), 1) }));
    let spec = read(|file| file["pre_tokenizer"] = json!({"type": "FixedLength"})).unwrap();
    assert_eq!(spec.pretokenizer, Some(Pretokenizer::FixedLength { length: 5 }));
}

#[test]
fn one_of_several_takes_no_other_field() {
    for (place, stage) in [
        (
            "/pre_tokenizer/pattern/later",
            json!({"pre_tokenizer": {"type": "Split", "behavior": "Isolated",
            "invert": false, "pattern": {"String": "a", "later": 1}}}),
        ),
        (
            "/padding/strategy/later",
            json!({"padding": {"strategy": {"Fixed": 4, "later": 1}, "direction": "Right",
            "pad_id": 0, "pad_type_id": 0, "pad_token": "a"}}),
        ),
        (
            "/post_processor/single/0/later",
            json!({"post_processor": {"type": "TemplateProcessing", "special_tokens": {},
            "pair": [], "single": [{"Sequence": {"id": "A", "type_id": 0}, "later": 1}]}}),
        ),
    ] {
        let message = read(|file| file.as_object_mut().unwrap().extend(stage.as_object().unwrap().clone()));
        let message = message.unwrap_err().message;
        assert!(message.contains(&format!("{place} is a field too many")), "{message}");
    }
}

#[test]
fn a_field_that_the_library_refuses_is_kept_and_not_written() {
    let spec = read(|file| {
        file["later"] = json!({"x": 1});
        file["model"]["later"] = json!(2);
    });
    let spec = spec.unwrap();
    let written = write_tokenizer_json(&spec).unwrap();
    let losses: Vec<String> = written.losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["unknown field: /later; the library refuses a file that has it"]);
    let file: Value = serde_json::from_slice(&written.files[0].bytes).unwrap();
    assert_eq!((file.get("later"), &file["model"]["later"]), (None, &json!(2)));
}

#[test]
fn an_added_token_of_one_character_keeps_its_id() {
    let mut vocab = Vocab::new();
    (0..=255u8).for_each(|byte| vocab.push(byte.into(), &[byte]));
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, Vec::new())));
    spec.decoder = Some(Decoder::ByteLevel);
    spec.added_tokens.push(AddedToken::special("\u{101a0}", 259));
    let written = write_tokenizer_json(&spec).unwrap();
    let again = read_tokenizer_json(&written.files[0].bytes).unwrap();
    assert_eq!(again.added_tokens, spec.added_tokens);
    assert_eq!(write_tokenizer_json(&again).unwrap().files, written.files);
}
