use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Kind;
use crate::formats::arbitrary;
use crate::formats::encodings::Encoding;
use crate::pretokenize::named::NAMED;
use crate::spec::*;

fn vocab(tokens: &[&[u8]]) -> Vocab {
    (0..).zip(tokens).map(|(id, token)| (id, *token)).collect()
}

/// 256 bytes, then `ab`.
fn byte_level() -> Spec {
    let mut vocab = Vocab::new();
    (0..=255u8).for_each(|byte| vocab.push(byte.into(), &[byte]));
    vocab.push(256, b"ab");
    let merges = vec![Merge { rank: 0, left: 97, right: 98, product: 256 }];
    Spec { decoder: Some(Decoder::ByteLevel), ..Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, merges))) }
}

/// `[UNK]`, three letters, `ab`.
fn chars() -> Spec {
    let merges = vec![Merge { rank: 0, left: 1, right: 2, product: 4 }];
    let vocab = vocab(&[b"[UNK]", b"a", b"b", "ё".as_bytes(), b"ab"]);
    let bpe = Bpe { unk: Some(0), ..Bpe::new(Alphabet::Chars, vocab, merges) };
    let mut spec = Spec::new(Model::Bpe(bpe));
    spec.added_tokens = vec![AddedToken::special("[UNK]", 0)];
    spec.pretokenizer = Some(Pretokenizer::Whitespace);
    spec
}

fn bpe(spec: &mut Spec) -> &mut Bpe {
    let Model::Bpe(bpe) = &mut spec.model else { panic!("not BPE") };
    bpe
}

fn file(spec: &Spec) -> Vec<u8> {
    let written = write_tokenizer_json(spec).unwrap();
    assert_eq!(written.losses, []);
    written.files.into_iter().next().unwrap().bytes
}

fn value(spec: &Spec) -> Value {
    serde_json::from_slice(&file(spec)).unwrap()
}

fn read(value: &Value) -> crate::Result<Spec> {
    read_tokenizer_json(value.to_string().as_bytes())
}

fn round_trip(spec: &Spec) {
    assert_eq!(read_tokenizer_json(&file(spec)).unwrap(), *spec);
}

/// The message for a file in which `change` damaged something.
fn message(mut spec: Value, kind: Kind, change: impl FnOnce(&mut Value)) -> String {
    change(&mut spec);
    let error = read(&spec).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    error.to_string()
}

#[test]
fn every_pattern_comes_back() {
    let named = NAMED.map(|named| Some(Pretokenizer::isolated(Pattern::Named(named))));
    let others = [
        None,
        Some(Pretokenizer::Words),
        Some(Pretokenizer::Whitespace),
        Some(Pretokenizer::isolated(Pattern::Regex(r"\p{L}+|\d".into()))),
        Some(Pretokenizer::Sequence { items: vec![Pretokenizer::Digits { individual: true }, Pretokenizer::Bert] }),
    ];
    for pretokenizer in named.into_iter().chain(others) {
        let mut bytes = Spec { pretokenizer: pretokenizer.clone(), ..byte_level() };
        round_trip(&bytes);
        bytes.decoder = None;
        assert_eq!(read_tokenizer_json(&file(&bytes)).unwrap().decoder, Some(Decoder::ByteLevel));
        round_trip(&Spec { pretokenizer, ..chars() });
    }
}

#[test]
fn every_normalizer_of_the_trainer_comes_back() {
    for name in crate::normalize::NAMES {
        round_trip(&Spec { normalizer: Some(crate::normalize::from_name(name).unwrap()), ..byte_level() });
    }
    let both = crate::normalize::from_names(&["nfkc", "collapse_whitespace"]).unwrap();
    round_trip(&Spec { normalizer: both, ..chars() });
}

