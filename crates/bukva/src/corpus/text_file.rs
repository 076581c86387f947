//! A text file, read piece by piece.

use std::io::{ErrorKind, Read};

use super::open::{Stream, open, read_error};
use super::packer::Packer;
use super::source::Source;
use super::utf8::{OnInvalid, Utf8Decoder};
use crate::error::Result;

/// An open text file. Holds one buffer.
pub(super) struct TextFile {
    source: Source,
    stream: Stream,
    decoder: Utf8Decoder,
    buffer: Vec<u8>,
    /// Bytes at the start of `buffer` that the last piece left over: a cut UTF-8 sequence.
    held: usize,
}

impl TextFile {
    pub(super) fn open(source: Source, piece_bytes: usize, on_invalid: OnInvalid) -> Result<Self> {
        let stream = open(&source)?;
        // Room for a held sequence and at least one byte more.
        let buffer = vec![0; piece_bytes.max(8)];
        Ok(TextFile { source, stream, decoder: Utf8Decoder::new(on_invalid), buffer, held: 0 })
    }

    /// Reads a piece into `packer`. Gives the bytes read, or `None` at the end of the file. A read that a signal
    /// interrupts gives 0 bytes, so that the caller can look whether to go on.
    pub(super) fn step(&mut self, packer: &mut Packer) -> Result<Option<u64>> {
        let read = match self.stream.read(&mut self.buffer[self.held..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(Some(0)),
            read => read.map_err(|error| read_error(&self.source, &error))?,
        };
        let bytes = &self.buffer[..self.held + read];
        let mut used = 0;
        packer.append(|text| {
            let decoded = self.decoder.decode(bytes, read == 0, text);
            used = decoded.map_err(|error| error.in_source(self.source.location.to_string()))?;
            Ok(())
        })?;
        self.held = bytes.len() - used;
        self.buffer.copy_within(used..used + self.held, 0);
        Ok((read > 0).then_some(read as u64))
    }

    /// Bytes that were not text and were replaced so far.
    pub(super) fn replaced_bytes(&self) -> u64 {
        self.decoder.replaced_bytes
    }
}
