//! Special tokens that the vocabulary spells, in small random models of every kind.

use proptest::prelude::*;
use rustc_hash::FxHashSet;

use crate::added::{Names, SpecialPolicy};
use crate::encoding::{Input, Options};
use crate::error::Kind;
use crate::pipeline::Tokenizer;
use crate::spec::{
    AddedToken, Alphabet, Bpe, EndOfWord, Merge, Model, PieceKind, Pieces, Spec, Unigram, Vocab, WordLevel, WordPiece,
};

fn vocab(tokens: &[String]) -> Vocab {
    (0..).zip(tokens).map(|(id, token)| (id, token.as_bytes())).collect()
}

fn distinct(tokens: Vec<String>) -> Vec<String> {
    let mut seen = FxHashSet::default();
    tokens.into_iter().filter(|token| seen.insert(token.clone())).collect()
}

/// Merges of two earlier tokens each, by their numbers.
fn bpe(pairs: &[(prop::sample::Index, prop::sample::Index)], marker: bool) -> Bpe {
    let units = ["?", "a", "b", "c"].map(str::to_owned);
    let marked = ["a", "b", "c"].map(|unit| format!("{unit}."));
    let mut tokens: Vec<String> = units.into_iter().chain(marked.into_iter().filter(|_| marker)).collect();
    let mut merges: Vec<Merge> = Vec::new();
    for (left, right) in pairs {
        let (left, right) = (left.index(tokens.len()), right.index(tokens.len()));
        let spelled = tokens[left].clone() + &tokens[right];
        if tokens[left].ends_with('.')
            || merges.iter().any(|merge| (merge.left, merge.right) == (left as u32, right as u32))
        {
            continue;
        }
        let product = tokens.iter().position(|token| *token == spelled).unwrap_or(tokens.len());
        if product == tokens.len() {
            tokens.push(spelled);
        }
        merges.push(Merge {
            rank: merges.len() as u32,
            left: left as u32,
            right: right as u32,
            product: product as u32,
        });
    }
    let end_of_word = marker.then(|| EndOfWord { marker: ".".to_owned(), attached: true });
    Bpe { end_of_word, ..Bpe::new(Alphabet::Chars, vocab(&tokens), merges) }
}

fn words(prefix: &'static str) -> impl Strategy<Value = Vec<String>> {
    let word = (any::<bool>(), "[abc<]{1,4}");
    let words = prop::collection::vec(
        word.prop_map(move |(inside, word)| if inside { format!("{prefix}{word}") } else { word }),
        1..25,
    );
    words.prop_map(|words| distinct(["?", "a", "b", "c"].map(str::to_owned).into_iter().chain(words).collect()))
}

fn unk() -> impl Strategy<Value = Option<u32>> {
    prop::sample::select(vec![Some(0), None])
}

fn model() -> impl Strategy<Value = Model> {
    let pairs = prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..25);
    let flags = (any::<bool>(), any::<bool>(), prop::sample::select(vec![false, false, true]), any::<bool>());
    let merged = (pairs, unk(), flags).prop_map(|(pairs, unk, (fuse_unk, ignore_merges, marker, pieces))| {
        let bpe = bpe(&pairs, marker);
        let count = bpe.vocab.len();
        let kinds =
            (0..count).map(|index| if index % 5 == 4 { PieceKind::Unused } else { PieceKind::Normal }).collect();
        let pieces = (pieces && !marker && !ignore_merges).then(|| Pieces { kinds, scores: vec![0.0; count] });
        Model::Bpe(Bpe { unk, fuse_unk, ignore_merges, pieces, ..bpe })
    });
    let word_piece = (words("##"), unk(), 1..9_u32).prop_map(|(words, unk, max_chars_per_word)| {
        Model::WordPiece(WordPiece {
            vocab: vocab(&words),
            unk,
            continuing_prefix: "##".to_owned(),
            max_chars_per_word,
        })
    });
    let word_level = (words(""), unk())
        .prop_map(|(words, unk)| Model::WordLevel(WordLevel { vocab: vocab(&words), unk, pieces: None }));
    let unigram = (words(""), unk(), prop::collection::vec(-9.0..0.0_f64, 29), any::<bool>()).prop_map(
        |(words, unk, scores, pieces)| {
            let kinds =
                (0..words.len()).map(|index| if index == 0 { PieceKind::Unknown } else { PieceKind::Normal }).collect();
            let pieces = (pieces && unk.is_some()).then(|| Pieces { kinds, scores: vec![0.0; words.len()] });
            let scores = scores[..words.len()].to_vec();
            Model::Unigram(Unigram { vocab: vocab(&words), scores, unk, byte_fallback: false, pieces })
        },
    );
    prop_oneof![2 => merged, 1 => word_piece, 1 => word_level, 2 => unigram]
}

