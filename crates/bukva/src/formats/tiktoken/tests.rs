use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::*;
use crate::Kind;
use crate::formats::encodings::Encoding;
use crate::model::Excluded;
use crate::model::bpe::{BpeEncoder, Scratch};
use crate::spec::*;

fn gpt2() -> Encoding {
    Encoding { added_tokens: vec![], ..Encoding::named("gpt2").unwrap() }
}

fn file(tokens: &[(&[u8], u32)]) -> Vec<u8> {
    let line = |(token, rank): &(&[u8], u32)| format!("{} {rank}\n", STANDARD.encode(token));
    tokens.iter().map(line).collect::<String>().into_bytes()
}

fn bytes_and(more: &[(&[u8], u32)]) -> Vec<u8> {
    let bytes: Vec<u8> = (0..=255).collect();
    let mut tokens: Vec<(&[u8], u32)> = bytes.chunks(1).zip(0..).collect();
    tokens.extend(more);
    file(&tokens)
}

fn failure(bytes: &[u8]) -> String {
    let error = read_tiktoken(bytes, gpt2()).unwrap_err();
    assert_eq!(error.kind, Kind::Format, "{error}");
    error.to_string()
}

/// A byte-level BPE whose merges, in order, get the next ids.
fn trained(merges: &[(&str, &str)]) -> Spec {
    let mut vocab = Vocab::new();
    (0..=255u8).for_each(|byte| vocab.push(byte.into(), &[byte]));
    let mut list = Vec::new();
    for (rank, (left, right)) in (0..).zip(merges) {
        let id = |text: &str| vocab.iter().find(|entry| entry.bytes == text.as_bytes()).unwrap().id;
        let (left_id, right_id, product) = (id(left), id(right), 256 + rank);
        vocab.push(product, format!("{left}{right}").as_bytes());
        list.push(Merge { rank, left: left_id, right: right_id, product });
    }
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, list)));
    spec.pretokenizer = gpt2().pretokenizer;
    spec
}

fn bpe(spec: &Spec) -> &Bpe {
    let Model::Bpe(bpe) = &spec.model else { panic!("not BPE") };
    bpe
}

fn ids(spec: &Spec, text: &str) -> Vec<u32> {
    let encoder = BpeEncoder::compile(bpe(spec), &Excluded::none()).unwrap();
    let mut ids = Vec::new();
    encoder.encode(text.as_bytes(), &mut Scratch::new(&encoder), &mut ids).unwrap();
    ids
}

fn losses(spec: &Spec) -> Vec<&'static str> {
    write_tiktoken(spec).unwrap().losses.iter().map(|loss| loss.what).collect()
}

#[test]
fn ranks_become_ids_and_every_split_a_merge() {
    let spec = read_tiktoken(&bytes_and(&[(b"ab", 300), (b"bc", 301), (b"abc", 400)]), gpt2()).unwrap();
    let splits: Vec<u32> = bpe(&spec).merges.iter().map(|merge| merge.rank).collect();
    assert_eq!(splits, [300, 301, 400, 400]);
    assert!(bpe(&spec).ignore_merges);
    assert_eq!(ids(&spec, "abcb"), [400, 98]);
}

#[test]
fn both_line_ends_and_a_missing_last_one_are_read() {
    let unix = bytes_and(&[(b"ab", 300)]);
    let text = String::from_utf8(unix.clone()).unwrap();
    let expected = read_ranks(&unix).unwrap();
    assert_eq!(read_ranks(text.replace('\n', "\r\n").as_bytes()).unwrap(), expected);
    assert_eq!(read_ranks(text.trim_end().as_bytes()).unwrap(), expected);
}

#[test]
fn damage_is_named_with_its_line() {
    let whole = bytes_and(&[]);
    let with = |line: &str| [whole.as_slice(), line.as_bytes()].concat();
    for (line, expected) in [
        ("YWI=", "is not a token in base64, a space and a rank"),
        ("YW?= 300", "is not base64"),
        ("YWI 300", "is not base64"),
        ("YWI= -1", "is not a whole number"),
        ("YWI= +1", "is not a whole number"),
        ("YWI= 4294967296", "is not a whole number"),
        ("YWI= ", "is not a whole number"),
        (" 300", "the token of rank 300 is empty"),
        ("YQ== 300", "token \"a\" was on line 98 already"),
        ("YWI= 97", "rank 97 was on line 98 already"),
    ] {
        let message = failure(&with(line));
        assert!(message.contains(expected) && message.contains("line 257"), "{line}: {message}");
    }
}

#[test]
fn a_missing_byte_is_named() {
    assert!(failure(b"").contains("byte 0x00 has no token among 0 lines"));
    assert!(failure(&file(&[(b"a", 0)])).contains("cut short"));
}

#[test]
fn a_special_token_may_not_take_the_id_of_a_rank() {
    let encoding = Encoding { added_tokens: vec![AddedToken::special("<s>", 97)], ..gpt2() };
    assert_eq!(read_tiktoken(&bytes_and(&[]), encoding).unwrap_err().kind, Kind::Invariant);
}

