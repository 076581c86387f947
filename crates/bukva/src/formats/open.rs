//! From a path to a tokenizer that is ready to work.

use std::path::Path;

use super::detect::begins_with;
use super::encodings::Encoding;
use super::folder::tokenizer_file;
use super::image::{MAGIC, open_image};
use super::load::{load, refuse};
use crate::error::Result;
use crate::pipeline::Tokenizer;

/// Opens the tokenizer at `path`: as [`load`], compiled. An image is mapped, and its tables are used as they are.
///
/// # Errors
/// Those of [`load`] and of [`Tokenizer::new`], with the path.
pub fn open(path: &Path, encoding: Option<Encoding>) -> Result<Tokenizer> {
    let named = |error: crate::Error| error.in_source(path.display().to_string());
    let file = if path.is_dir() { tokenizer_file(path).map_err(named)? } else { path.to_owned() };
    if begins_with(&file, &MAGIC) {
        return refuse(encoding).and_then(|()| open_image(&file)).map_err(named);
    }
    load(path, encoding).and_then(Tokenizer::of_valid).map_err(named)
}
