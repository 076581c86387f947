//! Unigram against plain dynamic programming over the whole text.

use proptest::prelude::*;

use super::*;
use crate::error::Kind;
use crate::model::random::Random;
use crate::model::{Excluded, TokenSpan};
use crate::spec::{PieceKind, Pieces, Unigram, Vocab};

/// A model of the `tokenizers` library, the unknown token first.
fn model(pieces: &[(&str, f64)]) -> Unigram {
    let all: Vec<(&str, f64)> = [("<unk>", 0.0)].into_iter().chain(pieces.iter().copied()).collect();
    let vocab: Vocab = all.iter().zip(10..).map(|(piece, id)| (id, piece.0.as_bytes())).collect();
    let scores = all.iter().map(|piece| piece.1).collect();
    Unigram { vocab, scores, unk: Some(10), byte_fallback: false, pieces: None }
}

/// The same as a SentencePiece model.
fn sentencepiece(pieces: &[(&str, f64)], kinds: &[PieceKind]) -> Unigram {
    let model = model(pieces);
    let kinds = [PieceKind::Unknown].into_iter().chain(kinds.iter().copied()).collect();
    let scores: Vec<f32> = model.scores.iter().map(|&score| score as f32).collect();
    Unigram { scores: scores.iter().copied().map(f64::from).collect(), pieces: Some(Pieces { kinds, scores }), ..model }
}

