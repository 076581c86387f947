//! A text with the place of every byte in the original, as the `tokenizers` library reports it.
//!
//! [`AlignedText`] follows the library's `NormalizedString`: a changed character has the place of the character that
//! it replaces, a new one the place of the character before it, and what is removed has none. So the places of two
//! neighbours may be the same, or leave a gap: they do not tile the original, as the edits of
//! [`crate::normalize::Aligned`] do. This is the way to the offsets of `compat.hf`; nothing else needs it.

mod edits;
mod transform;

use std::ops::Range;

use crate::error::{Error, Kind, Result};

/// A piece of an original text, as it stands now, with the place of each byte. 9 bytes a byte of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlignedText<'t> {
    original: &'t str,
    /// The bytes of the original that this piece is made of.
    origin: Range<u32>,
    text: String,
    /// For each byte of `text`, the bytes of the original that it stands for. Both ends never decrease.
    spans: Vec<(u32, u32)>,
}

impl<'t> AlignedText<'t> {
    /// The whole of `original`, unchanged. O(n).
    ///
    /// # Errors
    /// [`Kind::Argument`] for a text of 4 GiB or more: places are kept in 32 bits.
    pub fn new(original: &'t str) -> Result<Self> {
        let end = u32::try_from(original.len()).map_err(|_| too_long(original.len()))?;
        let mut spans = Vec::with_capacity(original.len());
        for (start, c) in original.char_indices() {
            let span = (start as u32, (start + c.len_utf8()) as u32);
            spans.extend(std::iter::repeat_n(span, c.len_utf8()));
        }
        Ok(AlignedText { original, origin: 0..end, text: original.to_owned(), spans })
    }

    /// The text as it stands now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole original text, also of a slice.
    pub fn original(&self) -> &'t str {
        self.original
    }

    /// The bytes of the original that this piece is made of.
    pub fn origin(&self) -> Range<usize> {
        self.origin.start as usize..self.origin.end as usize
    }

    /// For each byte of the text, the bytes of the original that it stands for. All bytes of a character have the
    /// same; both ends never decrease.
    pub fn spans(&self) -> &[(u32, u32)] {
        &self.spans
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The bytes of the original for the bytes `range` of the text, as the library gives them: from the start of the
    /// first to the end of the last. An empty range counts its place from the start of the piece. O(1).
    pub fn offsets(&self, range: Range<usize>) -> Range<usize> {
        match self.spans.get(range.clone()) {
            Some([first, .., last]) => first.0 as usize..last.1 as usize,
            Some([only]) => only.0 as usize..only.1 as usize,
            _ => self.origin.start as usize + range.start..self.origin.start as usize + range.end,
        }
    }

    /// The piece at the bytes `range` of the text; an empty one where that is not between characters. Places stay
    /// those in the whole original. O(length of the piece).
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let range = if self.text.get(range.clone()).is_some() { range } else { 0..0 };
        let origin = match self.spans[range.clone()] {
            [first, .., last] => first.0..last.1,
            [only] => only.0..only.1,
            [] => self.origin.start..self.origin.start,
        };
        let spans = self.spans[range.clone()].to_vec();
        AlignedText { original: self.original, origin, text: self.text[range].to_owned(), spans }
    }
}

fn too_long(length: usize) -> Error {
    let message =
        format!("the text has {length} bytes; offsets are given for texts below 4 GiB. Cut it into documents");
    Error::new(Kind::Argument, message)
}

#[cfg(test)]
mod tests;
