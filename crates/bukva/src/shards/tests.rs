use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;

use super::*;
use crate::added::{Names, SpecialPolicy};
use crate::corpus::{Content, Location, Source, Unit};
use crate::error::{Error, Kind};
use crate::spec::{
    AddedToken, Alphabet, Bpe, Form, Merge, Model, Normalizer, Postprocessor, Spec, Template, TemplateItem, Vocab,
};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("bukva-shards-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn names(&self) -> Vec<String> {
        fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Reads each shard back.
#[derive(Default)]
struct Shelf {
    shards: Vec<Read>,
    most: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Read {
    sealed: Sealed,
    ids: Vec<u32>,
    offsets: Vec<u64>,
}

impl Keeper for Shelf {
    fn keep(&mut self, sealed: &Sealed) -> Result<()> {
        if self.shards.len() == self.most {
            return Err(Error::new(Kind::Cancelled, "the shelf is full"));
        }
        let items = |path, width: usize| -> Vec<u64> {
            let bytes = fs::read(path).unwrap();
            let items = bytes[128..].chunks(width).map(|item| {
                let mut whole = [0; 8];
                whole[..width].copy_from_slice(item);
                u64::from_le_bytes(whole)
            });
            let items: Vec<u64> = items.collect();
            let header = String::from_utf8_lossy(&bytes[10..128]).into_owned();
            assert!(header.contains(&format!("'shape': ({},)", items.len())), "{header}");
            items
        };
        let ids = items(&sealed.ids, 2).into_iter().map(|id| id as u32).collect();
        let offsets = items(&sealed.offsets, 8);
        self.shards.push(Read { sealed: sealed.clone(), ids, offsets });
        Ok(())
    }
}

const END: u32 = 300;

/// Bytes, a few merges, and added tokens of every sort.
fn tokenizer(normalized: bool) -> Tokenizer {
    let mut vocab = Vocab::new();
    (0..=255u8).for_each(|byte| vocab.push(byte.into(), &[byte]));
    let mut merges = Vec::new();
    for (rank, (left, right)) in [(b'a', b'b'), (b' ', b'a'), (b'\n', b'\n')].into_iter().enumerate() {
        let product = 256 + rank as u32;
        vocab.push(product, &[left, right]);
        merges.push(Merge { left: left.into(), right: right.into(), product, rank: rank as u32 });
    }
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, merges)));
    let pattern = crate::pretokenize::pretokenizer_of("o200k").unwrap();
    spec.pretokenizer = Some(pattern);
    let plain = |content: &str, id| AddedToken { special: false, ..AddedToken::special(content, id) };
    spec.added_tokens = vec![
        AddedToken::special("<s>", END),
        plain("a b", 301),
        AddedToken { lstrip: true, ..plain("<l>", 302) },
        AddedToken { rstrip: true, ..plain("ba", 303) },
        AddedToken { single_word: true, ..plain("bb", 304) },
        plain("\n", 305),
    ];
    if normalized {
        spec.normalizer = Some(Normalizer::Unicode { form: Form::Nfc });
    }
    let special =
        |id| TemplateItem::Special { name: "<s>".into(), ids: vec![id], tokens: vec!["<s>".into()], type_id: 0 };
    let single = vec![special(END), TemplateItem::A { type_id: 0 }, special(END)];
    spec.postprocessor = Some(Postprocessor::Template(Template { single, pair: Vec::new() }));
    Tokenizer::new(spec).unwrap()
}

fn recipe(with_frame: bool) -> Recipe {
    let policy = Some(SpecialPolicy { allowed: Names::All, disallowed: Names::None });
    Recipe { policy, with_frame, append: vec![7] }
}

fn text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a", "b", "ab", "a b", " ", "  ", "\n", "<s>", "<l>", " <l>", "ba", "ba ", "bb", "<", "s>", ".", "é",
        "e\u{301}", "\u{301}", "ж ж", "'s", "1",
    ]);
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

fn inputs(files: &[Vec<String>]) -> Vec<Input<'_>> {
    files.iter().map(|texts| Input::Texts(Box::new(texts.iter().cloned().map(Ok)))).collect()
}

fn run(
    tokenizer: &Tokenizer,
    recipe: &Recipe,
    files: &[Vec<String>],
    block_bytes: usize,
    options: Options,
    shelf: &mut Shelf,
) -> Result<Position> {
    let names: Vec<String> = (0..files.len()).map(|number| format!("file {number}")).collect();
    let reading = corpus::Options { block_bytes, ..corpus::Options::default() };
    encode_shards(tokenizer, recipe, Corpus { inputs: inputs(files), names: &names, reading }, &options, &mut (), shelf)
}

