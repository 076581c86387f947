use super::{as_sentencepiece, as_tokenizers_stages};
use crate::error::Kind;
use crate::formats::sentencepiece::{read_sentencepiece, write_sentencepiece};
use crate::spec::{
    AddedToken, Alphabet, Bpe, Decoder, Merge, Model, Normalizer, Pattern, PrependScheme, Pretokenizer, Spec, Vocab,
};

/// As Llama's: `▁`, `a`, `b`, and three merges.
fn llama() -> Spec {
    let texts = ["<unk>", "<s>", "\u{2581}", "a", "b", "ab", "\u{2581}ab", "bb"];
    let vocab: Vocab = (0..).zip(texts.iter().map(|text| text.as_bytes())).collect();
    let merge = |rank, left, right, product| Merge { rank, left, right, product };
    let merges = vec![merge(0, 3, 4, 5), merge(1, 2, 5, 6), merge(2, 4, 4, 7)];
    let bpe = Bpe { unk: Some(0), fuse_unk: true, ..Bpe::new(Alphabet::Chars, vocab, merges) };
    let mark = "\u{2581}".to_owned();
    let replace = |pattern: &str, content: &str| (Pattern::Literal(pattern.to_owned()), content.to_owned());
    let (pattern, content) = replace(" ", &mark);
    let items = vec![Normalizer::Prepend { content: mark.clone() }, Normalizer::Replace { pattern, content }];
    let (pattern, content) = replace(&mark, " ");
    let decoders = vec![
        Decoder::Replace { pattern, content },
        Decoder::ByteFallback,
        Decoder::Fuse,
        Decoder::Strip { content: ' ', start: 1, stop: 0 },
    ];
    Spec {
        normalizer: Some(Normalizer::Sequence { items }),
        added_tokens: vec![AddedToken::special("<unk>", 0), AddedToken::special("<s>", 1)],
        decoder: Some(Decoder::Sequence { items: decoders }),
        ..Spec::new(Model::Bpe(bpe))
    }
}

fn names(losses: &[crate::formats::Loss]) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.what).collect()
}

#[test]
fn there_and_back_is_the_same_tokenizer() {
    let spec = llama();
    let (model, losses) = as_sentencepiece(&spec).unwrap();
    assert_eq!(losses, []);
    let written = write_sentencepiece(&spec).unwrap();
    assert_eq!(written.losses, []);
    let again = read_sentencepiece(&written.files[0].bytes).unwrap();
    assert_eq!((&again.model, &again.normalizer, &again.decoder), (&model.model, &model.normalizer, &model.decoder));
    let (stages, losses) = as_tokenizers_stages(&again).unwrap();
    assert_eq!(names(&losses), ["unknown surface", "training fields"]);
    assert_eq!(stages, spec);
}

#[test]
fn metaspace_differs_where_a_text_begins_with_a_space() {
    let metaspace =
        Pretokenizer::Metaspace { replacement: '\u{2581}', prepend_scheme: PrependScheme::First, split: false };
    let spec = Spec { normalizer: None, pretokenizer: Some(metaspace), ..llama() };
    let (model, losses) = as_sentencepiece(&spec).unwrap();
    assert_eq!(names(&losses), ["prefix", "prefix"]);
    assert_eq!(model.normalizer, as_sentencepiece(&llama()).unwrap().0.normalizer);
}

#[test]
fn merges_that_scores_cannot_say_are_a_loss() {
    let mut spec = llama();
    let Model::Bpe(bpe) = &mut spec.model else { panic!() };
    // Nothing makes `bb`, but its characters are pieces.
    bpe.merges = bpe.merges[..2].to_vec().into();
    assert_eq!(names(&as_sentencepiece(&spec).unwrap().1), ["merges"]);
}

#[test]
fn other_stages_are_refused() {
    let refused = |spec: Spec| as_sentencepiece(&spec).unwrap_err();
    assert_eq!(refused(Spec { normalizer: Some(Normalizer::Lowercase), ..llama() }).kind, Kind::Loss);
    assert_eq!(refused(Spec { pretokenizer: Some(Pretokenizer::Words), ..llama() }).kind, Kind::Loss);
    let mut holes = llama();
    holes.added_tokens.push(AddedToken::special("<x>", 12));
    assert!(refused(holes).message.contains("id 8 has no token"));
}

#[test]
fn runs_of_equal_score_grow_from_the_left_in_both() {
    let mut spec = as_sentencepiece(&llama()).unwrap().0;
    let Model::Bpe(bpe) = &mut spec.model else { panic!() };
    let texts = ["<unk>", "a", "aa", "aaa", "aaaa"];
    bpe.vocab = (0..).zip(texts.iter().map(|text| text.as_bytes())).collect();
    let merge = |left, right, product| Merge { rank: 0, left, right, product };
    bpe.merges = vec![merge(1, 1, 2), merge(1, 2, 3), merge(2, 1, 3), merge(2, 2, 4), merge(3, 1, 4)].into();
    bpe.pieces.as_mut().unwrap().kinds = vec![crate::spec::PieceKind::Normal; 5];
    spec.added_tokens.clear();
    let (stages, losses) = as_tokenizers_stages(&spec).unwrap();
    assert_eq!(names(&losses), ["unknown surface"]);
    let Model::Bpe(bpe) = &stages.model else { panic!() };
    let order: Vec<(u32, u32)> = bpe.merges.iter().map(|merge| (merge.left, merge.right)).collect();
    assert_eq!(order, [(3, 1), (2, 2), (2, 1), (1, 2), (1, 1)]);
}