#[test]
fn a_normalizer_has_the_tables_of_the_library_unless_the_file_names_others() {
    let nfc = Some(Normalizer::Unicode { form: Form::Nfc });
    let of_16 = Spec { normalizer: nfc, ..chars() };
    let mut file = value(&of_16);
    assert_eq!(file["normalizer"], json!({"type": "NFC", "unicode": {"forms": "16.0"}}));
    file["normalizer"] = json!({"type": "NFC"});
    let of_9 = read(&file).unwrap();
    assert_eq!(of_9.unicode, UnicodeVersions { forms: UnicodeVersion::V9, ..Default::default() });
    round_trip(&of_9);
    let damaged = message(file, Kind::Format, |file| file["normalizer"]["unicode"] = json!({"forms": 16}));
    assert!(damaged.contains("/normalizer/unicode/forms is 16"), "{damaged}");
}

#[test]
fn gpt2_is_the_plain_byte_level_stage() {
    let spec = Spec { pretokenizer: Encoding::named("gpt2").unwrap().pretokenizer, ..byte_level() };
    let stage = &value(&spec)["pre_tokenizer"];
    assert_eq!(stage["type"], "ByteLevel");
    assert_eq!(stage["use_regex"], true);
}

#[test]
fn space_is_written_through_the_map() {
    let file = value(&byte_level());
    assert_eq!(file["model"]["vocab"]["Ġ"], 32);
    assert_eq!(file["model"]["merges"], json!([["a", "b"]]));
}

#[test]
fn an_attached_marker_comes_back() {
    let mut spec = chars();
    bpe(&mut spec).vocab = vocab(&[b"[UNK]", b"a", b"b</w>", "ё".as_bytes(), b"ab</w>"]);
    bpe(&mut spec).end_of_word = Some(EndOfWord { marker: "</w>".into(), attached: true });
    spec.decoder = Some(Decoder::EndOfWord { suffix: "</w>".into() });
    assert_eq!(value(&spec)["model"]["end_of_word_suffix"], "</w>");
    round_trip(&spec);
}

#[test]
fn a_marker_of_its_own_comes_back() {
    for marker in ["_", "</w>"] {
        let mut spec = chars();
        let product = format!("b{marker}");
        bpe(&mut spec).vocab = vocab(&[b"[UNK]", b"a", b"b", marker.as_bytes(), product.as_bytes()]);
        bpe(&mut spec).merges = vec![Merge { rank: 0, left: 2, right: 3, product: 4 }].into();
        bpe(&mut spec).end_of_word = Some(EndOfWord { marker: marker.into(), attached: false });
        for decoder in [None, Some(Decoder::EndOfWord { suffix: marker.into() })] {
            spec.decoder = decoder;
            round_trip(&spec);
            let normalizer = crate::normalize::from_names(&["nfc"]).unwrap();
            round_trip(&Spec { normalizer, ..spec.clone() });
        }
        spec.pretokenizer = None;
        assert_eq!(write_tokenizer_json(&spec).unwrap_err().kind, Kind::Loss);
    }
}

#[test]
fn added_tokens_get_a_place_in_the_vocabulary_where_their_numbers_ask_for_it() {
    let mut spec = byte_level();
    spec.added_tokens = vec![AddedToken::special("<s>", 257), AddedToken::special("</s>", 258)];
    assert!(value(&spec)["model"]["vocab"].get("<s>").is_none());
    round_trip(&spec);
    spec.added_tokens[1].id = 300;
    assert_eq!(value(&spec)["model"]["vocab"]["</s>"], 300);
    assert_eq!(read_tokenizer_json(&file(&spec)).unwrap().added_tokens, spec.added_tokens);
}

#[test]
fn an_alias_is_a_named_loss() {
    let mut spec = byte_level();
    spec.added_tokens = vec![AddedToken::special("<a>", 257), AddedToken::special("<b>", 257)];
    let written = write_tokenizer_json(&spec).unwrap();
    assert_eq!(written.losses.iter().map(|loss| loss.what).collect::<Vec<_>>(), ["alias"]);
    assert!(written.losses[0].detail.contains("\"<b>\", another name of id 257 beside \"<a>\""));
}

#[test]
fn equal_ranks_are_written_where_they_change_nothing() {
    let mut spec = byte_level();
    bpe(&mut spec).vocab.push(257, b"abb");
    bpe(&mut spec).vocab.push(258, b"bb");
    bpe(&mut spec).merges.extend_from_slice(&[
        Merge { rank: 1, left: 97, right: 258, product: 257 },
        Merge { rank: 1, left: 256, right: 98, product: 257 },
        Merge { rank: 2, left: 98, right: 98, product: 258 },
    ]);
    assert_eq!(write_tokenizer_json(&spec).unwrap().losses, []);
}

