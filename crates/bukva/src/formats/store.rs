//! From a specification to a path: the format by the path's name.

use std::path::Path;

use super::hf::{write_folder, write_tokenizer_json, write_vocab_merges};
use super::image::write_image;
use super::save::{save_file, save_folder};
use super::sentencepiece::write_sentencepiece;
use super::tekken::write_tekken;
use super::tiktoken::write_tiktoken;
use super::{File, Loss, Written};
use crate::error::{Error, Kind, Result, quoted};
use crate::spec::Spec;

/// Writes a tokenizer: `x.bukva` is an image, `x.tiktoken` a rank file, `x.model` a SentencePiece model, `tekken*.json` Mistral's, `vocab.json` brings its `merges.txt`, any
/// other `x.json` is a `tokenizer.json`, and a name without a suffix is a folder with `tokenizer.json` and its
/// companions. Files are written whole or not at all.
///
/// # Errors
/// [`Kind::Loss`] if the format cannot hold everything and `allow_loss` is false; [`Kind::Argument`] for a suffix
/// that names no format, [`Kind::Unsupported`] for `.gguf`; [`Kind::Io`] if the system refuses.
pub fn save(spec: &Spec, path: &Path, allow_loss: bool) -> Result<Vec<Loss>> {
    let target = Target::of(path)?;
    let written = match target {
        Target::Image => write_image(spec),
        Target::Tiktoken => write_tiktoken(spec),
        Target::Tekken => write_tekken(spec),
        Target::SentencePiece => write_sentencepiece(spec),
        Target::VocabMerges => write_vocab_merges(spec),
        Target::TokenizerJson => write_tokenizer_json(spec),
        Target::Folder => write_folder(spec),
    }?;
    let Written { files, losses } = if allow_loss { written } else { written.lossless()? };
    match (target, files.as_slice()) {
        (Target::Folder, files) => save_folder(path, files)?,
        (Target::VocabMerges, files) => save_folder(parent(path), files)?,
        (_, files) => files.iter().try_for_each(|File { bytes, .. }| save_file(path, bytes))?,
    }
    Ok(losses)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Image,
    Tiktoken,
    SentencePiece,
    Tekken,
    VocabMerges,
    TokenizerJson,
    Folder,
}

impl Target {
    fn of(path: &Path) -> Result<Target> {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
        match suffix.as_deref() {
            _ if path.is_dir() => Ok(Target::Folder),
            None => Ok(Target::Folder),
            Some("bukva") => Ok(Target::Image),
            Some("tiktoken") => Ok(Target::Tiktoken),
            Some("model") => Ok(Target::SentencePiece),
            Some("json") if name.starts_with("tekken") => Ok(Target::Tekken),
            Some("json") if name == "vocab.json" => Ok(Target::VocabMerges),
            Some("json") => Ok(Target::TokenizerJson),
            Some("gguf") => {
                let message = "a GGUF file is a model with its weights: bukva reads its vocabulary and writes none; \
                               save the tokenizer as .bukva or into a folder";
                Err(Error::new(Kind::Unsupported, message))
            }
            Some(_) => {
                let message = format!(
                    "the suffix of {} names no format: use .bukva, .tiktoken, .model (SentencePiece), .json (tokenizer.json), \
                     vocab.json, or no suffix for a folder",
                    quoted(&name)
                );
                Err(Error::new(Kind::Argument, message))
            }
        }
    }
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
