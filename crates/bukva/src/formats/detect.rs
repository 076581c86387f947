//! Which reader a file needs, by its content and its name. Never a guess: what is not known is an error.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::gguf;
use super::image::MAGIC;
use crate::error::{Error, Kind, Result, quoted};

/// The formats that have a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// bukva's own file.
    Image,
    /// A `tokenizer.json`.
    TokenizerJson,
    /// A rank file of tiktoken.
    Tiktoken,
    /// A `vocab.json`, which needs its `merges.txt`.
    VocabJson,
    /// A `tekken.json` of Mistral.
    Tekken,
    /// A `vocab.txt` of BERT.
    VocabTxt,
    /// A model of SentencePiece.
    SentencePiece,
    /// A model file of llama.cpp, which has a vocabulary.
    Gguf,
}

/// What can be read, for messages.
pub const KNOWN: &str = "a folder with tokenizer.json, a tokenizer.json, a rank file (.tiktoken), \
                         a SentencePiece model (.model), a tekken.json, vocab.json with merges.txt, a vocab.txt, a GGUF model (.gguf), \
                         a bukva image (.bukva)";

/// The format of the file `name` with this content. O(length of a line or of a JSON file's first keys).
///
/// # Errors
/// [`Kind::Unsupported`] for a format that is recognised and has no reader, [`Kind::Format`] for anything else; both
/// say what the file looks like and what can be read.
pub fn detect(name: &str, bytes: &[u8]) -> Result<Format> {
    if bytes.starts_with(&MAGIC) {
        return Ok(Format::Image);
    }
    if bytes.starts_with(&gguf::MAGIC) {
        return Ok(Format::Gguf);
    }
    if let Some(looks) = foreign(bytes) {
        let message = format!("{name} looks like {looks}, which this version does not read; it reads {KNOWN}");
        return Err(Error::new(Kind::Unsupported, message));
    }
    if name == "vocab.txt" || name.ends_with("/vocab.txt") {
        return Ok(Format::VocabTxt);
    }
    if is_sentencepiece(name, bytes) {
        return Ok(Format::SentencePiece);
    }
    if name.ends_with(".tiktoken") || is_rank_line(first_line(bytes)) {
        return Ok(Format::Tiktoken);
    }
    if first_visible(bytes) == Some(b'{') {
        return json_format(name, bytes);
    }
    Err(unknown(name, &format!("it starts with {}", shown_start(bytes))))
}

/// Whether the file begins with `magic`. `false` where it cannot be read: whoever reads it says why.
pub(super) fn begins_with<const N: usize>(path: &Path, magic: &[u8; N]) -> bool {
    let mut start = [0; N];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *magic
}

fn unknown(name: &str, what: &str) -> Error {
    Error::new(Kind::Format, format!("{name} is in no format that is known: {what}; bukva reads {KNOWN}"))
}

/// Formats that have an unmistakable beginning and no reader here.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    const MAGICS: [(&[u8], &str); 11] = [
        (b"version https://git-lfs", "a Git LFS pointer, not the file itself (run `git lfs pull`)"),
        (b"#version", "a merges.txt, which is read together with its vocab.json"),
        (b"PK\x03\x04", "a ZIP archive or PyTorch model"),
        (b"\x1f\x8b", "gzip data"),
        (b"\x28\xb5\x2f\xfd", "Zstandard data"),
        (b"\xfd7zXZ", "xz data"),
        (b"PAR1", "a Parquet table"),
        (b"\x80\x02", "a Python pickle"),
        (b"\x80\x04", "a Python pickle"),
        (b"<!DOCTYPE", "a web page"),
        (b"<html", "a web page"),
    ];
    if let Some((_, looks)) = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(looks);
    }
    let safetensors = bytes.get(8) == Some(&b'{') && bytes.get(6..8) == Some(&[0, 0]);
    safetensors.then_some("a safetensors file")
}

/// Field 1 (a piece), whose own field 1 is its text; or the name.
fn is_sentencepiece(name: &str, bytes: &[u8]) -> bool {
    let pieces = bytes.first() == Some(&0x0a) && bytes.get(2) == Some(&0x0a);
    // Mistral adds a version: `tokenizer.model.v3`.
    let version = name.rsplit_once(".model.v").is_some_and(|(_, rest)| rest.bytes().all(|byte| byte != b'.'));
    pieces || ((name.ends_with(".model") || version) && !is_rank_line(first_line(bytes)))
}

