//! A piece of a corpus that is counted by itself.

use std::ops::Range;

use crate::normalize::Part;

/// Text of one document or of several, about a megabyte as a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The text.
    pub text: String,
    /// Where the text starts: its byte position in the stream of all documents in order.
    pub place: u64,
    /// How many blocks come before it.
    pub index: u64,
    /// Number of the input that its last text is from: that of all its text, where inputs are read apart.
    pub input: usize,
    /// Which parts of the text belong to different documents.
    pub pieces: Pieces,
    /// Whether its first piece starts a document.
    pub starts_document: bool,
    /// Whether its last piece ends a document.
    pub ends_document: bool,
}

/// How a block is divided into documents. A piece is normalized and split by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pieces {
    /// Each line, with its LF, is one.
    Lines,
    /// Where each ends; the last at the end of the text. Pieces may be empty.
    Ends(Vec<usize>),
}

impl Block {
    /// The ranges of the pieces, in order; they tile the text.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        let mut number = 0;
        std::iter::from_fn(move || {
            let end = match &self.pieces {
                Pieces::Lines if start == self.text.len() => return None,
                Pieces::Lines => self.line_end(start),
                Pieces::Ends(ends) => *ends.get(number)?,
            };
            number += 1;
            Some(std::mem::replace(&mut start, end)..end)
        })
    }

    /// Which ends of its document one of the pieces has.
    pub fn part(&self, piece: &Range<usize>) -> Part {
        Part {
            starts: piece.start > 0 || self.starts_document,
            ends: piece.end < self.text.len() || self.ends_document,
        }
    }

    fn line_end(&self, start: usize) -> usize {
        memchr::memchr(b'\n', &self.text.as_bytes()[start..]).map_or(self.text.len(), |at| start + at + 1)
    }
}
