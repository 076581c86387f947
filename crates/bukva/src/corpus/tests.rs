use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::*;
use crate::error::{Error, Kind, Result};
use crate::pretokenize::Splitter;
use crate::spec::{NamedPattern, Pattern, Pretokenizer};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bukva-corpus-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> Location {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        Location::Path(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn text(location: Location, unit: Unit) -> Input<'static> {
    Input::Source(Source::new(location, Content::Text(unit)))
}

fn jsonl(location: Location) -> Input<'static> {
    Input::Source(Source::new(location, Content::Jsonl { field: "text".into() }))
}

fn documents(inputs: Vec<Input<'_>>) -> Result<Vec<String>> {
    Documents::new(inputs, Options::default()).collect()
}

fn failure(input: Input<'_>) -> Error {
    documents(vec![input]).unwrap_err()
}

fn replaced(input: Input<'_>) -> (Vec<String>, u64) {
    let mut documents = Documents::new(vec![input], Options { on_invalid: OnInvalid::Replace, ..Options::default() });
    let texts = documents.by_ref().collect::<Result<_>>().unwrap();
    (texts, documents.replaced_bytes())
}

fn blocks(inputs: Vec<Input<'_>>, block_bytes: usize, splitter: &Splitter) -> Vec<Block> {
    let options = Options { block_bytes, ..Options::default() };
    let mut reader = Reader::new(inputs, options, Cuts::new(None, splitter));
    let mut blocks = Vec::new();
    while let Some(block) = reader.next_block(&mut |_| Ok(())).unwrap() {
        blocks.push(block);
    }
    blocks
}

#[test]
fn inputs_come_in_order_and_as_they_are() {
    let folder = Folder::new("order");
    let a = folder.file("a.txt", "\u{feff}one\r\ntwo".as_bytes());
    let b = folder.file("b.txt", b"");
    let c = folder.file("c.jsonl", "\u{feff}{\"text\":\"three\"}\r\n \n{\"x\":[1],\"text\":\"\\u00e9\\n\"}".as_bytes());
    let memory = Input::Texts(Box::new(["four".to_owned(), String::new()].into_iter().map(Ok)));
    let inputs = vec![text(a.clone(), Unit::File), text(b, Unit::File), jsonl(c), memory, text(a, Unit::Line)];
    let expected = ["\u{feff}one\r\ntwo", "", "three", "é\n", "four", "", "\u{feff}one\r\n", "two"];
    assert_eq!(documents(inputs).unwrap(), expected);
}

#[test]
fn lines_end_at_their_file() {
    let folder = Folder::new("lines");
    let [a, b] = [folder.file("a.txt", b"a\nb"), folder.file("b.txt", b"c\n\nd\n")];
    let inputs = vec![text(a, Unit::Line), text(b, Unit::Line)];
    assert_eq!(documents(inputs).unwrap(), ["a\n", "b", "c\n", "\n", "d\n"]);
}

#[test]
fn compressed_files_are_read_whole() {
    let folder = Folder::new("packed");
    let two = |pack: fn(&[u8]) -> Vec<u8>| [pack(b"one "), pack(b"two")].concat();
    for (name, bytes) in [("a.txt.gz", two(gzip)), ("b.TXT.ZST", two(zstd)), ("c.txt", b"one two".to_vec())] {
        assert_eq!(documents(vec![text(folder.file(name, &bytes), Unit::File)]).unwrap(), ["one two"], "{name}");
    }
    assert_eq!(documents(vec![text(folder.file("d.zst", &zstd(b"")), Unit::File)]).unwrap(), [""]);
}