fn first_line(bytes: &[u8]) -> &[u8] {
    // A longer line is no rank line, and the file may be huge.
    let start = &bytes[..bytes.len().min(4096)];
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Base64, a space, digits.
fn is_rank_line(line: &[u8]) -> bool {
    let Some(space) = line.iter().position(|&byte| byte == b' ') else { return false };
    let (token, rank) = (&line[..space], &line[space + 1..]);
    let base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    !token.is_empty()
        && token.len() % 4 == 0
        && token.iter().all(base64)
        && !rank.is_empty()
        && rank.iter().all(u8::is_ascii_digit)
}

fn first_visible(bytes: &[u8]) -> Option<u8> {
    bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn shown_start(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing, the file is empty".to_owned();
    }
    quoted(&String::from_utf8_lossy(&bytes[..bytes.len().min(16)]))
}

/// Tells the JSON formats apart by the first key that only one of them has.
fn json_format(name: &str, bytes: &[u8]) -> Result<Format> {
    let mut keys = Keys::default();
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let result = deserializer.deserialize_map(&mut keys);
    match (keys.found, result) {
        (Some(Found::Hf), _) => Ok(Format::TokenizerJson),
        (Some(Found::Tekken), _) => Ok(Format::Tekken),
        (Some(Found::Vocab), _) => Ok(Format::VocabJson),
        (Some(Found::Foreign(looks)), _) => {
            let message = format!("{name} looks like {looks}, which this version does not read; it reads {KNOWN}");
            Err(Error::new(Kind::Unsupported, message))
        }
        (None, Err(error)) => Err(unknown(name, &format!("it starts as JSON and is damaged: {error}"))),
        (None, Ok(())) => Err(unknown(name, "it is a JSON object without the fields of any tokenizer")),
    }
}

enum Found {
    Hf,
    Tekken,
    Vocab,
    Foreign(&'static str),
}

/// Stops at the first decisive key.
#[derive(Default)]
struct Keys {
    found: Option<Found>,
}

impl<'de> Visitor<'de> for &mut Keys {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.found = match key.as_str() {
                "version" | "truncation" | "padding" | "added_tokens" | "model" | "pre_tokenizer"
                | "post_processor" => Some(Found::Hf),
                "config" | "special_tokens" => Some(Found::Tekken),
                "tokenizer_class" | "added_tokens_decoder" | "add_bos_token" | "add_prefix_space" => {
                    Some(Found::Foreign("a tokenizer_config.json; load its folder or the tokenizer.json beside it"))
                }
                "bos_token" | "eos_token" | "unk_token" => {
                    Some(Found::Foreign("a special_tokens_map.json; load its folder or the tokenizer.json beside it"))
                }
                "architectures" | "model_type" => Some(Found::Foreign("a model's config.json")),
                _ => None,
            };
            if self.found.is_some() {
                return Ok(());
            }
            // Anything but a number is no vocabulary, and may still be followed by a decisive key.
            if map.next_value::<NumberOrOther>()?.0 {
                self.found = Some(Found::Vocab);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Whether a value is a whole number.
struct NumberOrOther(bool);

impl<'de> serde::Deserialize<'de> for NumberOrOther {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = NumberOrOther;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(NumberOrOther(true))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(NumberOrOther(false))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(NumberOrOther(false))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(NumberOrOther(false))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(NumberOrOther(false))
            }

            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(NumberOrOther(false))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(NumberOrOther(false))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(NumberOrOther(false))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        for (name, bytes, format) in [
            ("x", MAGIC.as_slice(), Format::Image),
            ("t.json", b" {\"version\": \"1.0\", \"mod", Format::TokenizerJson),
            ("t.json", b"{\"x\": [1, {}], \"model\": 1}", Format::TokenizerJson),
            ("o200k", b"IQ== 0\r\nIg== 1\n", Format::Tiktoken),
            ("vocab.json", b"{\"!\": 0, \"version\": 1}", Format::VocabJson),
            ("m", b"\n\x0e\n\x05<unk>", Format::SentencePiece),
            ("tekken.json", b"{\"config\": {}, \"vocab\": []}", Format::Tekken),
            ("llama3.model", b"IQ== 0\n", Format::Tiktoken),
            ("m", b"GGUF\x03", Format::Gguf),
        ] {
            assert_eq!(detect(name, bytes).unwrap(), format);
        }
    }

    #[test]
    fn a_name_chooses_where_the_content_is_damaged() {
        assert_eq!(detect("x.tiktoken", b"?? 1").unwrap(), Format::Tiktoken);
        assert_eq!(detect("t.model.v3", b"??").unwrap(), Format::SentencePiece);
    }

    #[test]
    fn a_foreign_file_is_named() {
        for (name, bytes, looks) in [
            ("tokenizer.json", b"version https://git-lfs.github.com/spec/v1".as_slice(), "Git LFS pointer"),
            ("config.json", b"{\"architectures\": []}", "config.json"),
            ("merges.txt", b"#version: 0.2\n", "merges.txt"),
            ("m.safetensors", b"\x10\0\0\0\0\0\0\0{}", "safetensors"),
        ] {
            let error = detect(name, bytes).unwrap_err();
            assert_eq!(error.kind, Kind::Unsupported, "{name}");
            assert!(error.message.contains(looks) && error.message.contains(".bukva"), "{error}");
        }
    }

    #[test]
    fn an_unknown_file_lists_what_can_be_read() {
        for bytes in [b"".as_slice(), b"hello world", b"{\"a\": \"b\"}", b"{\"a\": ", b"[1]", b"\xff\xfe", b"words 12"]
        {
            let error = detect("x.bin", bytes).unwrap_err();
            assert_eq!(error.kind, Kind::Format);
            assert!(error.message.contains("tokenizer.json") && error.message.contains("x.bin"), "{error}");
        }
    }
}
