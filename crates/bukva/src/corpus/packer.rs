//! Packs documents into blocks: small ones together, large ones cut where that is harmless.

use std::collections::VecDeque;
use std::mem;

use super::block::{Block, Pieces};
use super::cut::Cuts;
use crate::error::Result;

/// Takes text and ends of documents, gives blocks. Holds the text since the last block: about one block, or one
/// document where no cut is proven.
pub(super) struct Packer<'a> {
    cuts: Cuts<'a>,
    block_bytes: usize,
    text: String,
    /// Where documents end in `text`; not used in line mode.
    ends: Vec<usize>,
    lines: bool,
    starts_document: bool,
    /// Length of `text` at which a cut is looked for.
    try_at: usize,
    /// Where `text` starts.
    place: u64,
    made: u64,
    input: usize,
    ready: VecDeque<Block>,
}

impl<'a> Packer<'a> {
    pub(super) fn new(cuts: Cuts<'a>, block_bytes: usize) -> Self {
        let block_bytes = block_bytes.max(1);
        Packer {
            cuts,
            block_bytes,
            text: String::new(),
            ends: Vec::new(),
            lines: false,
            starts_document: true,
            try_at: block_bytes,
            place: 0,
            made: 0,
            input: 0,
            ready: VecDeque::new(),
        }
    }

    /// The next finished block.
    pub(super) fn pop(&mut self) -> Option<Block> {
        self.ready.pop_front()
    }

    /// Whether each line of what follows is a document. Between documents only.
    pub(super) fn set_lines(&mut self, lines: bool) {
        if lines != self.lines {
            self.flush();
        }
        self.lines = lines;
    }

    /// The number of the input that what follows is from.
    pub(super) fn set_input(&mut self, input: usize) {
        self.input = input;
    }

    /// Lets `write` append to the text of the document that is open.
    ///
    /// # Errors
    /// What `write` answers, or the normalizer while a cut is looked for.
    pub(super) fn append(&mut self, write: impl FnOnce(&mut String) -> Result<()>) -> Result<()> {
        write(&mut self.text)?;
        if self.text.len() >= self.try_at { self.cut() } else { Ok(()) }
    }

    /// Ends the document that is open, which may be empty. In line mode: ends a file, and so its last line.
    pub(super) fn end_document(&mut self) {
        if self.lines {
            // The next file's first line must not go on with this one's last.
            if !self.text.is_empty() && !self.text.ends_with('\n') {
                self.flush();
            }
            return;
        }
        self.ends.push(self.text.len());
        if self.text.len() >= self.block_bytes {
            self.flush();
        }
    }

    /// A whole document. Large ones are taken in parts, so that blocks stay small.
    ///
    /// # Errors
    /// What the normalizer answers while a cut is looked for.
    pub(super) fn push_document(&mut self, text: &str) -> Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let end = (self.block_bytes..rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
            let (part, later) = rest.split_at(end);
            self.append(|out| {
                out.push_str(part);
                Ok(())
            })?;
            rest = later;
        }
        self.end_document();
        Ok(())
    }

    /// Makes a block of what is left. Between documents only.
    pub(super) fn flush(&mut self) {
        if !self.text.is_empty() || !self.ends.is_empty() {
            self.emit(self.text.len(), true);
        }
    }

    /// Makes a block of the documents that are complete, or else of a part of the open one.
    fn cut(&mut self) -> Result<()> {
        let complete = if self.lines { line_end(&self.text) } else { self.ends.last().copied() };
        match complete {
            Some(end) => self.emit(end, true),
            None => match self.cuts.last(&self.text)? {
                Some(place) => self.emit(place, false),
                // Doubling keeps the search linear in all.
                None => self.try_at = self.text.len() * 2,
            },
        }
        Ok(())
    }

    fn emit(&mut self, end: usize, ends_document: bool) {
        let text = self.take(end);
        let mut ends = mem::take(&mut self.ends);
        if !ends_document {
            ends.push(end);
        }
        let pieces = if self.lines { Pieces::Lines } else { Pieces::Ends(ends) };
        let starts_document = mem::replace(&mut self.starts_document, ends_document);
        self.ready.push_back(Block {
            text,
            place: self.place,
            index: self.made,
            input: self.input,
            pieces,
            starts_document,
            ends_document,
        });
        self.place += end as u64;
        self.made += 1;
        self.try_at = self.text.len() + self.block_bytes;
    }

    /// The text up to `end`. What is small is copied: a buffer for a whole block costs more.
    fn take(&mut self, end: usize) -> String {
        if end < self.block_bytes / 16 {
            let text = self.text[..end].to_owned();
            self.text.drain(..end);
            return text;
        }
        let mut rest = String::with_capacity(self.text.len() - end + self.block_bytes);
        rest.push_str(&self.text[end..]);
        self.text.truncate(end);
        mem::replace(&mut self.text, rest)
    }
}

/// Behind the last LF.
fn line_end(text: &str) -> Option<usize> {
    memchr::memrchr(b'\n', text.as_bytes()).map(|at| at + 1)
}
