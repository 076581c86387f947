//! From text to a table of numbers.

use memchr::memchr;

use super::form::Form;
use super::line::{Fault, parse, trimmed};
use crate::error::{Error, Kind, Result};
use crate::monitor::{Monitor, Progress, Stage, Ticker};

/// Rows between two questions whether to go on.
const ROWS_A_TICK: usize = 256;

/// Words and their vectors as a text holds them; rows that are not finite are for the caller to judge.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextTable {
    /// Words one after another.
    pub words: String,
    /// Where each word ends, in bytes.
    pub ends: Vec<usize>,
    /// Rows one after another.
    pub matrix: Vec<f32>,
    /// Numbers in a row.
    pub dim: usize,
}

impl TextTable {
    /// The words in order.
    pub fn iter_words(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.words[start..end])
    }
}

/// Reads all rows of a text of this form. O(bytes) time; memory of the table only.
///
/// # Errors
/// [`Kind::Format`], naming row and line: a row of another number of numbers, a text that stops in the middle of a row
/// or has another number of rows than its header says, a field that is no number, a word that is not UTF-8. What
/// `monitor` answers.
pub fn read(bytes: &[u8], form: Form, monitor: &mut dyn Monitor) -> Result<TextTable> {
    let mut reader = Reader::new(bytes, form);
    let mut ticker = Ticker::new(monitor);
    while let Some(line) = reader.next_line() {
        reader.push(line)?;
        if reader.table.ends.len().is_multiple_of(ROWS_A_TICK) {
            ticker.tick(Progress { stage: Stage::Read, done: reader.at as u64, total: Some(bytes.len() as u64) })?;
        }
    }
    reader.finish()
}

struct Reader<'a> {
    bytes: &'a [u8],
    form: Form,
    at: usize,
    line: u64,
    table: TextTable,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8], form: Form) -> Self {
        let at = form.header.map_or(0, |header| header.len);
        // A number takes at least two bytes, so what a header declares cannot make the table outgrow the text.
        let most = (bytes.len() - at).div_ceil(2);
        let rows = form.header.map_or(0, |header| header.rows);
        let matrix = Vec::with_capacity(rows.saturating_mul(form.dim).min(most));
        let ends = Vec::with_capacity(rows.min(most / form.dim));
        let table = TextTable { matrix, ends, dim: form.dim, ..TextTable::default() };
        Reader { bytes, form, at, line: u64::from(form.header.is_some()), table }
    }

    /// The next line that is not empty, trimmed.
    fn next_line(&mut self) -> Option<&'a [u8]> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            let len = memchr(b'\n', rest).unwrap_or(rest.len());
            self.at = (self.at + len + 1).min(self.bytes.len());
            self.line += 1;
            let line = trimmed(&rest[..len]);
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    fn push(&mut self, line: &[u8]) -> Result<()> {
        let row = self.table.ends.len();
        if let Some(header) = self.form.header
            && row == header.rows
        {
            let message = format!("the header states {row} rows, but more follow; the file is damaged or two in one");
            return Err(Error::new(Kind::Format, message).at_line(self.line));
        }
        let word = parse(line, self.form.dim, self.form.words, &mut self.table.matrix);
        let word = word.map_err(|fault| self.fault(row, fault))?;
        let word = std::str::from_utf8(word).map_err(|_| self.not_text(row, word))?;
        self.table.words.push_str(word);
        self.table.ends.push(self.table.words.len());
        Ok(())
    }

    fn finish(self) -> Result<TextTable> {
        let rows = self.table.ends.len();
        match self.form.header {
            Some(header) if header.rows != rows => {
                let stated = header.rows;
                let message =
                    format!("the header states {stated} rows, but the file ends after {rows}; it is cut short");
                Err(Error::new(Kind::Format, message).at_line(self.line))
            }
            _ => Ok(self.table),
        }
    }

    fn fault(&self, row: usize, fault: Fault) -> Error {
        let dim = self.form.dim;
        let source = if self.form.header.is_some() { "the header says" } else { "the rows before have" };
        let message = match fault {
            Fault::Short { word, numbers } if self.at == self.bytes.len() => {
                format!("the file stops in the middle of row {row} ({word}): {numbers} numbers of {dim}")
            }
            Fault::Short { word, numbers } => format!("row {row} ({word}) has {numbers} numbers, {source} {dim}"),
            Fault::NotANumber { field, at } => {
                format!("row {row}: number {at} of {dim} is {field}, which is no number")
            }
            Fault::Long => format!("row {row} has more than the {dim} numbers of the rows before"),
        };
        Error::new(Kind::Format, message).at_line(self.line)
    }

    fn not_text(&self, row: usize, word: &[u8]) -> Error {
        let shown = String::from_utf8_lossy(word).into_owned();
        let message = format!("the word of row {row}, {}, is not UTF-8", crate::error::quoted(&shown));
        Error::new(Kind::Format, message).at_line(self.line)
    }
}