fn options(folder: &Folder, shard_tokens: u64, threads: usize) -> Options {
    Options {
        folder: folder.0.clone(),
        shard_tokens,
        width: Width::U16,
        with_header: true,
        first_shard: 0,
        position: Position::default(),
        threads,
    }
}

/// The rule of the module's page, on whole documents.
fn divided(documents: &[Vec<u32>], limit: usize) -> Vec<(Vec<u32>, Vec<u64>)> {
    let mut shards: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
    for document in documents {
        let fits = shards.last().is_some_and(|(ids, _)| ids.is_empty() || ids.len() + document.len() <= limit);
        if !fits {
            shards.push((vec![], vec![0]));
        }
        let mut rest = &document[..];
        loop {
            let (ids, offsets) = shards.last_mut().unwrap();
            let (head, tail) = rest.split_at(rest.len().min(limit - ids.len()));
            ids.extend(head);
            offsets.push(ids.len() as u64);
            rest = tail;
            if rest.is_empty() {
                break;
            }
            shards.push((vec![], vec![0]));
        }
    }
    shards
}

proptest! {
    // Every shard is brought to the disk, which takes milliseconds on some.
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn shards_are_documents_encoded_whole_however_they_are_read(
        files in prop::collection::vec(prop::collection::vec(text(), 0..5), 1..4),
        block_bytes in 1usize..60, limit in 4u64..80, threads in 1usize..4,
        normalized in any::<bool>(), with_frame in any::<bool>(), stop in any::<prop::sample::Index>(),
    ) {
        let (tokenizer, recipe, folder) = (tokenizer(normalized), recipe(with_frame), Folder::new());
        let policy = recipe.policy.as_ref().unwrap();
        let documents = files.iter().flatten().map(|text| {
            let mut ids = Vec::new();
            tokenizer.encode(text, policy, &mut ids).unwrap();
            let ids = if with_frame { tokenizer.frame().apply(&ids, None) } else { ids };
            [&ids[..], &[7]].concat()
        });
        let documents: Vec<Vec<u32>> = documents.collect();
        let mut shelf = Shelf { most: usize::MAX, ..Shelf::default() };
        let end = run(&tokenizer, &recipe, &files, block_bytes, options(&folder, limit, threads), &mut shelf).unwrap();
        let found: Vec<_> = shelf.shards.iter().map(|shard| (shard.ids.clone(), shard.offsets.clone())).collect();
        prop_assert_eq!(&found, &divided(&documents, limit as usize));
        prop_assert_eq!(end.text_bytes, files.iter().flatten().map(|text| text.len() as u64).sum::<u64>());
        prop_assert_eq!(folder.names(), Vec::<String>::new());

        let most = stop.index(shelf.shards.len() + 1);
        let mut again = Shelf { most, ..Shelf::default() };
        let broken = run(&tokenizer, &recipe, &files, block_bytes, options(&folder, limit, 1), &mut again);
        prop_assert_eq!(broken.is_err(), most < shelf.shards.len());
        prop_assert_eq!(folder.names(), Vec::<String>::new());
        let position = again.shards.last().map_or(Position::default(), |shard| shard.sealed.next);
        let rest = Options { position, first_shard: most as u64, ..options(&folder, limit, threads) };
        again.most = usize::MAX;
        let resumed = run(&tokenizer, &recipe, &files, 1 + block_bytes / 2, rest, &mut again).unwrap();
        prop_assert_eq!(resumed.text_bytes, end.text_bytes);
        prop_assert_eq!(again.shards.len(), shelf.shards.len());
        for (resumed, whole) in again.shards.iter().zip(&shelf.shards) {
            prop_assert_eq!((&resumed.ids, &resumed.offsets), (&whole.ids, &whole.offsets));
            let facts = |shard: &Read| Sealed { next: Position::default(), ..shard.sealed.clone() };
            prop_assert_eq!(facts(resumed), facts(whole));
        }
    }
}

