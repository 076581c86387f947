//! Folders without `tokenizer.json`. Stages, ids and flags are those that `transformers` 5.24 gives for the same files.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::added::{Names, SpecialPolicy};
use crate::error::{Error, Kind};
use crate::formats::encodings::Encoding;
use crate::formats::load;
use crate::pipeline::Tokenizer;
use crate::spec::{AddedToken, Alphabet, Model, Normalizer, Postprocessor, Pretokenizer, Spec, TemplateItem};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("bukva-class-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        files.iter().for_each(|(name, content)| fs::write(path.join(name), content).unwrap());
        Folder(path)
    }

    fn load(&self) -> Spec {
        load(&self.0, None).unwrap()
    }

    fn error(&self) -> Error {
        load(&self.0, None).unwrap_err()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ids(spec: &Spec, text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    let all = SpecialPolicy { allowed: Names::All, disallowed: Names::All };
    Tokenizer::new(spec.clone()).unwrap().encode(text, &all, &mut ids).unwrap();
    ids
}

const VOCAB: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##b\né\n";
const CONFIG: &str = "tokenizer_config.json";

#[test]
fn bert_has_its_stages() {
    let config = r#"{"tokenizer_class": "BertTokenizerFast", "do_lower_case": false, "tokenize_chinese_chars": false}"#;
    let spec = Folder::new("bert", &[("vocab.txt", VOCAB), (CONFIG, config)]).load();
    let Some(Normalizer::Bert { clean_text, handle_chinese_chars, strip_accents, lowercase }) = spec.normalizer else {
        panic!("{:?}", spec.normalizer)
    };
    assert_eq!((clean_text, handle_chinese_chars, strip_accents, lowercase), (true, false, None, false));
    assert_eq!(spec.pretokenizer, Some(Pretokenizer::Bert));
    let names: Vec<(u32, &str)> = spec.added_tokens.iter().map(|token| (token.id, token.content.as_str())).collect();
    assert_eq!(names, [(0, "[PAD]"), (1, "[UNK]"), (2, "[CLS]"), (3, "[SEP]"), (4, "[MASK]")]);
    let Some(Postprocessor::Template(template)) = &spec.postprocessor else { panic!("no template") };
    assert_eq!((template.single.len(), template.pair.len()), (3, 5));
    assert!(matches!(&template.pair[4], TemplateItem::Special { ids, type_id: 1, .. } if ids == &[3]));
    assert_eq!(ids(&spec, "ab é [MASK] x"), [5, 7, 8, 4, 1]);
    assert_eq!(spec.unknown_fields.len(), 1);
}

#[test]
fn bert_without_a_config_needs_an_encoding() {
    let folder = Folder::new("preset", &[("vocab.txt", VOCAB)]);
    let error = folder.error();
    assert_eq!(error.kind, Kind::Argument);
    assert!(error.message.contains("bert_uncased or bert_cased"), "{error}");
    let named = |name: &str| load(&folder.0.join("vocab.txt"), Some(Encoding::named(name).unwrap()));
    assert_eq!(ids(&named("bert_uncased").unwrap(), "AB É"), [5, 7, 1]);
    assert_eq!(ids(&named("bert_cased").unwrap(), "AB é"), [1, 8]);
    assert!(named("gpt2").unwrap_err().message.contains("bert_uncased or bert_cased"));
    let other = Folder::new("other", &[("vocab.txt", VOCAB), (CONFIG, r#"{"tokenizer_class": "EsmTokenizer"}"#)]);
    assert!(other.error().message.contains("tokenizer_class is \"EsmTokenizer\""));
}

#[test]
fn side_files_name_added_tokens() {
    let map = r#"{"mask_token": {"content": "[MASK]", "lstrip": true}, "additional_special_tokens": ["<e>"]}"#;
    let files = [
        ("vocab.txt", VOCAB),
        (CONFIG, r#"{"tokenizer_class": "BertTokenizer"}"#),
        ("special_tokens_map.json", map),
        ("added_tokens.json", r#"{"<n>": 9, "<e>": 10}"#),
    ];
    let spec = Folder::new("map", &files).load();
    assert!(spec.added_tokens[4].lstrip && spec.added_tokens[4].special);
    let n = AddedToken { special: false, normalized: true, ..AddedToken::special("<n>", 9) };
    assert_eq!(spec.added_tokens[5..], [n, AddedToken::special("<e>", 10)]);
    let decoder = r#"{"tokenizer_class": "BertTokenizer", "added_tokens_decoder": {"9": {"content": "<n>",
        "lstrip": true, "normalized": true, "rstrip": false, "single_word": false, "special": false}}}"#;
    let spec = Folder::new("decoder", &[("vocab.txt", VOCAB), (CONFIG, decoder)]).load();
    assert_eq!(spec.added_tokens.len(), 6);
    assert_eq!(ids(&spec, "a <N> b"), [5, 9, 6]);
}

#[test]
fn a_damaged_vocab_txt_names_the_line() {
    let config = r#"{"tokenizer_class": "BertTokenizer"}"#;
    let with = |vocab: &str, config: &str| Folder::new("broken", &[("vocab.txt", vocab), (CONFIG, config)]).error();
    let twice = with(&format!("{VOCAB}a\n"), config);
    assert_eq!((twice.kind, twice.place.line), (Kind::Format, Some(10)));
    assert!(with("a\nb\n", config).message.contains("\"[UNK]\", which is the unk_token"));
    let ids = with(VOCAB, r#"{"tokenizer_class": "BertTokenizer", "added_tokens_decoder": {"7": {"content": "a"}}}"#);
    assert!(ids.message.contains("\"a\" has id 7 in /added_tokens and id 5"), "{ids}");
    for wrong in [
        r#"{"tokenizer_class": 1}"#,
        r#"{"do_lower_case": "yes"}"#,
        r#"{"do_lower_case": true, "added_tokens_decoder": {"x": {"content": "a"}}}"#,
        r#"{"do_lower_case": true, "added_tokens_decoder": {"9": {"content": "n", "lstrip": 1}}}"#,
        r#"{"do_lower_case": true, "mask_token": 4}"#,
        r#"{"do_lower_case": true, "extra_special_tokens": 4}"#,
    ] {
        assert_eq!(with(VOCAB, wrong).kind, Kind::Format, "{wrong}");
    }
    assert!(read_vocab_txt(b"\xff", Bert::published(true)).unwrap_err().message.contains("not UTF-8"));
}

/// The 256 bytes through GPT-2's map, then `extra`.
fn byte_vocab(extra: &[&str]) -> String {
    let mut vocab = serde_json::Map::new();
    for byte in 0..=255u8 {
        let mut text = String::new();
        byte_level::push_text(&[byte], &mut text);
        vocab.insert(text, json!(byte));
    }
    extra.iter().zip(256..).for_each(|(text, id)| drop(vocab.insert((*text).to_owned(), json!(id))));
    Value::Object(vocab).to_string()
}

fn class(name: &str, extra: &[&str], config: &str) -> Folder {
    let files = [("vocab.json", byte_vocab(extra)), ("merges.txt", "#version: 0.2\na b\n".to_owned())];
    let files = [(files[0].0, files[0].1.as_str()), (files[1].0, &files[1].1), (CONFIG, config)];
    Folder::new(name, &files)
}

#[test]
fn the_class_says_the_stages_of_vocab_and_merges() {
    let gpt2 = r#"{"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true, "add_prefix_space": true}"#;
    let spec = class("gpt2", &["ab", "<|endoftext|>"], gpt2).load();
    assert!(matches!(&spec.model, Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes && bpe.unk.is_none()));
    assert_eq!(ids(&spec, "ab"), [32, 256]);
    let Some(Postprocessor::Template(template)) = &spec.postprocessor else { panic!("no template") };
    assert_eq!((template.single.len(), template.pair.len()), (2, 4));
    let roberta = r#"{"tokenizer_class": "BartTokenizer", "mask_token": {"content": "<mask>", "lstrip": true}}"#;
    let spec = class("roberta", &["ab", "<s>", "</s>", "<unk>", "<pad>"], roberta).load();
    assert!(
        matches!(&spec.postprocessor, Some(Postprocessor::Roberta { sep, trim_offsets: true, .. }) if sep.1 == 258)
    );
    assert_eq!(spec.added_tokens.last().map(|token| (token.id, token.lstrip)), Some((261, true)));
    let qwen = r#"{"tokenizer_class": "Qwen2TokenizerFast"}"#;
    let spec = class("qwen2", &["ab"], qwen).load();
    assert_eq!(ids(&spec, "ab12<|endoftext|>"), [256, 49, 50, 257]);
}

#[test]
fn an_unknown_class_lists_the_choices() {
    for config in [r#"{"tokenizer_class": "XTokenizer"}"#, "{}"] {
        let error = class("unknown", &["ab"], config).error();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains("Qwen2Tokenizer") && error.message.contains("cl100k_base"), "{error}");
    }
    let missing = class("missing", &["ab"], r#"{"tokenizer_class": "RobertaTokenizer", "sep_token": null}"#).error();
    assert!(missing.message.contains("names no sep_token"), "{missing}");
}
