//! Where the inputs stand, and how to get there again.

use crate::corpus::{Block, Pieces};
use crate::error::{Error, Kind, Result};

/// A place in the inputs at which encoding can go on: the start of a document, or a proven cut inside one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// Number of the input.
    pub input: usize,
    /// Documents of that input before.
    pub documents: u64,
    /// Bytes of text of the document that is open.
    pub bytes: u64,
    /// Ids of what follows that are in shards already.
    pub tokens: u64,
    /// Bytes of text of all inputs before.
    pub text_bytes: u64,
    /// Bytes that were replaced in the inputs before that one.
    pub replaced_bytes: u64,
}

impl Position {
    /// Whether a document is open.
    pub(super) fn is_inside(&self) -> bool {
        self.bytes > 0 || self.tokens > 0
    }
}

/// What is read again and not encoded again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skip {
    documents: u64,
    bytes: u64,
}

impl Skip {
    pub(super) fn to(position: &Position) -> Self {
        Skip { documents: position.documents, bytes: position.bytes }
    }

    pub(super) fn is_done(self) -> bool {
        self.documents == 0 && self.bytes == 0
    }

    /// What is left of a block, or `None` where nothing is. O(n).
    ///
    /// # Errors
    /// [`Kind::Corpus`] when the text is not the one that was read before.
    pub(super) fn apply(&mut self, block: Block) -> Result<Option<Block>> {
        if self.is_done() {
            return Ok(Some(block));
        }
        match self.end_in(&block)? {
            Some((first, start)) => {
                let starts_document = std::mem::take(&mut self.bytes) == 0;
                cut(block, first, start, starts_document).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The piece in which the end of what is skipped lies, and where; nothing if it lies behind the block.
    fn end_in(&mut self, block: &Block) -> Result<Option<(usize, usize)>> {
        let mut pieces = block.pieces().enumerate().peekable();
        while let Some((number, piece)) = pieces.next() {
            let ends = pieces.peek().is_some() || block.ends_document;
            let length = piece.len() as u64;
            if self.documents > 0 {
                self.documents -= u64::from(ends);
            } else if self.bytes < length || (self.bytes == length && ends) {
                return Ok(Some((number, piece.start + self.bytes as usize)));
            } else if ends {
                return Err(changed());
            } else {
                self.bytes -= length;
            }
        }
        Ok(None)
    }
}

/// The block from `start` on, which lies in piece number `first`.
fn cut(block: Block, first: usize, start: usize, starts_document: bool) -> Result<Block> {
    let Some(text) = block.text.get(start..) else { return Err(changed()) };
    let pieces = match &block.pieces {
        Pieces::Lines => Pieces::Lines,
        Pieces::Ends(ends) => Pieces::Ends(ends[first..].iter().map(|end| end - start).collect()),
    };
    Ok(Block { text: text.to_owned(), place: block.place + start as u64, pieces, starts_document, ..block })
}

/// The error of an input that is another than before.
pub(super) fn changed() -> Error {
    let message = "the input is not the one that an earlier run read: it is shorter, or its text is cut elsewhere; \
                   encode it from the start (overwrite=True)";
    Error::new(Kind::Corpus, message)
}
