//! bukva's own file, `.bukva`: lossless, checked, and flat enough to be mapped into memory.
//!
//! `docs/formats/image.md` describes the layout with its reasons. [`layout`] knows header and sections,
//! [`content`] what the sections mean.

mod content;
mod layout;
#[cfg(test)]
mod tests;

use super::Written;
use crate::error::Result;
use crate::spec::Spec;

pub use layout::{MAGIC, VERSION};

/// Writes an image. O(size); nothing is ever lost.
///
/// # Errors
/// [`crate::Kind::Invariant`] if a number of the specification is not finite, which the small parts cannot hold.
pub fn write_image(spec: &Spec) -> Result<Written> {
    let bytes = layout::join(&content::sections(spec)?);
    Ok(Written::single("tokenizer.bukva", bytes, Vec::new()))
}

/// Reads an image. O(size); no more memory than twice the bytes given.
///
/// The content is what was written, and is not checked against the invariants: see [`Spec::validate`].
///
/// # Errors
/// [`crate::Kind::Format`] if the bytes are not an image, are damaged, or were written by a newer version.
pub fn read_image(bytes: &[u8]) -> Result<Spec> {
    content::spec(&layout::split(bytes)?)
}