#[test]
fn other_stages_come_back() {
    let special = TemplateItem::Special { name: "<s>".into(), ids: vec![257], tokens: vec!["<s>".into()], type_id: 0 };
    let mut spec = byte_level();
    spec.added_tokens = vec![AddedToken { normalized: true, special: false, ..AddedToken::special("<s>", 257) }];
    spec.postprocessor = Some(Postprocessor::Sequence {
        items: vec![
            Postprocessor::ByteLevel { add_prefix_space: true, trim_offsets: false, use_regex: true },
            Postprocessor::Template(Template {
                single: vec![special, TemplateItem::A { type_id: 0 }],
                pair: vec![TemplateItem::A { type_id: 0 }, TemplateItem::B { type_id: 1 }],
            }),
        ],
    });
    spec.truncation =
        Some(Truncation { max_length: 512, stride: 2, strategy: TruncationStrategy::OnlyFirst, side: Side::Left });
    spec.padding = Some(Padding {
        length: Some(8),
        side: Side::Right,
        multiple_of: Some(4),
        pad_id: 257,
        pad_type_id: 0,
        pad_token: "<s>".into(),
    });
    round_trip(&spec);
    spec.padding.as_mut().unwrap().length = None;
    round_trip(&spec);
}

#[test]
fn unknown_fields_are_kept_in_their_places() {
    let mut file = value(&Spec { normalizer: Some(Normalizer::Lowercase), ..byte_level() });
    file["later"] = json!({"deep": [1]});
    file["model"]["a/b"] = json!(2);
    file["normalizer"]["~"] = json!("x");
    let spec = read(&file).unwrap();
    let places: Vec<&str> = spec.unknown_fields.keys().map(String::as_str).collect();
    assert_eq!(places, ["/later", "/model/a~1b", "/normalizer/~0"]);
    let written = write_tokenizer_json(&spec).unwrap();
    file.as_object_mut().unwrap().shift_remove("later");
    assert_eq!(serde_json::from_slice::<Value>(&written.files[0].bytes).unwrap(), file);
    assert_eq!(written.losses[0].detail, "/later; the library refuses a file that has it");
    let lost = Spec { normalizer: None, ..spec };
    assert_eq!(write_tokenizer_json(&lost).unwrap().losses[0].what, "unknown field");
}

#[test]
fn older_files_are_read() {
    let mut file = value(&chars());
    file["model"].as_object_mut().unwrap().shift_remove("type");
    file["model"]["merges"] = json!(["a b"]);
    file.as_object_mut().unwrap().shift_remove("version");
    assert_eq!(read(&file).unwrap(), chars());
}

#[test]
fn a_file_without_a_decoder_joins_with_spaces() {
    let mut file = value(&chars());
    file["decoder"] = Value::Null;
    let spec = read(&file).unwrap();
    assert_eq!(spec.decoder, Some(Decoder::SpaceBetween));
    assert_eq!(value(&spec), file);
}

#[test]
fn damage_is_named_with_its_field() {
    let damaged = |change: fn(&mut Value)| message(value(&byte_level()), Kind::Format, change);
    for (expected, found) in [
        (
            "/model/merges/0 (\"a\" \"zz\"): the right token \"zz\"",
            damaged(|f| f["model"]["merges"] = json!([["a", "zz"]])),
        ),
        ("the product \"ba\"", damaged(|f| f["model"]["merges"] = json!(["b a"]))),
        ("/model/merges/0 is \"a b c\"", damaged(|f| f["model"]["merges"] = json!(["a b c"]))),
        ("a merge has two tokens", damaged(|f| f["model"]["merges"] = json!([["a", "b", "c"]]))),
        ("/model/dropout is 2", damaged(|f| f["model"]["dropout"] = json!(2))),
        ("/model/fuse_unk", damaged(|f| f["model"]["fuse_unk"] = json!("yes"))),
        ("/decoder must be an object, and is a list", damaged(|f| f["decoder"] = json!([]))),
        ("/added_tokens/0/content is missing", damaged(|f| f["added_tokens"] = json!([{"id": 1}]))),
        ("/model is missing", damaged(|f| drop(f.as_object_mut().unwrap().shift_remove("model")))),
        ("integer `-1`", damaged(|f| f["model"]["vocab"]["a"] = json!(-1))),
    ] {
        assert!(found.contains(expected), "{found}");
    }
    let token = json!([{"id": 5, "content": "ab", "special": true, "normalized": false, "lstrip": false,
        "rstrip": false, "single_word": false}]);
    let found = message(value(&byte_level()), Kind::Format, |file| file["added_tokens"] = token);
    assert!(found.contains("\"ab\" has id 5 in /added_tokens and id 256 in /model/vocab"), "{found}");
}