#[test]
fn what_was_read_is_written_again_byte_for_byte() {
    let bytes = bytes_and(&[(b"ab", 300), (b"abc", 400)]);
    let written = write_tiktoken(&read_tiktoken(&bytes, gpt2()).unwrap()).unwrap();
    assert_eq!(written.files[0].bytes, bytes);
    assert_eq!(written.losses, []);
}

#[test]
fn a_trained_tokenizer_is_written_without_loss() {
    let spec = trained(&[("a", "b"), ("ab", "c"), ("b", "c"), ("abc", "bc")]);
    let written = write_tiktoken(&spec).unwrap().lossless().unwrap();
    let again = read_tiktoken(&written.files[0].bytes, gpt2()).unwrap();
    for text in ["abc", "abcbc", "bcab", "abcabcbcbc", "bcbabcab"] {
        assert_eq!(ids(&again, text), ids(&spec, text), "{text}");
    }
}

#[test]
fn another_order_of_ids_is_a_loss() {
    let mut spec = trained(&[("a", "b"), ("b", "c")]);
    let Model::Bpe(bpe) = &mut spec.model else { unreachable!() };
    bpe.merges.edit(|merges| {
        merges.reverse();
        (0..).zip(merges).for_each(|(rank, merge)| merge.rank = rank);
    });
    let written = write_tiktoken(&spec).unwrap();
    assert!(written.losses[0].detail.contains("here \"b\" + \"c\" → id 257, there \"a\" + \"b\" → id 256"));
    assert_ne!(ids(&read_tiktoken(&written.files[0].bytes, gpt2()).unwrap(), "abc"), ids(&spec, "abc"));
}

#[test]
fn a_token_that_no_merge_makes_is_a_loss() {
    let mut spec = trained(&[("a", "b")]);
    let Model::Bpe(bpe) = &mut spec.model else { unreachable!() };
    bpe.vocab.push(900, b"xy");
    assert_eq!(losses(&spec), ["merges"]);
    // As a special token it is kept apart from the ranks instead.
    spec.added_tokens.push(AddedToken::special("xy", 900));
    assert_eq!(losses(&spec), ["special tokens"]);
}

#[test]
fn other_stages_are_losses_by_name() {
    let mut spec = trained(&[("a", "b")]);
    spec.normalizer = Some(Normalizer::Unicode { form: Form::Nfc });
    spec.pretokenizer = Some(Pretokenizer::isolated(Pattern::Regex("a+".into())));
    spec.added_tokens = vec![AddedToken::special("<s>", 900)];
    spec.unknown_fields.insert("/x".into(), 1.into());
    assert_eq!(losses(&spec), ["normalizer", "pattern", "special tokens", "unknown fields"]);
    let written = write_tiktoken(&spec).unwrap();
    assert!(written.losses[0].detail.starts_with("nfc;") && written.losses[1].detail.contains("\"a+\""));
    assert_eq!(written.lossless().unwrap_err().kind, Kind::Loss);
}

#[test]
fn what_no_rank_file_can_hold_is_refused() {
    let refused = |change: fn(&mut Bpe)| {
        let mut spec = trained(&[("a", "b")]);
        let Model::Bpe(bpe) = &mut spec.model else { unreachable!() };
        change(bpe);
        let error = write_tiktoken(&spec).unwrap_err();
        assert_eq!(error.kind, Kind::Loss);
        error.message
    };
    assert!(refused(|bpe| bpe.alphabet = Alphabet::Chars).contains("characters"));
    assert!(refused(|bpe| bpe.end_of_word = Some(EndOfWord { marker: "_".into(), attached: true })).contains("\"_\""));
    assert!(refused(|bpe| bpe.continuing_prefix = Some("##".into())).contains("\"##\""));
    assert!(refused(|bpe| bpe.vocab.push(900, b"ab")).contains("ids 256 and 900 both spell \"ab\""));
}

proptest! {
    /// Random merges in training order: where the writer finds no loss, ids are the same.
    #[test]
    fn no_loss_means_the_same_ids(
        picks in prop::collection::vec((any::<u16>(), any::<u16>()), 0..12),
        texts in prop::collection::vec("[ab]{1,16}", 30),
    ) {
        let mut tokens = vec!["a".to_owned(), "b".to_owned()];
        let mut merges: Vec<(String, String)> = Vec::new();
        for (left, right) in picks {
            let pair = (tokens[left as usize % tokens.len()].clone(), tokens[right as usize % tokens.len()].clone());
            let product = pair.0.clone() + &pair.1;
            if !tokens.contains(&product) && product.len() < 9 {
                tokens.push(product);
                merges.push(pair);
            }
        }
        let merges: Vec<(&str, &str)> = merges.iter().map(|(left, right)| (left.as_str(), right.as_str())).collect();
        let spec = trained(&merges);
        let written = write_tiktoken(&spec).unwrap();
        let again = read_tiktoken(&written.files[0].bytes, gpt2()).unwrap();
        if written.losses.is_empty() {
            for text in &texts {
                prop_assert_eq!(ids(&again, text), ids(&spec, text));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        prop_assert_eq!(read_tiktoken(&bytes, gpt2()).unwrap_err().kind, Kind::Format);
    }
}