fn tokenizer(model: Model, specials: &[prop::sample::Index]) -> Tokenizer {
    let vocab = model.vocab().clone();
    let ids: FxHashSet<usize> = specials.iter().map(|special| special.index(vocab.len())).collect();
    let mut ids: Vec<usize> = ids.into_iter().collect();
    ids.sort_unstable();
    let text = |id: usize| String::from_utf8(vocab.entry(id).bytes.to_vec()).unwrap();
    let mut spec = Spec::new(model);
    spec.added_tokens = ids.into_iter().map(|id| AddedToken::special(text(id), id as u32)).collect();
    Tokenizer::new(spec).unwrap()
}

fn unk_of(model: &Model) -> Option<u32> {
    match model {
        Model::Bpe(model) => model.unk,
        Model::WordPiece(model) => model.unk,
        Model::Unigram(model) => model.unk,
        Model::WordLevel(model) => model.unk,
    }
}

/// All special tokens plain text.
fn plain() -> SpecialPolicy {
    SpecialPolicy { allowed: Names::None, disallowed: Names::None }
}

fn as_library(tokenizer: &Tokenizer, text: &str) -> crate::Result<Vec<u32>> {
    let options = Options {
        add_special_tokens: false,
        encode_special_tokens: true,
        ids_only: true,
        truncation: None,
        padding: None,
    };
    tokenizer.encode_full(&Input::Text(text), None, &options).map(|encoding| encoding.ids)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn no_text_becomes_a_special_token(
        model in model(),
        specials in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        text in "[abc<]{0,12}",
        seed in any::<u64>(),
    ) {
        let tokenizer = tokenizer(model, &specials);
        let model = &tokenizer.spec().model;
        let special = |id: &u32| tokenizer.spec().special_tokens().any(|token| token.id == *id) && Some(*id) != unk_of(model);
        let mut ids = Vec::new();
        let outcome = tokenizer.encode(&text, &plain(), &mut ids);
        prop_assert!(!ids.iter().any(special), "{:?}", ids);
        let count = tokenizer.count(&text, &plain());
        let explained = tokenizer.explain(&text, &plain());
        match outcome {
            Err(error) => {
                prop_assert_eq!(error.kind, Kind::UnknownCharacter);
                prop_assert!(count.is_err() && explained.is_err());
            }
            Ok(()) => {
                prop_assert_eq!(count.unwrap(), ids.len());
                prop_assert_eq!(&explained.unwrap().ids, &ids);
                let mut ordinary = Vec::new();
                tokenizer.encode_ordinary(&text, &mut ordinary).unwrap();
                prop_assert_eq!(&ordinary, &ids);
                let plain_model = matches!(model, Model::Unigram(_)) || matches!(model, Model::Bpe(bpe) if bpe.end_of_word.is_none());
                let spelled = unk_of(model).is_none_or(|unk| !text.contains('<') && !ids.contains(&unk));
                if plain_model && spelled {
                    prop_assert_eq!(tokenizer.decoder().bytes(&ids, false).unwrap(), text.as_bytes());
                }
            }
        }
        if let Ok(sampler) = tokenizer.sampler() {
            let sampled = tokenizer.sample(&sampler, &text, 0.5, None, seed).unwrap_or_default();
            prop_assert!(!sampled.iter().any(special), "{:?}", sampled);
        }
    }

    #[test]
    fn ids_without_special_tokens_are_those_of_the_library(
        model in model(),
        specials in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        text in "[abc]{0,12}",
    ) {
        let tokenizer = tokenizer(model, &specials);
        let is_special = |id: &u32| tokenizer.spec().special_tokens().any(|token| token.id == *id);
        let theirs = as_library(&tokenizer, &text);
        let mut without = tokenizer.spec().clone();
        without.added_tokens.clear();
        let without = Tokenizer::new(without).unwrap();
        prop_assert_eq!(&theirs, &as_library(&without, &text));
        if let Ok(theirs) = theirs && !theirs.iter().any(is_special) && tokenizer.spec().model.pieces().is_none() {
            let mut ours = Vec::new();
            if tokenizer.encode(&text, &plain(), &mut ours).is_ok() {
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}