#[test]
fn what_has_no_place_is_unsupported_by_name() {
    let unsupported = |change: fn(&mut Value)| message(value(&byte_level()), Kind::Unsupported, change);
    for (expected, found) in [
        ("/normalizer has the type \"Later\"", unsupported(|f| f["normalizer"] = json!({"type": "Later"}))),
        ("/model has the type \"Later\"", unsupported(|f| f["model"]["type"] = json!("Later"))),
        ("version \"2.0\"", unsupported(|f| f["version"] = json!("2.0"))),
    ] {
        assert!(found.contains(expected), "{found}");
    }
}

/// The specification after a change of the byte-level file, which is written and read again unchanged.
fn changed(change: impl Fn(&mut Value)) -> Spec {
    let mut file = value(&byte_level());
    change(&mut file);
    let spec = read(&file).unwrap();
    assert_eq!(read(&value(&spec)).unwrap(), spec);
    spec
}

fn encoded(spec: &Spec, text: &str) -> Vec<u32> {
    let tokenizer = crate::pipeline::Tokenizer::new(spec.clone()).unwrap();
    let mut ids = Vec::new();
    tokenizer.encode_ordinary(text, &mut ids).unwrap();
    ids
}

#[test]
fn a_byte_level_stage_that_rewrites_stays() {
    let stage = |prefix, regex| json!({"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": true, "use_regex": regex});
    let split = json!({"type": "Split", "pattern": {"String": "Ġ"}, "behavior": "MergedWithNext", "invert": false});
    let sequence = |items: &[Value]| json!({"type": "Sequence", "pretokenizers": items});
    let prefixed = changed(|file| file["pre_tokenizer"] = stage(true, true));
    assert!(matches!(prefixed.pretokenizer, Some(Pretokenizer::ByteLevel { add_prefix_space: true, .. })));
    assert_eq!(encoded(&prefixed, "ab"), encoded(&byte_level(), " ab"));
    let twice = changed(|file| file["pre_tokenizer"] = sequence(&[stage(false, false), stage(false, false)]));
    assert!(twice.model.sees_bytes());
    assert_eq!(encoded(&twice, " "), encoded(&byte_level(), "Ġ"));
    let inner = changed(|file| file["pre_tokenizer"] = sequence(&[stage(false, false), split.clone()]));
    assert!(!inner.model.sees_bytes());
    assert_eq!(encoded(&inner, " ab"), encoded(&byte_level(), " ab"));
}

#[test]
fn a_table_with_other_characters_is_read_as_characters() {
    let other = changed(|file| file["model"]["vocab"]["中"] = json!(999));
    assert!(!other.model.sees_bytes());
    let normalized = changed(|file| {
        file["pre_tokenizer"] = Value::Null;
        file["normalizer"] = json!({"type": "ByteLevel"});
    });
    assert!(!normalized.model.sees_bytes());
    for spec in [&other, &normalized] {
        assert_eq!(spec.decoder, Some(Decoder::ByteLevel));
    }
    assert_eq!(encoded(&other, "é ab"), encoded(&byte_level(), "é ab"));
}

