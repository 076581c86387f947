//! Inputs in order → whole documents, one by one.

use std::ops::Range;
use std::vec;

use super::block::Block;
use super::cut::Cuts;
use super::reader::{Input, Options, Reader};
use crate::error::Result;

/// Iterates over the documents of a corpus. Each is held whole.
pub struct Documents<'a> {
    reader: Reader<'a>,
    text: String,
    pieces: vec::IntoIter<Range<usize>>,
}

impl<'a> Documents<'a> {
    /// The documents of `inputs` in their order.
    pub fn new(inputs: Vec<Input<'a>>, options: Options) -> Self {
        let reader = Reader::new(inputs, options, Cuts::never());
        Documents { reader, text: String::new(), pieces: Vec::new().into_iter() }
    }

    /// Bytes that were not text and were replaced so far; those in documents that are still to come may be among them.
    pub fn replaced_bytes(&self) -> u64 {
        self.reader.replaced_bytes()
    }

    fn refill(&mut self, block: Block) {
        self.pieces = block.pieces().collect::<Vec<_>>().into_iter();
        self.text = block.text;
    }
}

impl Iterator for Documents<'_> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(piece) = self.pieces.next() {
                return Some(Ok(self.text[piece].to_owned()));
            }
            match self.reader.next_block(&mut |_| Ok(())) {
                Ok(block) => self.refill(block?),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