fn encoded(model: &Unigram, text: &str) -> Vec<u32> {
    let encoder = UnigramEncoder::compile(model, &Excluded::none());
    let mut scratch = encoder.scratch();
    let (mut first, mut ids, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
    let spans = [(0, text.len())];
    encoder.encode_spans(text.as_bytes(), &spans, &mut scratch, &mut first).unwrap();
    encoder.encode_spans(text.as_bytes(), &spans, &mut scratch, &mut ids).unwrap();
    encoder.tokens(text.as_bytes(), &mut scratch, &mut tokens).unwrap();
    assert_eq!(first, ids, "{text:?}");
    assert_eq!(tokens.iter().map(|token| token.id).collect::<Vec<_>>(), ids, "{text:?}");
    assert_eq!(encoder.count_spans(text.as_bytes(), &spans, &mut scratch), Ok(ids.len()));
    ids
}

fn places(model: &Unigram, text: &str) -> Vec<(u32, u32, u32)> {
    let encoder = UnigramEncoder::compile(model, &Excluded::none());
    let mut tokens: Vec<TokenSpan> = Vec::new();
    encoder.tokens(text.as_bytes(), &mut encoder.scratch(), &mut tokens).unwrap();
    tokens.iter().map(|token| (token.id, token.start, token.end)).collect()
}

/// SentencePiece's search, whole text, single sums; unknown characters are the entry 0.
fn naive_single(pieces: &[(&str, f64)], text: &str) -> Vec<u32> {
    let low = pieces.iter().map(|piece| piece.1 as f32).fold(f32::MAX, f32::min);
    let mut best: Vec<Option<(f32, usize, u32)>> = vec![None; text.len() + 1];
    best[0] = Some((0.0, 0, 0));
    for (start, c) in text.char_indices() {
        let total = best[start].unwrap().0;
        let less = if total.abs() > 100_000.0 { total } else { 0.0 };
        best[start..].iter_mut().flatten().for_each(|ending| ending.0 -= less);
        let total = total - less;
        let single = pieces.iter().any(|piece| piece.0.chars().eq([c]));
        let unknown = (start + c.len_utf8(), total + (low - 10.0), 0);
        let found = pieces.iter().zip(1..).filter(|(piece, _)| text[start..].starts_with(piece.0));
        let mut found: Vec<_> = found.map(|(piece, id)| (start + piece.0.len(), total + piece.1 as f32, id)).collect();
        found.extend((!single).then_some(unknown));
        for (end, sum, id) in found {
            if best[end].is_none_or(|known| sum > known.0) {
                best[end] = Some((sum, start, id));
            }
        }
    }
    let (mut ids, mut end) = (Vec::new(), text.len());
    while end > 0 {
        let (_, start, id) = best[end].unwrap();
        if !(id == 0 && ids.last() == Some(&10)) {
            ids.push(id + 10);
        }
        end = start;
    }
    ids.reverse();
    ids
}

#[test]
fn the_highest_sum_wins() {
    let model = model(&[
        ("a", 0.0),
        ("b", 0.0),
        ("c", 0.0),
        ("d", 0.0),
        ("cd", 1.0),
        ("ab", 2.0),
        ("abc", 5.0),
        ("abcd", 10.0),
    ]);
    assert_eq!(encoded(&model, "abcdacdxx"), [18, 11, 15, 10]);
    assert_eq!(encoded(&model, ""), [0; 0]);
    assert_eq!(places(&model, "жxa"), [(10, 0, 3), (11, 3, 4)]);
}

#[test]
fn the_unknown_token_in_the_text_joins_unknown_characters() {
    let model = model(&[("a", -1.0)]);
    assert_eq!(encoded(&model, "<unk>a"), [10, 11]);
    assert_eq!(encoded(&model, "x<unk>xa"), [10, 11]);
}

#[test]
fn byte_pieces_stand_for_a_run_or_for_a_character() {
    let bytes: Vec<String> = (0..=255).map(|byte| format!("<0x{byte:02X}>")).collect();
    let pieces: Vec<(&str, f64)> = [("a", -1.0)].into_iter().chain(bytes.iter().map(|byte| (&byte[..], 0.0))).collect();
    let kinds: Vec<PieceKind> = [PieceKind::Normal].into_iter().chain(bytes.iter().map(|_| PieceKind::Byte)).collect();
    let tokenizers = Unigram { byte_fallback: true, ..model(&pieces) };
    assert_eq!(places(&tokenizers, "aжx"), [(11, 0, 1), (12 + 0xd0, 1, 4), (12 + 0xb6, 1, 4), (12 + 0x78, 1, 4)]);
    let single = Unigram { byte_fallback: true, ..sentencepiece(&pieces, &kinds) };
    assert_eq!(places(&single, "aжx"), [(11, 0, 1), (12 + 0xd0, 1, 1), (12 + 0xb6, 1, 3), (12 + 0x78, 3, 4)]);
}

#[test]
fn without_unknown_token_only_what_is_needed_is_an_error() {
    let model = Unigram { unk: None, ..model(&[("a", -1.0), ("xy", -2.0)]) };
    assert_eq!(encoded(&model, "axy"), [11, 12]);
    let encoder = UnigramEncoder::compile(&model, &Excluded::none());
    let mut ids = vec![7];
    let error = encoder.encode_spans(b"aax", &[(1, 3)], &mut encoder.scratch(), &mut ids).unwrap_err();
    assert_eq!((error.kind, error.place.byte_offset, ids), (Kind::UnknownCharacter, Some(2), vec![7]));
}

#[test]
fn only_what_may_be_in_a_text_is_found() {
    use PieceKind::{Control, Normal, Unused, UserDefined};
    let pieces = [("a", -1.0), ("aa", -9.0), ("aaa", 0.0), ("b", -1.0), ("ab", -5.0)];
    let model = sentencepiece(&pieces, &[Normal, UserDefined, Unused, Control, Normal]);
    assert_eq!(encoded(&model, "aaa"), [11, 12]);
    assert_eq!(encoded(&model, "b"), [10]);
    assert_eq!(encoded(&model, "aab"), [11, 15]);
}

#[test]
fn lists_of_the_best_are_in_order_and_sampled_by_score() {
    let model = model(&[("a", -1.0), ("b", -1.5), ("ab", -2.6)]);
    let encoder = UnigramEncoder::compile(&model, &Excluded::none());
    let found = encoder.nbest(b"abx", 5).unwrap();
    assert_eq!(found.iter().map(|item| &item.0[..]).collect::<Vec<_>>(), [&[11, 12, 10][..], &[13, 10]]);
    let mut random = Random::new(7);
    for n_best in [None, Some(2)] {
        let mut first = 0;
        for _ in 0..20_000 {
            let mut ids = Vec::new();
            encoder.sample(b"ab", 2.0, n_best, &mut random, &mut ids).unwrap();
            first += u32::from(ids == [11, 12]);
        }
        let expected = 1.0 / (1.0 + (-0.2_f64).exp());
        assert!((f64::from(first) / 20_000.0 - expected).abs() < 0.015, "{first}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn single_sums_are_exact_word_by_word(
        found in prop::collection::btree_map("(▁|a|b|ж){1,4}", 1..200_u32, 1..25),
        words in prop::collection::vec("(▁|a|b|ж|x){1,6}", 1..6),
        order in prop::collection::vec(0..6_usize, 1..60),
        scale in prop::sample::select(vec![0.1, 1.0, 1000.0, 100_000.0]),
    ) {
        let pieces: Vec<(&str, f64)> = found.iter().map(|(piece, &score)| (&piece[..], -f64::from(score) * scale)).collect();
        let text: String = order.iter().map(|&index| &words[index % words.len()][..]).collect();
        let model = sentencepiece(&pieces, &vec![PieceKind::Normal; pieces.len()]);
        prop_assert_eq!(encoded(&model, &text), naive_single(&pieces, &text));
    }
}