#[test]
fn broken_json_is_named_with_its_place() {
    let error = read_tokenizer_json(b"{\"version\": \"1.0\",\n\"model\": {\"vocab\": {\"a\": x}}}").unwrap_err();
    assert_eq!((error.kind, error.place.line), (Kind::Format, Some(2)));
    for twice in ["{\"a\":1,\"a\":2}", "{\"model\":{},\"model\":{}}", "{\"model\":{\"vocab\":{},\"vocab\":{}}}"] {
        assert!(read_tokenizer_json(twice.as_bytes()).unwrap_err().message.contains("twice"));
    }
    let deep = format!("{{\"x\": {}", "[".repeat(1_000_000));
    assert_eq!(read_tokenizer_json(deep.as_bytes()).unwrap_err().kind, Kind::Format);
    let twice = br#"{"model":{"type":"BPE","vocab":{"a":1,"a":2},"merges":[]}}"#;
    assert!(read_tokenizer_json(twice).unwrap_err().message.contains("\"a\" twice, with ids 1 and 2"));
}

#[test]
fn every_truncation_is_an_error() {
    let file = file(&chars());
    for length in 0..file.len() {
        assert_eq!(read_tokenizer_json(&file[..length]).unwrap_err().kind, Kind::Format);
    }
}

#[test]
fn added_tokens_outside_the_map_keep_their_text() {
    let mut file = value(&byte_level());
    file["model"]["vocab"]["<｜end｜>"] = json!(257);
    file["added_tokens"] = json!([options::write_added(&AddedToken::special("<｜end｜>", 257))]);
    let spec = read(&file).unwrap();
    assert_eq!(spec.model.vocab().entry(257).bytes, "<｜end｜>".as_bytes());
    assert_eq!(value(&spec), file);
}

#[test]
fn two_tokens_with_one_text_are_refused() {
    let mut spec = byte_level();
    bpe(&mut spec).vocab.push(300, b"ab");
    assert_eq!(write_tokenizer_json(&spec).unwrap_err().kind, Kind::Loss);
    let mut spec = byte_level();
    spec.added_tokens = vec![AddedToken::special("ab", 300)];
    assert_eq!(write_tokenizer_json(&spec).unwrap_err().kind, Kind::Loss);
}

#[test]
fn other_models_come_back() {
    let words = vocab(&[b"[UNK]", b"a", b"##b", "ё".as_bytes()]);
    let word_piece =
        WordPiece { vocab: words.clone(), unk: Some(0), continuing_prefix: "##".into(), max_chars_per_word: 100 };
    let unigram = Unigram {
        vocab: words.clone(),
        scores: vec![0.0, -1.25, -0.1 - 0.2, -1e-9],
        unk: Some(0),
        byte_fallback: true,
        pieces: None,
    };
    let word_level = WordLevel { vocab: words.clone(), unk: Some(0), pieces: None };
    let open = WordLevel { vocab: words, unk: None, pieces: None };
    for model in
        [Model::WordPiece(word_piece), Model::Unigram(unigram), Model::WordLevel(word_level), Model::WordLevel(open)]
    {
        let mut spec = chars();
        spec.model = model;
        round_trip(&spec);
        // The next number after the vocabulary, as the library gives it.
        spec.added_tokens.push(AddedToken::special("<next>", 4));
        round_trip(&spec);
    }
}

#[test]
fn a_unigram_vocabulary_with_a_hole_is_refused() {
    let vocab = [(0, &b"a"[..]), (2, b"b")].into_iter().collect();
    let scores = vec![-1.0, -2.0];
    let spec = Spec::new(Model::Unigram(Unigram { vocab, scores, unk: None, byte_fallback: false, pieces: None }));
    let error = write_tokenizer_json(&spec).unwrap_err();
    assert!(error.kind == Kind::Loss && error.message.contains("id 1 is not at its own"), "{error}");
}

#[test]
fn the_folder_has_three_files() {
    let mut spec = chars();
    spec.added_tokens.push(AddedToken::special("<s>", 5));
    let written = write_folder(&spec).unwrap();
    let names: Vec<&str> = written.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"]);
    let roles: Value = serde_json::from_slice(&written.files[2].bytes).unwrap();
    assert_eq!(roles, json!({"unk_token": "[UNK]", "additional_special_tokens": ["<s>"]}));
}

