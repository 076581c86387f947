use super::*;
use crate::pipeline::Tokenizer;
use crate::spec::{
    AddedToken, Model, Padding, Postprocessor, Pretokenizer, Side, Truncation, TruncationStrategy, Vocab, WordLevel,
};

const WORDS: [&str; 9] = ["[UNK]", "a", "b", "c", "d", "e", "[CLS]", "[SEP]", "[PAD]"];

fn tokenizer() -> Tokenizer {
    let vocab: Vocab = (0..).zip(WORDS).map(|(id, text)| (id, text.as_bytes())).collect();
    let mut spec = Spec::new(Model::WordLevel(WordLevel { vocab, unk: Some(0), pieces: None }));
    spec.pretokenizer = Some(Pretokenizer::Words);
    spec.added_tokens.push(AddedToken::special("[SEP]", 7));
    spec.postprocessor = Some(Postprocessor::Bert { sep: ("[SEP]".into(), 7), cls: ("[CLS]".into(), 6) });
    Tokenizer::new(spec).unwrap()
}

fn options() -> Options {
    Options { add_special_tokens: true, encode_special_tokens: false, ids_only: false, truncation: None, padding: None }
}

fn tokens<'e>(tokenizer: &'e Tokenizer, encoding: &'e FullEncoding) -> Vec<&'e str> {
    encoding.tokens(tokenizer.decoder(), tokenizer.spec()).unwrap()
}

#[test]
fn a_pair_has_control_tokens_types_words_and_characters() {
    let tokenizer = tokenizer();
    let pair = Input::Text("ё [SEP]b");
    let found = tokenizer.encode_full(&Input::Text("a  zz"), Some(&pair), &options()).unwrap();
    assert_eq!(tokens(&tokenizer, &found), ["[CLS]", "a", "[UNK]", "[SEP]", "[UNK]", "[SEP]", "b", "[SEP]"]);
    assert_eq!(found.type_ids, [0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(found.offsets, [(0, 0), (0, 1), (3, 5), (0, 0), (0, 1), (2, 7), (7, 8), (0, 0)]);
    assert_eq!(found.words, [None, Some(0), Some(1), None, Some(0), Some(1), Some(2), None]);
    let of = |n| Some(n);
    assert_eq!(found.sequence_ids(), [None, of(0), of(0), None, of(1), of(1), of(1), None]);
    assert_eq!(found.word_to_tokens(1, 1), Some((5, 6)));
    assert_eq!(found.char_to_token(7, 1), Some(6));
    assert_eq!(found.char_to_token(1, 0), None);
    assert_eq!(found.token_to_chars(2), Some((0, (3, 5))));
}

#[test]
fn truncation_keeps_windows_and_padding_fills_them() {
    let tokenizer = tokenizer();
    let cut = |max_length, stride, side| Options {
        truncation: Some(Truncation { max_length, stride, strategy: TruncationStrategy::LongestFirst, side }),
        padding: Some(Padding {
            length: None,
            side: Side::Left,
            multiple_of: Some(3),
            pad_id: 8,
            pad_type_id: 2,
            pad_token: "[PAD]".into(),
        }),
        ..options()
    };
    let encode = |options: &Options| tokenizer.encode_full(&Input::Text("a b c d e"), None, options).unwrap();
    let found = encode(&cut(4, 1, Side::Right));
    assert_eq!(tokens(&tokenizer, &found), ["[PAD]", "[PAD]", "[CLS]", "a", "b", "[SEP]"]);
    assert_eq!(found.attention_mask, [0, 0, 1, 1, 1, 1]);
    let windows: Vec<_> = found.overflowing.iter().map(|window| window.ids.clone()).collect();
    assert_eq!(windows, [[8, 8, 6, 2, 3, 7], [8, 8, 6, 3, 4, 7], [8, 8, 6, 4, 5, 7]]);
    assert_eq!(encode(&cut(4, 0, Side::Left)).ids, [8, 8, 6, 4, 5, 7]);
    assert_eq!(encode(&cut(1, 0, Side::Left)).len(), 9);
    let too_far = tokenizer.encode_full(&Input::Text("a b c"), None, &cut(3, 1, Side::Left));
    assert_eq!(too_far.unwrap_err().kind, crate::Kind::Argument);
}

#[test]
fn words_are_numbered_by_the_caller_and_ids_alone_have_no_text() {
    let tokenizer = tokenizer();
    let words = Input::Words(vec!["a b", "c"]);
    let found = tokenizer.encode_full(&words, None, &options()).unwrap();
    assert_eq!(found.words, [None, Some(0), Some(0), Some(1), None]);
    assert_eq!(found.offsets, [(0, 0), (0, 1), (2, 3), (0, 1), (0, 0)]);
    let found = tokenizer.encode_full(&words, None, &Options { ids_only: true, ..options() }).unwrap();
    assert_eq!(found.ids, [6, 1, 2, 3, 7]);
    assert_eq!(tokens(&tokenizer, &found), ["[CLS]", "", "", "", "[SEP]"]);
}

#[test]
fn a_batch_is_its_texts_in_order_and_padded_alike() {
    let tokenizer = tokenizer();
    let inputs: Vec<Inputs> = (0..100).map(|n| (Input::Text(&"a b c d e"[..2 * (n % 4) + 1]), None)).collect();
    let padding = Padding {
        length: None,
        side: Side::Right,
        multiple_of: None,
        pad_id: 8,
        pad_type_id: 0,
        pad_token: String::new(),
    };
    let options = Options { padding: Some(padding), ..options() };
    let serial = tokenizer.encode_full_batch(&inputs, &options, 1, &mut ()).unwrap();
    assert_eq!(tokenizer.encode_full_batch(&inputs, &options, 3, &mut ()).unwrap(), serial);
    assert!(serial.iter().all(|encoding| encoding.len() == 6));
    assert_eq!(serial[1].ids, [6, 1, 2, 7, 8, 8]);
}
