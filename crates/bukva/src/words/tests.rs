//! Word by word against the stages, over whole tokenizers.

use proptest::prelude::*;

use crate::added::SpecialPolicy;
use crate::pipeline::Tokenizer;
use crate::spec::{
    Alphabet, Bpe, Form, Merge, Model, Normalizer, Pattern, PrependScheme, Pretokenizer, Spec, Unigram, Vocab,
    WordPiece,
};

fn vocab(tokens: &[&str]) -> Vocab {
    tokens.iter().zip(0..).map(|(token, id)| (id, token.as_bytes())).collect()
}

fn spec(model: Model, normalizer: Option<Normalizer>, pretokenizer: Option<Pretokenizer>) -> Spec {
    Spec { normalizer, pretokenizer, ..Spec::new(model) }
}

/// Tokens of one, two and three characters; merges in another order than ids, several for a token.
fn characters() -> Model {
    let bytes: Vec<String> = (0..=255).map(|byte| format!("<0x{byte:02X}>")).collect();
    let mut tokens: Vec<&str> = bytes.iter().map(String::as_str).collect();
    tokens.extend([
        "\u{2581}",
        "a",
        "b",
        "ж",
        ",",
        "\u{2581}a",
        "ab",
        "\u{2581}ab",
        "\u{2581}\u{2581}",
        "жж",
        "bж",
        ",,",
    ]);
    let id = |token: &str| tokens.iter().position(|&other| other == token).unwrap() as u32;
    let merges = [
        ("a", "b"),
        ("\u{2581}", "\u{2581}"),
        ("\u{2581}", "ab"),
        ("b", "ж"),
        (",", ","),
        ("\u{2581}", "a"),
        ("\u{2581}a", "b"),
        ("ж", "ж"),
    ];
    let merge = |(rank, (left, right)): (u32, (&str, &str))| {
        let product = id(&format!("{left}{right}"));
        Merge { rank, left: id(left), right: id(right), product }
    };
    Model::Bpe(Bpe {
        vocab: vocab(&tokens),
        merges: (0..).zip(merges).map(merge).collect::<Vec<_>>().into(),
        alphabet: Alphabet::Chars,
        unk: None,
        fuse_unk: false,
        byte_fallback: true,
        ignore_merges: false,
        continuing_prefix: None,
        end_of_word: None,
        dropout: None,
        pieces: None,
    })
}

fn joined() -> Vec<Spec> {
    let space = || Pattern::Literal(" ".to_owned());
    let replace = || Normalizer::Replace { pattern: space(), content: "\u{2581}".to_owned() };
    let prepend = Normalizer::Prepend { content: "\u{2581}".to_owned() };
    let metaspace = |prepend_scheme| Pretokenizer::Metaspace { replacement: '\u{2581}', prepend_scheme, split: false };
    let sentencepiece = |add_dummy_prefix| Normalizer::SentencePiece {
        charsmap: Vec::new(),
        add_dummy_prefix,
        remove_extra_whitespaces: false,
        escape_whitespaces: true,
        whitespace_as_suffix: false,
    };
    vec![
        spec(characters(), Some(replace()), Some(Pretokenizer::isolated(space()))),
        spec(characters(), Some(Normalizer::Sequence { items: vec![prepend, replace()] }), None),
        spec(characters(), Some(sentencepiece(true)), None),
        spec(characters(), Some(sentencepiece(false)), None),
        spec(characters(), None, Some(metaspace(PrependScheme::First))),
        spec(characters(), None, Some(metaspace(PrependScheme::Always))),
        spec(characters(), None, Some(metaspace(PrependScheme::Never))),
    ]
}

