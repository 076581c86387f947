//! JSON Lines: one object a line, one of its members is the document.

mod line;

use std::io::{BufRead, BufReader};

use super::open::{Stream, open, read_error};
use super::packer::Packer;
use super::source::Source;
use super::utf8::{OnInvalid, Utf8Decoder};
use crate::error::{Error, Result};

const BYTE_ORDER_MARK: char = '\u{feff}';
/// Of the escape `\uXXXX`.
const SURROGATE_BYTES: u64 = 6;

/// An open JSON Lines file. Holds one line.
pub(super) struct JsonlFile {
    source: Source,
    field: String,
    stream: BufReader<Stream>,
    decoder: Utf8Decoder,
    on_invalid: OnInvalid,
    surrogates: u64,
    line: Vec<u8>,
    text: String,
    number: u64,
    offset: u64,
}

impl JsonlFile {
    pub(super) fn open(source: Source, field: String, piece_bytes: usize, on_invalid: OnInvalid) -> Result<Self> {
        let stream = BufReader::with_capacity(piece_bytes, open(&source)?);
        let decoder = Utf8Decoder::new(on_invalid);
        let (line, text) = (Vec::new(), String::new());
        Ok(JsonlFile { source, field, stream, decoder, on_invalid, surrogates: 0, line, text, number: 0, offset: 0 })
    }

    /// Reads a line and hands its document to `packer`; a blank line is none. Gives the bytes read, or `None` at the
    /// end of the file.
    pub(super) fn step(&mut self, packer: &mut Packer) -> Result<Option<u64>> {
        self.line.clear();
        let read = self.stream.read_until(b'\n', &mut self.line).map_err(|error| read_error(&self.source, &error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.document(packer).map_err(|error| error.in_source(self.source.location.to_string()))?;
        self.offset += read as u64;
        Ok(Some(read as u64))
    }

    fn document(&mut self, packer: &mut Packer) -> Result<()> {
        self.text.clear();
        self.decoder.decode(&self.line, true, &mut self.text)?;
        let whole = self.text.trim_end_matches(['\n', '\r']);
        let bare = if self.number == 1 { whole.strip_prefix(BYTE_ORDER_MARK).unwrap_or(whole) } else { whole };
        if bare.bytes().all(|byte| byte.is_ascii_whitespace()) {
            return Ok(());
        }
        let place = |error: Error| {
            let column = error.place.byte_offset.unwrap_or(0);
            let skipped = whole.len() - bare.len();
            error.at_line(self.number).at_byte(self.offset + skipped as u64 + column)
        };
        let text = line::parse(bare, &self.field, self.on_invalid, &mut self.surrogates).map_err(place)?;
        packer.push_document(&text)
    }

    /// Bytes that were not text and were replaced so far.
    pub(super) fn replaced_bytes(&self) -> u64 {
        self.decoder.replaced_bytes + self.surrogates * SURROGATE_BYTES
    }
}