#[test]
fn a_large_document_is_encoded_in_parts() {
    let (tokenizer, folder) = (tokenizer(false), Folder::new());
    let mut text = "ab a b. ".repeat(2000);
    text.push_str("<s>");
    let files = vec![vec![text.clone()]];
    let mut source = order::Source::new(
        Reader::new(
            inputs(&files),
            corpus::Options { block_bytes: 100, apart: true, ..corpus::Options::default() },
            cuts::cuts(&tokenizer, &recipe(true)),
        ),
        &Position::default(),
        &[],
        Box::leak(Box::new(())),
    );
    let mut parts = 0;
    let mut take = |_| {
        parts += 1;
        Ok(())
    };
    order::in_order(&recipe(true).with(&tokenizer), &mut source, 2, &mut take).unwrap();
    assert!(parts > 50, "{parts}");
    assert!(folder.names().is_empty());
}

#[test]
fn errors_name_input_document_and_byte() {
    let (tokenizer, folder) = (tokenizer(false), Folder::new());
    let files = vec![vec!["a".to_owned()], vec!["b".to_owned(), format!("{}<s>", "ab cd. ".repeat(50))]];
    for threads in [1, 2] {
        let recipe = Recipe { policy: Some(SpecialPolicy::default()), with_frame: false, append: vec![] };
        let mut shelf = Shelf { most: usize::MAX, ..Shelf::default() };
        let error = run(&tokenizer, &recipe, &files, 64, options(&folder, 5, threads), &mut shelf).unwrap_err();
        assert_eq!(error.kind, Kind::SpecialToken);
        assert_eq!(error.place.source.as_deref(), Some("file 1, document 1"));
        assert_eq!(error.place.byte_offset, Some(350));
        assert!(!shelf.shards.is_empty());
        assert!(folder.names().is_empty());
    }
}

#[test]
fn ids_that_do_not_fit_and_folders_that_are_missing_are_errors() {
    let (tokenizer, folder) = (tokenizer(false), Folder::new());
    let files = vec![vec!["a".to_owned()]];
    let recipe = Recipe { append: vec![70_000], ..recipe(false) };
    let mut shelf = Shelf { most: usize::MAX, ..Shelf::default() };
    let error = run(&tokenizer, &recipe, &files, 64, options(&folder, 5, 1), &mut shelf).unwrap_err();
    assert_eq!(error.kind, Kind::Argument);
    let missing = Options { folder: folder.0.join("missing"), ..options(&folder, 5, 1) };
    assert_eq!(run(&tokenizer, &recipe, &files, 64, missing, &mut shelf).unwrap_err().kind, Kind::Io);
}

#[test]
fn an_input_that_changed_is_an_error() {
    let (tokenizer, folder) = (tokenizer(false), Folder::new());
    let files = vec![vec!["a".to_owned(), "b".to_owned()], vec!["a".to_owned()]];
    for position in [
        Position { documents: 3, ..Position::default() },
        Position { bytes: 9, ..Position::default() },
        Position { tokens: 9, ..Position::default() },
        Position { input: 1, documents: 2, ..Position::default() },
    ] {
        let options = Options { position, ..options(&folder, 5, 2) };
        let mut shelf = Shelf { most: usize::MAX, ..Shelf::default() };
        let error = run(&tokenizer, &recipe(false), &files, 64, options, &mut shelf).unwrap_err();
        assert_eq!(error.kind, Kind::Corpus, "{position:?}");
    }
}

#[test]
fn a_reader_that_fails_gives_its_error_behind_what_was_read() {
    let (tokenizer, folder) = (tokenizer(false), Folder::new());
    let path = folder.0.join("x.txt");
    let mut bytes = "ab a\n".repeat(200).into_bytes();
    bytes.push(0xff);
    fs::write(&path, bytes).unwrap();
    let source = Source::new(Location::Path(path.clone()), Content::Text(Unit::Line));
    let reading = corpus::Options { block_bytes: 64, ..corpus::Options::default() };
    let mut shelf = Shelf { most: usize::MAX, ..Shelf::default() };
    let names = ["x.txt".to_owned()];
    let options = options(&folder, 50, 2);
    let inputs = vec![Input::Source(source)];
    let corpus = Corpus { inputs, names: &names, reading };
    let error = encode_shards(&tokenizer, &recipe(false), corpus, &options, &mut (), &mut shelf);
    let error = error.unwrap_err();
    assert_eq!((error.kind, error.place.line, error.place.byte_offset), (Kind::Encoding, Some(201), Some(1000)));
    assert!(shelf.shards.len() > 2, "{}", shelf.shards.len());
}