#[test]
fn side_files_are_written_back_beside_tokenizer_json() {
    let mut spec = chars();
    let config = json!({"tokenizer_class": "X", "chat_template": "{{ messages }}"});
    spec.unknown_fields.insert("file:tokenizer_config.json".into(), config.clone());
    spec.unknown_fields.insert("file:chat_template.jinja".into(), json!("{{ bos_token }}"));
    let written = write_folder(&spec).unwrap();
    assert_eq!(written.losses, []);
    let content = |name: &str| &written.files.iter().find(|file| file.name == name).unwrap().bytes;
    assert_eq!(serde_json::from_slice::<Value>(content("tokenizer_config.json")).unwrap(), config);
    assert_eq!(content("chat_template.jinja"), b"{{ bos_token }}");
    let alone = write_tokenizer_json(&spec).unwrap();
    assert_eq!(alone.losses.iter().map(|loss| loss.what).collect::<Vec<_>>(), ["side file"; 2]);
}

fn vocab_merges_again(spec: &Spec, spelling: Spelling) -> Spec {
    let written = write_vocab_merges(spec).unwrap();
    let encoding = Encoding {
        normalizer: spec.normalizer.clone(),
        pretokenizer: spec.pretokenizer.clone(),
        added_tokens: spec.added_tokens.clone(),
        ..Encoding::default()
    };
    read_vocab_merges(&written.files[0].bytes, &written.files[1].bytes, encoding, spelling).unwrap()
}

#[test]
fn vocab_and_merges_come_back() {
    let mut spec = Spec { pretokenizer: Encoding::named("gpt2").unwrap().pretokenizer, ..byte_level() };
    assert_eq!(write_vocab_merges(&spec).unwrap().losses, []);
    assert_eq!(vocab_merges_again(&spec, Spelling::default()), spec);
    spec.pretokenizer = None;
    assert_eq!(write_vocab_merges(&spec).unwrap().losses[0].what, "pattern");
    let spec = chars();
    let spelling = Spelling { alphabet: Alphabet::Chars, end_of_word: None, unk: Some("[UNK]".into()) };
    assert_eq!(vocab_merges_again(&spec, spelling), spec);
    let losses: Vec<&str> = write_vocab_merges(&spec).unwrap().losses.iter().map(|loss| loss.what).collect();
    assert_eq!(losses, ["special tokens", "unknown token"]);
}

#[test]
fn merges_that_are_no_lines_are_refused() {
    let mut spec = chars();
    bpe(&mut spec).vocab = vocab(&[b"[UNK]", b" ", b"b", b"c", b" b"]);
    assert!(write_vocab_merges(&spec).unwrap_err().message.contains("cannot be a line of merges.txt"));
}

#[test]
fn damaged_merges_name_the_line() {
    let read = |merges: &[u8]| {
        let vocab = br#"{"a": 0, "b": 1, "ab": 2}"#;
        let spelling = Spelling { alphabet: Alphabet::Chars, ..Spelling::default() };
        read_vocab_merges(vocab, merges, Encoding::default(), spelling)
    };
    assert!(read(b"#version: 0.2\r\na b\r\n").is_ok());
    assert_eq!(read(b"#version: 0.2\na b\nab\n").unwrap_err().place.line, Some(3));
    assert_eq!(read(b"a  b").unwrap_err().kind, Kind::Format);
    assert_eq!(read(b"a \xff").unwrap_err().place.source.as_deref(), Some("merges.txt"));
}

proptest! {
    /// Whatever can be written reads as a specification that is written the same again.
    #[test]
    fn reading_what_was_written_is_stable(spec in arbitrary::spec(), bytes in any::<bool>()) {
        let mut spec = Spec { model: if bytes { byte_level().model } else { chars().model }, ..spec };
        spec.added_tokens.truncate(2);
        if let Ok(written) = write_tokenizer_json(&spec)
            && let Ok(again) = read_tokenizer_json(&written.files[0].bytes)
        {
            let twice = write_tokenizer_json(&again).unwrap();
            prop_assert!(read_tokenizer_json(&twice.files[0].bytes).unwrap() == again);
        }
    }

    #[test]
    fn changed_files_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = file(&chars());
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = read_tokenizer_json(&bytes);
    }
}
