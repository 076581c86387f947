//! GGUF file → specification.

use std::fs::File;
use std::path::Path;

use super::metadata::Metadata;
use super::sentencepiece::Algorithm;
use super::tokens::Tokens;
use super::wire::bad;
use super::{byte_bpe, kept, sentencepiece, wordpiece};
use crate::block::Map;
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::Spec;

const MODEL: &str = "tokenizer.ggml.model";

/// Reads the tokenizer of a GGUF file, whole or without its tensors. O(metadata): tensors are not looked at.
///
/// What else the file says under `tokenizer.` is kept in [`Spec::unknown_fields`], the chat template as the side file
/// `chat_template.jinja`.
///
/// # Errors
/// [`Kind::Format`] with the key and the byte where the file is damaged, contradicts itself or has no tokenizer;
/// [`Kind::Unsupported`] for a version, a kind of tokenizer or a name of a pattern that is not known;
/// [`Kind::Invariant`] if the tables do not fit together.
pub fn read_gguf(bytes: &[u8]) -> Result<Spec> {
    let metadata = Metadata::parse(bytes)?;
    let Some(model) = metadata.text(MODEL)? else {
        return Err(bad(format!("{MODEL} is missing: the file has no tokenizer"), 0));
    };
    let read = reader(model)?;
    let tokens = Tokens::read(&metadata)?;
    let mut spec = read(&metadata, &tokens)?;
    spec.unknown_fields = kept::kept(&metadata, &tokens)?;
    spec.validate()?;
    Ok(spec)
}

/// Maps a file and reads its tokenizer: as [`read_gguf`], and no other page of the file than those of its metadata.
///
/// # Errors
/// [`Kind::Io`] if the file cannot be mapped, and those of [`read_gguf`].
pub fn open_gguf(path: &Path) -> Result<Spec> {
    let map = File::open(path).and_then(|file| Map::of_file(&file));
    let map = map.map_err(|error| Error::new(Kind::Io, format!("{} was not read: {error}", path.display())))?;
    read_gguf(map.bytes())
}

type Reader = fn(&Metadata<'_>, &Tokens<'_>) -> Result<Spec>;

fn reader(model: &str) -> Result<Reader> {
    Ok(match model {
        "gpt2" => byte_bpe::spec,
        "llama" => |metadata, tokens| sentencepiece::spec(metadata, tokens, Algorithm::Bpe),
        "t5" => |metadata, tokens| sentencepiece::spec(metadata, tokens, Algorithm::Unigram),
        "bert" => wordpiece::spec,
        other => {
            let message = format!("GGUF file: {MODEL} is {}; known are llama, gpt2, bert and t5", quoted(other));
            return Err(Error::new(Kind::Unsupported, message));
        }
    })
}
