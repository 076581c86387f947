use proptest::prelude::*;

use super::*;
use crate::added::SpecialPolicy;
use crate::pretokenize::pretokenizer_of;
use crate::spec::{Bpe, Model, Spec};
use crate::train::{BpeOptions, Limit, WordTable, assemble, train_bpe};

const WORDS: [&str; 12] =
    ["the ", "other", "мама ", "мыла", "中文字", "aaaaaa", "1234", " \n\n", "it's", "Ünï", "....", "x"];

fn trained(merges: u32, ignore_merges: bool) -> Tokenizer {
    let mut table = WordTable::new();
    for (place, word) in WORDS.into_iter().chain(["them", "ма", "aaa", "aa"]).enumerate() {
        table.add(word.as_bytes(), 1 + place as u64 % 3, place as u64);
    }
    let options = BpeOptions::new(Limit::Merges(merges));
    let trained = train_bpe(table.into_words_by_place(), &options, &mut ()).unwrap();
    let mut spec = assemble(trained, &options, None, Some(pretokenizer_of("o200k").unwrap()));
    if let Model::Bpe(bpe) = &mut spec.model {
        bpe.ignore_merges = ignore_merges;
    }
    Tokenizer::new(spec).unwrap()
}

/// Every way, one after the other; the merges where nothing hides them.
fn all_paths() -> Vec<Paths> {
    let usual = Paths::default();
    let scanners = SCANNERS.map(|(_, scanner)| Paths { scanner, ..usual });
    let lookups = [(true, false), (false, true), (false, false)].map(|(cache, whole)| Paths { cache, whole, ..usual });
    let merges = MERGINGS.map(|(_, merging)| Paths { merging, cache: false, whole: false, ..usual });
    scanners.into_iter().chain(lookups).chain(merges).collect()
}

fn ways(tokenizer: &Tokenizer) -> Vec<Tokenizer> {
    let made = all_paths().into_iter().filter_map(|paths| match tokenizer.with_paths(paths) {
        Err(error) => {
            assert_eq!((error.kind, paths.scanner), (Kind::Unsupported, Scanner::Avx2));
            None
        }
        made => made.ok(),
    });
    made.collect()
}

/// The definition: of all pairs the one of the lowest rank, the leftmost among equals, until there is none.
fn definition(bpe: &Bpe, piece: &[u8]) -> Vec<u32> {
    let id_of = |bytes: &[u8]| bpe.vocab.iter().find(|entry| entry.bytes == bytes).map(|entry| entry.id);
    if let Some(id) = id_of(piece).filter(|_| bpe.ignore_merges) {
        return vec![id];
    }
    let mut ids: Vec<u32> = piece.chunks(1).map(|byte| id_of(byte).unwrap()).collect();
    loop {
        let merge_at = |at: usize| bpe.merges.iter().find(|merge| [merge.left, merge.right] == ids[at..at + 2]);
        let found = (0..ids.len().saturating_sub(1)).filter_map(|at| Some((merge_at(at)?, at)));
        let Some((merge, at)) = found.min_by_key(|&(merge, at)| (merge.rank, at)) else { return ids };
        ids.splice(at..at + 2, [merge.product]);
    }
}

fn expected(spec: &Spec, text: &str) -> Vec<u32> {
    let Model::Bpe(bpe) = &spec.model else { panic!("a byte-pair model") };
    let pattern = fancy_regex::Regex::new(crate::spec::NamedPattern::O200k.regex()).unwrap();
    pattern.find_iter(text).flat_map(|found| definition(bpe, found.unwrap().as_str().as_bytes())).collect()
}

#[track_caller]
fn check(tokenizer: &Tokenizer, ways: &[Tokenizer], text: &str) {
    let (expected, policy) = (expected(tokenizer.spec(), text), SpecialPolicy::default());
    for way in ways.iter().chain(ways) {
        let mut ids = Vec::new();
        way.encode(text, &policy, &mut ids).unwrap();
        assert_eq!(ids, expected, "{:?} {text:?}", way.paths());
        assert_eq!(way.count(text, &policy).unwrap(), expected.len(), "{:?} {text:?}", way.paths());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_way_gives_the_ids_of_the_definition(
        merges in 1..60_u32,
        whole in any::<bool>(),
        texts in prop::collection::vec(prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60), 1..4),
    ) {
        let tokenizer = trained(merges, whole);
        let ways = ways(&tokenizer);
        texts.iter().for_each(|words| check(&tokenizer, &ways, &words.concat()));
    }
}

#[test]
fn long_pieces_and_runs_too() {
    let tokenizer = trained(50, false);
    let ways = ways(&tokenizer);
    for text in ["a".repeat(700), "other".repeat(60), "мама".repeat(50), ".".repeat(300) + &"aa ".repeat(99)] {
        check(&tokenizer, &ways, &text);
    }
}

#[test]
fn nothing_is_learned_without_a_cache() {
    let tokenizer = trained(50, false).without_cache().unwrap();
    assert_eq!(tokenizer.paths(), Paths { cache: false, ..Paths::default() });
    let mut scratch = tokenizer.take_scratch();
    let policy = SpecialPolicy::default();
    tokenizer.encode_with(&"other them ".repeat(9), &policy, &mut scratch, &mut |_| Ok(()), &mut Vec::new()).unwrap();
    assert!(!scratch.has_learned());
    let usual = trained(50, false);
    let mut scratch = usual.take_scratch();
    usual.encode_with("otherthem other", &policy, &mut scratch, &mut |_| Ok(()), &mut Vec::new()).unwrap();
    assert!(scratch.has_learned());
    // Another model's work space keeps what it was told.
    let mut scratch = tokenizer.take_scratch();
    usual.encode_with("otherthem other", &policy, &mut scratch, &mut |_| Ok(()), &mut Vec::new()).unwrap();
    assert!(!scratch.has_learned());
}

#[test]
fn names_are_checked() {
    for (scanner, merging) in [("avx1024", "automatic"), ("regex", "by hand")] {
        let error = Paths::named(scanner, true, true, merging).unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains("expected one of automatic"), "{error}");
    }
    assert_eq!(Paths::named("automatic", true, true, "automatic"), Ok(Paths::default()));
}
