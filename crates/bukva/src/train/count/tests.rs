use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::corpus::{Cuts, Cutter, Input, Options};
use crate::monitor::{Progress, Stage};
use crate::normalize::from_names;

/// White space alone, or a run of anything else: may be cut before any white space that follows something else.
struct Toy;

impl Split for Toy {
    fn for_each(&self, text: &str, mut emit: impl FnMut(usize, usize)) -> Result<()> {
        let mut start = 0;
        for (at, c) in text.char_indices() {
            if c.is_whitespace() {
                if start < at {
                    emit(start, at);
                }
                start = at + c.len_utf8();
                emit(at, start);
            }
        }
        if start < text.len() {
            emit(start, text.len());
        }
        Ok(())
    }
}

impl Cutter for Toy {
    fn last_cut(&self, text: &str) -> Option<usize> {
        text.char_indices().skip(1).filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).last()
    }
}

/// Fails at a text with `!`.
struct Failing;

impl Split for Failing {
    fn for_each(&self, text: &str, _: impl FnMut(usize, usize)) -> Result<()> {
        if text.contains('!') { Err(Error::new(Kind::Pattern, "gave up")) } else { Ok(()) }
    }
}

type Listed = Vec<(u64, Vec<u8>, u64)>;

fn run(
    documents: &[String],
    normalizer: Option<&Normalizer>,
    block_bytes: usize,
    threads: usize,
) -> Result<(Listed, CountReport)> {
    let texts = Input::Texts(Box::new(documents.iter().cloned().map(Ok)));
    let options = Options { block_bytes, ..Options::default() };
    let reader = Reader::new(vec![texts], options, Cuts::new(normalizer, &Toy));
    let Counted { table, report } = count(reader, normalizer, &Toy, threads, &mut ())?;
    let words = table.into_words_by_place();
    Ok((words.iter().map(|word| (word.place, word.bytes.to_vec(), word.count)).collect(), report))
}

/// The definition: each document normalized whole and split whole, in order.
fn expected(documents: &[String], normalizer: Option<&Normalizer>) -> Listed {
    let (mut words, mut place) = (BTreeMap::<Vec<u8>, (u64, u64)>::new(), 0);
    for document in documents {
        let text = normalizer.map_or(document.clone(), |normalizer| normalizer.apply(document).unwrap().into_owned());
        Toy.for_each(&text, |start, end| {
            let first = (place + start as u64, 0);
            words.entry(text.as_bytes()[start..end].to_vec()).or_insert(first).1 += 1;
        })
        .unwrap();
        place += text.len() as u64;
    }
    let mut listed: Listed = words.into_iter().map(|(word, (place, count))| (place, word, count)).collect();
    listed.sort();
    listed
}

fn documents() -> impl Strategy<Value = Vec<String>> {
    let part = prop::sample::select(vec![
        "a", "б", "É", "e\u{301}", "\u{301}", " ", "\n", "\t", "\r\n", "ﬁ", "ﷺ", "ﹰ", "가", "ᆨ", "Σ", "\u{a0}", "x y",
    ]);
    let document = prop::collection::vec(part, 0..30).prop_map(|parts| parts.concat());
    prop::collection::vec(document, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_depends_on_blocks_and_threads(
        documents in documents(),
        names in prop::sample::subsequence(vec!["nfkc", "lowercase", "collapse_whitespace", "nfd", "strip"], 0..=3).prop_shuffle(),
        block_bytes in prop_oneof![1usize..40, Just(1 << 20)],
        threads in 1usize..4,
    ) {
        prop_assume!(documents.iter().any(|document| !document.is_empty()));
        let spec = from_names(&names).unwrap();
        let normalizer = spec.map(|spec| Normalizer::compile(&spec).unwrap());
        let (words, report) = run(&documents, normalizer.as_ref(), block_bytes, threads).unwrap();
        prop_assert_eq!(&words, &expected(&documents, normalizer.as_ref()));
        prop_assert_eq!(report.documents, documents.len() as u64);
        prop_assert_eq!(report.bytes, documents.iter().map(String::len).sum::<usize>() as u64);
        prop_assert_eq!(report.pre_tokens, words.iter().map(|word| word.2).sum::<u64>());
    }
}

#[test]
fn an_empty_corpus_is_an_error() {
    let error = run(&[String::new(), String::new()], None, 8, 2).unwrap_err();
    assert_eq!(error.kind, Kind::Corpus);
    assert!(error.message.contains("2 documents"), "{error}");
}

#[test]
fn the_first_error_ends_all_threads() {
    for threads in [1, 2, 3] {
        // Endless: only an error can end it.
        let texts = (0..).map(|number| Ok(if number == 50 { "stop!".to_owned() } else { "go on ".repeat(10) }));
        let options = Options { block_bytes: 16, ..Options::default() };
        let reader = Reader::new(vec![Input::Texts(Box::new(texts))], options, Cuts::new(None, &Toy));
        let error = count(reader, None, &Failing, threads, &mut ()).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (Kind::Pattern, "gave up"));
        assert!(error.place.source.is_some_and(|source| source.contains("byte 3000")));
    }
}

#[test]
fn an_error_of_the_reader_is_given() {
    let texts = (0..).map(|number| if number < 50 { Ok("text".into()) } else { Err(Error::new(Kind::Io, "gone")) });
    let reader = Reader::new(vec![Input::Texts(Box::new(texts))], Options::default(), Cuts::never());
    assert_eq!(count(reader, None, &Toy, 2, &mut ()).unwrap_err().kind, Kind::Io);
}

#[test]
fn the_monitor_may_stop() {
    let texts = std::iter::repeat_with(|| Ok("text ".into()));
    let reader = Reader::new(vec![Input::Texts(Box::new(texts))], Options::default(), Cuts::new(None, &Toy));
    let mut monitor = |progress: Progress| {
        assert_eq!((progress.stage, progress.total), (Stage::Count, None));
        false
    };
    assert_eq!(count(reader, None, &Toy, 2, &mut monitor).unwrap_err().kind, Kind::Cancelled);
}

#[test]
fn a_place_holds_large_blocks_and_many() {
    assert_eq!(provisional(3, 5, 7).unwrap(), 3 << 36 | 5);
    assert!(provisional(0, (1 << 36) - 1, 1).is_err());
    assert!(provisional(1 << 28, 0, 1).is_err());
}
