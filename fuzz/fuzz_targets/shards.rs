//! Shards hold the documents as they are when encoded whole, however they are read and cut, and however often the work
//! was stopped. The first bytes pick sizes; documents end at U+001E and files at U+001F.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use bukva::added::{Names, SpecialPolicy};
use bukva::corpus::{self, Input};
use bukva::pipeline::Tokenizer;
use bukva::pretokenize::pretokenizer_of;
use bukva::shards::{Corpus, Keeper, Options, Position, Recipe, Sealed, Width, encode_shards};
use bukva::spec::{AddedToken, Alphabet, Bpe, Merge, Model, Spec, Vocab};
use bukva::{Error, Kind, Result};
use libfuzzer_sys::fuzz_target;

const END: u32 = 300;

/// Bytes, two merges, two added tokens.
static TOKENIZER: LazyLock<Tokenizer> = LazyLock::new(|| {
    let mut vocab = Vocab::new();
    (0..=255_u8).for_each(|byte| vocab.push(byte.into(), &[byte]));
    let mut merges = Vec::new();
    for (rank, (left, right)) in [(b'a', b'b'), (b' ', b'a')].into_iter().enumerate() {
        let product = 256 + rank as u32;
        vocab.push(product, &[left, right]);
        merges.push(Merge { left: left.into(), right: right.into(), product, rank: rank as u32 });
    }
    let mut spec = Spec::new(Model::Bpe(Bpe::new(Alphabet::Bytes, vocab, merges)));
    spec.pretokenizer = Some(pretokenizer_of("o200k").expect("a known name"));
    let plain = AddedToken { special: false, ..AddedToken::special("a b", 301) };
    spec.added_tokens = vec![AddedToken::special("<s>", END), plain];
    Tokenizer::new(spec).expect("a valid specification")
});

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = std::env::temp_dir().join(format!("bukva-fuzz-shards-{}", std::process::id()));
    fs::create_dir_all(&path).expect("a folder for temporary files");
    path
});

/// Reads so many shards back, and refuses the next.
struct Shelf {
    most: usize,
    documents: Vec<Vec<u32>>,
    /// Whether the last of them goes on.
    is_open: bool,
    count: u64,
    next: Position,
}

impl Shelf {
    fn items(path: &Path, start: usize, width: usize) -> Vec<u64> {
        let bytes = fs::read(path).expect("a sealed file");
        let item = |bytes: &[u8]| bytes.iter().rev().fold(0, |item, &byte| item << 8 | u64::from(byte));
        bytes[start..].chunks(width).map(item).collect()
    }
}

impl Keeper for Shelf {
    fn keep(&mut self, sealed: &Sealed) -> Result<()> {
        if self.most == 0 {
            return Err(Error::new(Kind::Cancelled, "the shelf is full"));
        }
        let (ids, offsets) = (Self::items(&sealed.ids, 0, 2), Self::items(&sealed.offsets, 128, 8));
        assert_eq!((offsets.len() as u64, ids.len() as u64), (sealed.documents + 1, sealed.tokens));
        assert_eq!(sealed.starts_document, !self.is_open);
        for (number, place) in offsets.windows(2).enumerate() {
            let part = ids[place[0] as usize..place[1] as usize].iter().map(|&id| id as u32);
            match self.documents.last_mut() {
                Some(open) if number == 0 && self.is_open => open.extend(part),
                _ => self.documents.push(part.collect()),
            }
        }
        (self.is_open, self.next) = (!sealed.ends_document, sealed.next);
        (self.most, self.count) = (self.most - 1, self.count + 1);
        Ok(())
    }
}

fn run(files: &[Vec<&str>], block_bytes: usize, options: Options, shelf: &mut Shelf) -> Result<Position> {
    let recipe = Recipe {
        policy: Some(SpecialPolicy { allowed: Names::All, disallowed: Names::None }),
        with_frame: false,
        append: vec![END],
    };
    let names: Vec<String> = (0..files.len()).map(|number| format!("file {number}")).collect();
    let input = |texts: &Vec<&str>| {
        let texts: Vec<Result<String>> = texts.iter().map(|text| Ok((*text).to_owned())).collect();
        Input::Texts(Box::new(texts.into_iter()))
    };
    let reading = corpus::Options { block_bytes, ..corpus::Options::default() };
    let corpus = Corpus { inputs: files.iter().map(input).collect(), names: &names, reading };
    encode_shards(&TOKENIZER, &recipe, corpus, &options, &mut (), shelf)
}

fuzz_target!(|input: (u8, u8, u8, &str)| {
    let (block, limit, stop, text) = input;
    let files: Vec<Vec<&str>> = text.split('\u{1f}').map(|file| file.split('\u{1e}').collect()).collect();
    let expected = files.iter().flatten().map(|text| {
        let mut ids = Vec::new();
        let policy = SpecialPolicy { allowed: Names::All, disallowed: Names::None };
        TOKENIZER.encode(text, &policy, &mut ids).expect("bytes encode any text");
        ids.push(END);
        ids
    });
    let expected: Vec<Vec<u32>> = expected.collect();

    let mut shelf = Shelf {
        most: usize::from(stop % 4),
        documents: Vec::new(),
        is_open: false,
        count: 0,
        next: Position::default(),
    };
    for most in [usize::from(stop % 4), usize::MAX] {
        shelf.most = most;
        let options = Options {
            folder: FOLDER.clone(),
            shard_tokens: u64::from(limit) + 4,
            width: Width::U16,
            with_header: false,
            first_shard: shelf.count,
            position: shelf.next,
            threads: 1 + usize::from(stop / 4) % 2,
        };
        match run(&files, 1 + usize::from(block), options, &mut shelf) {
            Ok(end) => {
                assert_eq!(end.text_bytes, files.iter().flatten().map(|text| text.len() as u64).sum::<u64>());
                break;
            }
            Err(error) => assert_eq!((error.kind, most < usize::MAX), (Kind::Cancelled, true), "{error}"),
        }
    }
    assert_eq!(shelf.documents, expected);
});