fn apart() -> Vec<Spec> {
    let tokens = ["[UNK]", "a", "b", "ab", "##a", "##b", "ж", "##ж", ",", "中", "—", "e", "##e", "\"", "="];
    let pieces = || WordPiece {
        vocab: vocab(&tokens),
        unk: Some(0),
        continuing_prefix: "##".to_owned(),
        max_chars_per_word: 20,
    };
    let bert = |clean_text, strip_accents, lowercase| Normalizer::Bert {
        clean_text,
        handle_chinese_chars: clean_text,
        strip_accents,
        lowercase,
    };
    let quotes = Normalizer::Replace { pattern: Pattern::Literal("``".to_owned()), content: "\"".to_owned() };
    let items = vec![quotes, Normalizer::Unicode { form: Form::Nfkd }, Normalizer::StripAccents];
    let marked =
        Pretokenizer::Metaspace { replacement: '\u{2581}', prepend_scheme: PrependScheme::Always, split: true };
    let words = || Pretokenizer::Sequence { items: vec![Pretokenizer::Whitespace, marked.clone()] };
    let unigram = || {
        let tokens = ["<unk>", "\u{2581}", "a", "b", "\u{2581}ab", "ab", "e", "\"", "\u{2581}a", ","];
        let scores = vec![0.0, -2.0, -3.0, -3.5, -4.0, -4.5, -3.0, -5.0, -4.25, -3.0];
        Model::Unigram(Unigram { vocab: vocab(&tokens), scores, unk: Some(0), byte_fallback: false, pieces: None })
    };
    let nfkc = || Normalizer::Unicode { form: Form::Nfkc };
    vec![
        spec(Model::WordPiece(pieces()), Some(bert(true, None, true)), Some(Pretokenizer::Bert)),
        spec(Model::WordPiece(pieces()), Some(bert(false, None, false)), Some(Pretokenizer::Bert)),
        spec(Model::WordPiece(pieces()), Some(bert(false, Some(true), false)), Some(Pretokenizer::Bert)),
        spec(Model::WordPiece(pieces()), None, Some(Pretokenizer::Bert)),
        spec(Model::WordPiece(pieces()), Some(nfkc()), Some(Pretokenizer::Bert)),
        spec(Model::WordPiece(pieces()), Some(nfkc()), Some(Pretokenizer::Words)),
        spec(unigram(), Some(Normalizer::Sequence { items }), Some(words())),
        spec(unigram(), Some(Normalizer::Lowercase), Some(words())),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let telling: Vec<char> =
        "abABeж,.  \t\n\r\u{2581}中—é\u{301}\u{308}=≠<\u{338}`\"\u{a8}\u{85}\u{a0}\u{3000}\u{200d}\u{0}\u{b}\u{600}한"
            .chars()
            .collect();
    let one = prop_oneof![
        12 => prop::sample::select(telling).prop_map(String::from),
        2 => prop::sample::select(vec!["ab", " ab", "``", "  ", "\r\n", "abababababababababababababababababab"]).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(one, 0..90).prop_map(|parts| parts.concat())
}

#[track_caller]
fn check(tokenizer: &Tokenizer, text: &str) {
    let mut scratch = tokenizer.take_scratch();
    let mut expected = Vec::new();
    tokenizer.through_stages(text, tokenizer.encoder(), &mut scratch, &mut expected).unwrap();
    for _ in 0..2 {
        let mut found = Vec::new();
        tokenizer.encode_ordinary(text, &mut found).unwrap();
        assert_eq!(found, expected, "{text:?}");
        assert_eq!(tokenizer.count(text, &SpecialPolicy::default()), Ok(expected.len()), "{text:?}");
    }
}

fn tokenizers(specs: Vec<Spec>) -> Vec<Tokenizer> {
    let tokenizers: Vec<Tokenizer> = specs.into_iter().map(|spec| Tokenizer::new(spec).unwrap()).collect();
    assert!(tokenizers.iter().all(|tokenizer| super::Words::of(tokenizer).is_some()));
    tokenizers
}

#[test]
fn words_equal_the_stages() {
    let tokenizers = tokenizers([joined(), apart()].concat());
    proptest!(ProptestConfig::with_cases(1500), |(text in text())| {
        tokenizers.iter().for_each(|tokenizer| check(tokenizer, &text));
    });
}

#[test]
fn every_code_point_beside_blanks_and_punctuation() {
    let tokenizers = tokenizers(apart());
    for character in (0..0x1_1000).chain(0x1_F300..0x1_F700).chain(0x2_0000..0x2_0100).filter_map(char::from_u32) {
        let text = format!("a{character}a {character} a,{character},a\u{301}{character} {character}{character}");
        tokenizers.iter().for_each(|tokenizer| check(tokenizer, &text));
    }
}
