//! bukva's own file, `.bukva`: lossless, checked, and used straight from the mapped file.
//!
//! `docs/formats/image.md` describes the layout with its reasons. [`layout`] knows header and sections, [`content`]
//! what the sections of a specification mean, [`compiled`] those of compiled tables.

mod compiled;
mod content;
mod layout;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::Written;
use crate::block::{Map, damaged};
use crate::error::{Error, Kind, Result};
use crate::pipeline::Tokenizer;
use crate::spec::Spec;

pub use layout::{MAGIC, VERSION};

/// Writes an image, with compiled tables where the model has such. O(size) and the time to compile; nothing is ever
/// lost.
///
/// # Errors
/// [`crate::Kind::Invariant`] if a number of the specification is not finite, which the small parts cannot hold.
pub fn write_image(spec: &Spec) -> Result<Written> {
    let tables = compiled::Tables::compile(spec);
    let mut sections = content::sections(spec)?;
    sections.extend(tables.iter().flat_map(compiled::Tables::sections));
    Ok(Written::single("tokenizer.bukva", layout::join(&sections), Vec::new()))
}

/// The image of a tokenizer in memory, with its compiled tables. O(size).
///
/// # Errors
/// As [`write_image`].
pub fn image_of(tokenizer: &Tokenizer) -> Result<Vec<u8>> {
    let mut sections = content::sections(tokenizer.spec())?;
    sections.extend(compiled::sections_of(tokenizer));
    Ok(layout::join(&sections))
}

/// A hash of everything that a tokenizer is: XXH3, 128 bits, of its image without compiled tables. O(size).
///
/// Files that lay beside its own are left out: they change neither ids nor text.
///
/// # Errors
/// As [`write_image`].
pub fn fingerprint(spec: &Spec) -> Result<u128> {
    Ok(xxhash_rust::xxh3::xxh3_128(&layout::join(&content::sections_alone(spec)?)))
}

/// Reads the specification of an image. O(size); no more memory than twice the bytes given.
///
/// The content is what was written, and is not checked against the invariants: see [`Spec::validate`].
///
/// # Errors
/// [`crate::Kind::Format`] if the bytes are not an image, are damaged, or were written by another version.
pub fn read_image(bytes: &[u8]) -> Result<Spec> {
    read(Map::of_bytes(bytes)).and_then(|sections| content::spec(&sections))
}

/// The tokenizer of an image in memory: as [`open_image`], from a copy of the bytes.
///
/// # Errors
/// As [`open_image`].
pub fn load_image(bytes: &[u8]) -> Result<Tokenizer> {
    read(Map::of_bytes(bytes)).and_then(|sections| compiled::tokenizer(&sections))
}

/// Maps an image file and makes its tokenizer, which uses the tables where they lie. O(size) for the checksum, which
/// is fast; what the image has no tables for is compiled.
///
/// Where the image has compiled tables, the invariants of the specification are not checked: [`Spec::validate`].
///
/// # Errors
/// [`Kind::Io`] if the file cannot be mapped, [`Kind::Format`] if it is not an image, is damaged, or was written by
/// another version; those of [`Tokenizer::new`].
pub fn open_image(path: &Path) -> Result<Tokenizer> {
    let unread = |error: std::io::Error| Error::new(Kind::Io, format!("{} was not read: {error}", path.display()));
    let file = File::open(path).map_err(unread)?;
    let map = match file.metadata().map_err(unread)?.len() {
        0 => Map::of_bytes(&[]),
        _ => Map::of_file(&file).map_err(unread)?,
    };
    read(map).and_then(|sections| compiled::tokenizer(&sections))
}

fn read(map: Map) -> Result<crate::block::Sections> {
    if cfg!(target_endian = "big") {
        let message = "bukva images are little-endian, and this computer is not: load the file they were made from";
        return Err(Error::new(Kind::Unsupported, message));
    }
    let sections = layout::split(Arc::new(map))?;
    let known =
        |name: &str| content::NAMES.contains(&name) || compiled::PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    let unknown = sections.names().find(|name| !known(name));
    let unknown = unknown.map(|name| damaged(format!("section {name:?} is not one that this version knows")));
    unknown.map_or(Ok(sections), Err)
}