#[test]
fn foreign_and_damaged_files_are_refused() {
    let folder = Folder::new("damaged");
    let long: Vec<u8> = (0..100_000u32).flat_map(|number| number.to_string().into_bytes()).collect();
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() - 5].to_vec();
    let cases = [
        ("a.gz", b"plain text".to_vec(), "starts with 70 6c 61 69"),
        ("b.zst", gzip(b"x"), "starts with 1f 8b"),
        ("c.gz", vec![], "it is empty"),
        ("d.gz", cut(gzip(&long)), "damaged or ends too early"),
        ("e.zst", cut(zstd(&long)), "damaged or ends too early"),
        ("f.gz", [gzip(b"x"), b"rest".to_vec()].concat(), "damaged or ends too early"),
    ];
    for (name, bytes, message) in cases {
        let error = failure(text(folder.file(name, &bytes), Unit::File));
        assert_eq!(error.kind, Kind::Corpus, "{error}");
        assert!(error.message.contains(message) && error.place.source.is_some_and(|source| source.ends_with(name)));
    }
}

#[test]
fn paths_that_cannot_be_read_are_named() {
    let folder = Folder::new("paths");
    for (path, message) in [(folder.0.clone(), "is a folder"), (folder.0.join("none.txt"), "cannot open")] {
        let error = failure(text(Location::Path(path.clone()), Unit::File));
        assert_eq!(error.kind, Kind::Io);
        assert!(error.message.contains(message) && error.message.contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn bad_bytes_are_placed_or_replaced() {
    let folder = Folder::new("bytes");
    // The bad byte lies behind several reads; the file ends inside a character.
    let bytes = [&"строка\n".repeat(50_000).into_bytes()[..], b"\xff, \xe2\x82"].concat();
    for (name, bytes_in_file) in [("a.txt", bytes.clone()), ("a.txt.gz", gzip(&bytes))] {
        let file = folder.file(name, &bytes_in_file);
        let error = failure(text(file.clone(), Unit::Line));
        assert_eq!(
            (error.kind, error.place.line, error.place.byte_offset),
            (Kind::Encoding, Some(50_001), Some(650_000))
        );
        assert!(error.message.contains("0xff"), "{error}");
        let (texts, count) = replaced(text(file, Unit::File));
        assert_eq!((texts, count), (vec![String::from_utf8_lossy(&bytes).into_owned()], 3));
    }
}

#[test]
fn json_lines_say_what_is_wrong() {
    let folder = Folder::new("json");
    let cases: [(&[u8], Kind, &str, u64); 10] = [
        (br#"{"a":1,"b":2}"#, Kind::Corpus, r#"no member "text"; its members: "a", "b""#, 0),
        (b"{}", Kind::Corpus, "its members: none", 0),
        (br#"{"text":5}"#, Kind::Corpus, "is a string: invalid type: integer `5`, expected a string", 8),
        (br#"{"text":null}"#, Kind::Corpus, "invalid type: null", 11),
        (br#"{"text":"a","text":"b"}"#, Kind::Corpus, "there twice", 22),
        (b"[1]", Kind::Corpus, "expected an object", 0),
        (br#"{"text":"a"} x"#, Kind::Corpus, "not valid JSON: trailing characters", 13),
        (br#"{"text":"a"#, Kind::Corpus, "not valid JSON: EOF", 9),
        (b"{\"text\":\"a\tb\"}", Kind::Corpus, "control character", 10),
        (br#"{"text":"a\ud83dz"}"#, Kind::Encoding, r"lone surrogate \ud83d", 0),
    ];
    for (line, kind, message, column) in cases {
        let bytes = [b"{\"text\":\"fine\"}\n\n", line, b"\n"].concat();
        let error = failure(jsonl(folder.file("a.jsonl", &bytes)));
        assert_eq!((error.kind, error.place.line), (kind, Some(3)), "{error}");
        assert!(error.message.contains(message), "{error}");
        assert!(error.place.byte_offset.is_some_and(|at| at.abs_diff(17 + column) <= 1), "{error}");
    }
    let error = failure(jsonl(folder.file("a.jsonl", b"{\"text\":\"fine\"}\n{\"text\":\"\xff\"}")));
    assert_eq!((error.kind, error.place.line, error.place.byte_offset), (Kind::Encoding, Some(2), Some(25)));
}

#[test]
fn surrogates_in_json_are_joined_or_replaced() {
    let folder = Folder::new("surrogates");
    let line = br#"{"text":"\ud83d\ude00 \ud83d \ude00\ud83d\ud83d\ude00","more":"\ud800"}"#;
    let (texts, count) = replaced(jsonl(folder.file("a.jsonl", line)));
    assert_eq!((texts[0].as_str(), count), ("😀 \u{fffd} \u{fffd}\u{fffd}😀", 18));
    let elsewhere = br#"{"more":"\ud800","text":"a"}"#;
    assert_eq!(documents(vec![jsonl(folder.file("b.jsonl", elsewhere))]).unwrap(), ["a"]);
}

#[test]
fn deep_json_does_not_end_the_program() {
    let folder = Folder::new("deep");
    let line = [b"{\"x\":".to_vec(), vec![b'['; 1 << 20]].concat();
    assert_eq!(failure(jsonl(folder.file("a.jsonl", &line))).kind, Kind::Corpus);
    let line = ["{\"x\":", &"[".repeat(1 << 16), &"]".repeat(1 << 16), ",\"text\":\"a\"}"].concat();
    assert_eq!(documents(vec![jsonl(folder.file("b.jsonl", line.as_bytes()))]).unwrap(), ["a"]);
}

#[test]
fn blocks_tile_the_documents() {
    let folder = Folder::new("blocks");
    let pattern = Pretokenizer::isolated(Pattern::Named(NamedPattern::Gpt2));
    let content = "Слово and a word, ещё 123 слова.\nСтрока\n".repeat(100);
    for splitter in [Splitter::compile(Some(&pattern)).unwrap(), Splitter::Whole] {
        for unit in [Unit::File, Unit::Line] {
            let inputs = || (0..2).map(|_| text(folder.file("a.txt", content.as_bytes()), unit)).collect::<Vec<_>>();
            let blocks = blocks(inputs(), 50, &splitter);
            let joined: String = blocks.iter().map(|block| block.text.as_str()).collect();
            assert_eq!(joined, content.repeat(2));
            let mut place = 0;
            for (index, block) in blocks.iter().enumerate() {
                assert_eq!((block.place, block.index), (place, index as u64));
                assert_eq!(block.pieces().last().map(|piece| piece.end), Some(block.text.len()));
                assert_eq!(block.starts_document, index == 0 || blocks[index - 1].ends_document);
                place += block.text.len() as u64;
            }
            let most = if matches!(splitter, Splitter::Whole) && unit == Unit::File { content.len() } else { 200 };
            assert!(blocks.iter().all(|block| block.text.len() <= most));
            let ends = blocks.iter().map(|block| block.pieces().count() - usize::from(!block.ends_document));
            assert_eq!(ends.sum::<usize>(), if unit == Unit::File { 2 } else { 400 });
        }
    }
}

#[test]
fn a_long_line_is_cut_too() {
    let pattern = Pretokenizer::isolated(Pattern::Named(NamedPattern::Gpt2));
    let splitter = Splitter::compile(Some(&pattern)).unwrap();
    let folder = Folder::new("long");
    let file = folder.file("a.txt", "слово ".repeat(1000).as_bytes());
    let blocks = blocks(vec![text(file, Unit::Line)], 100, &splitter);
    assert!(blocks.len() > 50 && blocks.iter().all(|block| block.text.len() < 300));
}

#[test]
fn total_bytes_are_known_for_plain_files() {
    let folder = Folder::new("total");
    let plain = || text(folder.file("a.txt", b"12345"), Unit::File);
    let total = |inputs| Reader::new(inputs, Options::default(), Cuts::never()).total_bytes();
    assert_eq!(total(vec![plain(), plain()]), Some(10));
    assert_eq!(total(vec![plain(), text(folder.file("b.gz", &gzip(b"1")), Unit::File)]), None);
    assert_eq!(total(vec![text(Location::StandardInput, Unit::File)]), None);
}
