//! Inputs in order → blocks.

use std::collections::VecDeque;

use super::block::Block;
use super::cut::Cuts;
use super::jsonl::JsonlFile;
use super::packer::Packer;
use super::source::{Content, Source, Unit};
use super::text_file::TextFile;
use super::utf8::OnInvalid;
use crate::error::Result;

/// Bytes of a block, about: large enough that handing it over costs nothing, small enough that many threads have
/// work, that little memory is held, and that a stop is noticed at once.
pub const BLOCK_BYTES: usize = 1 << 20;

/// Bytes read at a time: they stay in the second-level cache until they are text.
const PIECE_BYTES: usize = 1 << 18;

/// Texts in memory, or whatever makes them.
pub type Texts<'a> = Box<dyn Iterator<Item = Result<String>> + Send + 'a>;

/// Something that gives documents.
pub enum Input<'a> {
    /// A file or standard input.
    Source(Source),
    /// Texts, one document each. An error of the iterator ends the reading.
    Texts(Texts<'a>),
}

/// How a corpus is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What to do about bytes that are not UTF-8, and lone surrogates in JSON.
    pub on_invalid: OnInvalid,
    /// Bytes of a block, about; [`BLOCK_BYTES`] as a rule. No result depends on it.
    pub block_bytes: usize,
    /// No block has text of more than one input.
    pub apart: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { on_invalid: OnInvalid::Error, block_bytes: BLOCK_BYTES, apart: false }
    }
}

/// Reads inputs one after another. Holds one open file, and text for about one block.
pub struct Reader<'a> {
    inputs: VecDeque<Input<'a>>,
    current: Option<Open<'a>>,
    packer: Packer<'a>,
    options: Options,
    total: Option<u64>,
    read: u64,
    replaced_bytes: u64,
    /// `replaced_bytes` when each input was opened.
    replaced_before: Vec<u64>,
}

enum Open<'a> {
    Text(TextFile),
    Jsonl(JsonlFile),
    Texts(Texts<'a>),
}

impl<'a> Reader<'a> {
    /// A reader of `inputs` in their order, whose blocks end at `cuts`. Opens nothing yet.
    pub fn new(inputs: Vec<Input<'a>>, options: Options, cuts: Cuts<'a>) -> Self {
        let total = inputs.iter().map(known_bytes).sum();
        let packer = Packer::new(cuts, options.block_bytes);
        Reader {
            inputs: inputs.into(),
            current: None,
            packer,
            options,
            total,
            read: 0,
            replaced_bytes: 0,
            replaced_before: Vec::new(),
        }
    }

    /// The next block, or `None` when all inputs are read. `tick` is called after each read with the bytes read so
    /// far, and may end the work.
    ///
    /// # Errors
    /// What opening, reading, decompressing and decoding answer, and what `tick` answers.
    pub fn next_block(&mut self, tick: &mut dyn FnMut(u64) -> Result<()>) -> Result<Option<Block>> {
        loop {
            if let Some(block) = self.packer.pop() {
                return Ok(Some(block));
            }
            if self.current.is_none() {
                let Some(input) = self.inputs.pop_front() else {
                    self.packer.flush();
                    return Ok(self.packer.pop());
                };
                self.current = Some(self.open(input)?);
            }
            self.step()?;
            tick(self.read)?;
        }
    }

    /// Bytes of all inputs after decompression, where that is known before reading.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// Bytes read so far, after decompression.
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Bytes that were not text and were replaced so far; an escape in JSON counts as its six bytes.
    pub fn replaced_bytes(&self) -> u64 {
        self.replaced_bytes + self.current.as_ref().map_or(0, Open::replaced_bytes)
    }

    /// The same in all inputs before number `input`, which is opened.
    pub fn replaced_before(&self, input: usize) -> u64 {
        self.replaced_before.get(input).copied().unwrap_or(self.replaced_bytes)
    }

    fn open(&mut self, input: Input<'a>) -> Result<Open<'a>> {
        let Options { on_invalid, block_bytes, .. } = self.options;
        let piece_bytes = block_bytes.min(PIECE_BYTES);
        let is_lines = matches!(&input, Input::Source(Source { content: Content::Text(Unit::Line), .. }));
        self.packer.set_lines(is_lines);
        self.packer.set_input(self.replaced_before.len());
        self.replaced_before.push(self.replaced_bytes);
        Ok(match input {
            Input::Texts(texts) => Open::Texts(texts),
            Input::Source(source) => match source.content.clone() {
                Content::Text(_) => Open::Text(TextFile::open(source, piece_bytes, on_invalid)?),
                Content::Jsonl { field } => Open::Jsonl(JsonlFile::open(source, field, piece_bytes, on_invalid)?),
            },
        })
    }

    fn step(&mut self) -> Result<()> {
        let Some(open) = &mut self.current else { return Ok(()) };
        let read = match open {
            Open::Text(file) => file.step(&mut self.packer)?,
            Open::Jsonl(file) => file.step(&mut self.packer)?,
            Open::Texts(texts) => match texts.next().transpose()? {
                Some(text) => {
                    self.packer.push_document(&text)?;
                    Some(text.len() as u64)
                }
                None => None,
            },
        };
        match read {
            Some(read) => self.read += read,
            None => self.close(),
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some(open) = self.current.take() else { return };
        self.replaced_bytes += open.replaced_bytes();
        if matches!(open, Open::Text(_)) {
            self.packer.end_document();
        }
        if self.options.apart {
            self.packer.flush();
        }
    }
}

impl Open<'_> {
    fn replaced_bytes(&self) -> u64 {
        match self {
            Open::Text(file) => file.replaced_bytes(),
            Open::Jsonl(file) => file.replaced_bytes(),
            Open::Texts(_) => 0,
        }
    }
}

fn known_bytes(input: &Input<'_>) -> Option<u64> {
    match input {
        Input::Source(source) => source.known_bytes(),
        Input::Texts(_) => None,
    }
}
