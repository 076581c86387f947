use proptest::prelude::*;

use super::*;
use crate::added::{Names, SpecialPolicy};
use crate::spec::{AddedToken, Form, Model, Normalizer as N, PrependScheme, Pretokenizer as P, Spec, Vocab, WordLevel};

const ALL: SpecialPolicy = SpecialPolicy { allowed: Names::All, disallowed: Names::None };

/// Every pre-token is the unknown token 0.
fn spec() -> Spec {
    let vocab: Vocab = [(0, &b"?"[..])].into_iter().collect();
    Spec::new(Model::WordLevel(WordLevel { vocab, unk: Some(0), pieces: None }))
}

fn metaspace(prepend_scheme: PrependScheme) -> P {
    P::Metaspace { replacement: '▁', prepend_scheme, split: true }
}

fn texts(pieces: &[HfPiece]) -> Vec<String> {
    let text = |piece: &HfPiece| match piece {
        HfPiece::Added { id, start, end, text } => format!("{id}:{text}@{start}-{end}"),
        HfPiece::Text(text) => format!("{}@{}-{}", text.text(), text.origin().start, text.origin().end),
    };
    pieces.iter().map(text).collect()
}

#[test]
fn pieces_have_the_places_of_the_library() {
    let mut spec = spec();
    spec.normalizer = Some(N::Lowercase);
    spec.pretokenizer = Some(metaspace(PrependScheme::First));
    let normalized = AddedToken { normalized: true, lstrip: true, ..AddedToken::special("DAY", 2) };
    spec.added_tokens = vec![AddedToken { rstrip: true, ..AddedToken::special("<s>", 1) }, normalized];
    let tokenizer = Tokenizer::new(spec).unwrap();
    let pieces = tokenizer.pretokenize_hf("Mon Day<s> é", true).unwrap();
    assert_eq!(texts(&pieces), ["▁mon@0-3", "2: day@3-7", "1:<s> @7-11", "é@11-13"]);
    let pieces = tokenizer.pretokenize_hf("DAY<s>", false).unwrap();
    assert_eq!(texts(&pieces), ["▁day<s>@0-6"]);
}

#[test]
fn a_stripped_space_belongs_to_the_added_token() {
    let mut spec = spec();
    spec.pretokenizer = Some(P::Whitespace);
    spec.added_tokens = vec![AddedToken { lstrip: true, rstrip: true, ..AddedToken::special("<m>", 1) }];
    let explained = Tokenizer::new(spec).unwrap().explain("a  <m> b c", &ALL).unwrap();
    assert_eq!(explained.byte_spans, [(0, 1), (1, 7), (7, 8), (9, 10)]);
    assert_eq!((explained.ids, explained.dropped), (vec![0, 1, 0, 0], vec![(8, 9)]));
}

fn normalizer() -> impl Strategy<Value = Option<N>> {
    prop::sample::select(vec![
        None,
        Some(N::Lowercase),
        Some(N::Unicode { form: Form::Nfkd }),
        Some(N::Strip { left: true, right: true }),
        Some(N::Prepend { content: "▁".to_owned() }),
    ])
}

fn pretokenizer() -> impl Strategy<Value = Option<P>> {
    let sequence = |items: &[P]| Some(P::Sequence { items: items.to_vec() });
    let byte_level = P::ByteLevel { add_prefix_space: true, use_regex: true, trim_offsets: true };
    prop::sample::select(vec![
        None,
        Some(P::Bert),
        Some(metaspace(PrependScheme::First)),
        Some(metaspace(PrependScheme::Always)),
        Some(byte_level.clone()),
        sequence(&[P::Whitespace, metaspace(PrependScheme::First)]),
        sequence(&[byte_level, P::FixedLength { length: 2 }, metaspace(PrependScheme::First)]),
    ])
}

fn content() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["<m>", "a", "ab", " ", "A ½", "é", "m>", "\n"])
}

fn text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["<m>", "a", "ab", " ", "A ½", "é", "\n", "½", "▁", "x", "İ", "  ", "中"]);
    prop::collection::vec(part, 0..10).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn both_ways_see_the_same_pieces(
        normalizer in normalizer(),
        pretokenizer in pretokenizer(),
        tokens in prop::collection::btree_map(content(), any::<[bool; 5]>(), 0..4),
        text in text(),
    ) {
        let added_tokens: Vec<AddedToken> = (1u32..).zip(tokens).map(|(id, (content, flags))| {
            let [special, normalized, lstrip, rstrip, single_word] = flags;
            AddedToken { special, normalized, lstrip, rstrip, single_word, ..AddedToken::special(content, id) }
        }).collect();
        let tokenizer = Tokenizer::new(Spec { normalizer, pretokenizer, added_tokens, ..spec() }).unwrap();

        let explained = tokenizer.explain(&text, &ALL).unwrap();
        let seen: Vec<&str> = explained.pretokens.iter().map(|pretoken| pretoken.text.as_str()).collect();
        let pieces = tokenizer.pretokenize_hf(&text, true).unwrap();
        let library: Vec<&str> = pieces.iter().map(|piece| match piece {
            HfPiece::Added { text, .. } => text.as_str(),
            HfPiece::Text(text) => text.text(),
        }).collect();
        prop_assert_eq!(seen, library);

        let mut ids = Vec::new();
        tokenizer.encode(&text, &ALL, &mut ids).unwrap();
        prop_assert_eq!(&ids, &explained.ids);
        prop_assert_eq!(tokenizer.count(&text, &ALL).unwrap(), ids.len());

        let mut spans: Vec<(usize, usize)> = explained.byte_spans.iter().chain(&explained.dropped).copied().collect();
        spans.sort_unstable();
        let mut end = 0;
        for (from, to) in spans {
            prop_assert_eq!(from, end);
            end = to;
        }
        prop_assert_eq!(end, text.len());
    }
}
