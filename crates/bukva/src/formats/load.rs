//! From a path to a specification.

use std::fs;
use std::io;
use std::path::Path;

use super::detect::{Format, begins_with, detect};
use super::encodings::Encoding;
use super::folder::{SideFiles, tokenizer_file};
use super::gguf;
use super::hf::classes::read_vocab_merges_of_class;
use super::hf::config::Config;
use super::hf::vocab_txt::read_with;
use super::hf::{Bert, Spelling, read_tokenizer_json, read_vocab_merges};
use super::image::read_image;
use super::sentencepiece::folder::add_side_files;
use super::sentencepiece::read_sentencepiece;
use super::tekken::read_tekken;
use super::tiktoken::read_tiktoken;
use crate::error::{Error, Kind, Result};
use crate::spec::Spec;

/// Loads the tokenizer at `path`: a file of any format of [`detect`], or a folder, whose side files are kept in
/// [`Spec::unknown_fields`] under [`SIDE_FILE`](super::hf::SIDE_FILE) and their name.
///
/// `encoding` supplies what rank files, and `vocab.json` with `merges.txt` or `vocab.txt` without a
/// `tokenizer_config.json` beside them, do not hold. Every specification is
/// checked against the invariants.
///
/// # Errors
/// [`Kind::Io`] if the path cannot be read; [`Kind::Argument`] if an encoding is needed and missing, or given and
/// not needed; otherwise those of the reader, with the path.
pub fn load(path: &Path, encoding: Option<Encoding>) -> Result<Spec> {
    if !path.is_dir() {
        return read_named(path, encoding, None);
    }
    let side_files = SideFiles::read(path)?;
    let mut spec = read_named(&tokenizer_file(path)?, encoding, Some(&side_files))?;
    side_files.keep(&mut spec);
    Ok(spec)
}

fn read_named(path: &Path, encoding: Option<Encoding>, side_files: Option<&SideFiles>) -> Result<Spec> {
    read_path(path, encoding, side_files).map_err(|error| error.in_source(path.display().to_string()))
}

fn read_path(path: &Path, encoding: Option<Encoding>, side_files: Option<&SideFiles>) -> Result<Spec> {
    // A model is as large as a disk allows, and its vocabulary a small part of it: the file is not read whole.
    if begins_with(path, &gguf::MAGIC) {
        return refuse(encoding).and_then(|()| gguf::open_gguf(path));
    }
    let bytes = read(path)?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    match detect(&name, &bytes)? {
        Format::Image => {
            refuse(encoding)?;
            let spec = read_image(&bytes)?;
            spec.validate()?;
            Ok(spec)
        }
        Format::TokenizerJson => {
            refuse(encoding)?;
            read_tokenizer_json(&bytes)
        }
        Format::SentencePiece => {
            refuse(encoding)?;
            let mut spec = read_sentencepiece(&bytes)?;
            if let Some(files) = side_files {
                add_side_files(&mut spec, &Config(files))?;
            }
            Ok(spec)
        }
        Format::Gguf => {
            refuse(encoding)?;
            gguf::read_gguf(&bytes)
        }
        Format::Tekken => {
            refuse(encoding)?;
            read_tekken(&bytes)
        }
        Format::Tiktoken => read_tiktoken(&bytes, needed(encoding, "a rank file holds ranks only")?),
        Format::VocabJson => {
            let merges = read(&path.with_file_name("merges.txt"))?;
            match encoding {
                Some(encoding) => read_vocab_merges(&bytes, &merges, of_tables(encoding)?, Spelling::default()),
                None => with_beside(path, side_files, |config| read_vocab_merges_of_class(&bytes, &merges, config)),
            }
        }
        Format::VocabTxt => {
            let named = encoding.map(Bert::of_encoding).transpose()?;
            with_beside(path, side_files, |config| {
                let bert = named.map_or_else(|| Bert::of(config), Ok)?;
                read_with(&bytes, bert, config)
            })
        }
    }
}

/// Reads with the side files of the folder, or those that stand beside the file.
fn with_beside(
    path: &Path,
    side_files: Option<&SideFiles>,
    read: impl FnOnce(&Config<'_>) -> Result<Spec>,
) -> Result<Spec> {
    match side_files {
        Some(files) => read(&Config(files)),
        None => read(&Config(&SideFiles::read(path.parent().unwrap_or(Path::new("")))?)),
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "; check the path, nothing is ever downloaded",
            _ => "",
        };
        Error::new(Kind::Io, format!("{} was not read: {error}{remedy}", path.display()))
    })
}

fn of_tables(encoding: Encoding) -> Result<Encoding> {
    match encoding.bert {
        None => Ok(encoding),
        Some(_) => Err(Error::new(Kind::Argument, "this encoding is for a vocab.txt of BERT, which the file is not")),
    }
}

fn needed(encoding: Option<Encoding>, why: &str) -> Result<Encoding> {
    let message = || {
        let names = super::encodings::NAMES.join(", ");
        format!("{why}: name an encoding ({names}), or give the pattern and the special tokens")
    };
    encoding.ok_or_else(|| Error::new(Kind::Argument, message())).and_then(of_tables)
}

pub(super) fn refuse(encoding: Option<Encoding>) -> Result<()> {
    match encoding {
        None => Ok(()),
        Some(_) => Err(Error::new(
            Kind::Argument,
            "the file says its own pattern and special tokens: leave encoding, pattern and special_tokens out",
        )),
    }
}
