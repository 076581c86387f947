//! From a path to a tokenizer that is ready to work.

use std::fs::File;
use std::io::Read;
use std::path::Path;

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
    if is_image(&file) {
        return refuse(encoding).and_then(|()| open_image(&file)).map_err(named);
    }
    load(path, encoding).and_then(Tokenizer::of_valid).map_err(named)
}

/// Whether the file begins as an image does. What cannot be read is left to [`load`], which says why.
fn is_image(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == MAGIC
}
