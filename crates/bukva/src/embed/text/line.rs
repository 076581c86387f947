//! One line: a word, then numbers, parted by spaces or tabs.

use crate::error::quoted;

/// Why a line is not a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// Fewer numbers than asked for.
    Short {
        /// What stands before the numbers that there are.
        word: String,
        /// How many there are.
        numbers: usize,
    },
    /// A field that should be a number is none.
    NotANumber {
        /// The field.
        field: String,
        /// Its place among the numbers, from 1.
        at: usize,
    },
    /// More than the numbers, where no word is expected.
    Long,
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The line without white space at its end: word2vec and fastText write a space after the last number.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&byte| !is_blank(byte) && byte != b'\r').map_or(0, |last| last + 1);
    &line[..end]
}

/// Fields of a trimmed line; an empty word before the first blank counts. O(length).
pub(super) fn fields(line: &[u8]) -> usize {
    1 + line.iter().filter(|&&byte| is_blank(byte)).count()
}

/// Takes a trimmed line apart: pushes `dim` numbers and returns the word. O(length).
///
/// Most words hold no blank, so the line is read from its left end first, and from its right end if that fails.
pub(super) fn parse<'a>(line: &'a [u8], dim: usize, words: bool, out: &mut Vec<f32>) -> Result<&'a [u8], Fault> {
    let (word, numbers) = if words { split_word(line) } else { (&line[..0], line) };
    let start = out.len();
    if numbers_of(numbers, dim, out).is_some() {
        return Ok(word);
    }
    out.truncate(start);
    let at = start_of_last(line, dim).ok_or_else(|| short(line, words))?;
    let (word, numbers) = if at == 0 { (&line[..0], line) } else { (&line[..at - 1], &line[at..]) };
    if words && at == 0 {
        return Err(short(line, words));
    }
    if !words && at > 0 {
        return Err(Fault::Long);
    }
    numbers_of(numbers, dim, out).map_or_else(|| Err(fault(numbers)), |()| Ok(word))
}

fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|&byte| is_blank(byte)) {
        Some(at) => (&line[..at], &line[at + 1..]),
        None => (line, &[]),
    }
}

/// Pushes exactly `dim` numbers that make up the whole of `text`, or returns none; then some may have been pushed.
fn numbers_of(text: &[u8], dim: usize, out: &mut Vec<f32>) -> Option<()> {
    let mut rest = text;
    for left in (0..dim).rev() {
        let end = rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len());
        out.push(number(&rest[..end])?);
        // The last number ends the text; every other one is followed by a blank and something.
        if left == 0 {
            return (end == rest.len()).then_some(());
        }
        rest = rest.get(end + 1..)?;
    }
    None
}

fn number(field: &[u8]) -> Option<f32> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// Where the last `dim` fields begin, or none where there are fewer.
fn start_of_last(line: &[u8], dim: usize) -> Option<usize> {
    let mut blanks = line.iter().enumerate().rev().filter(|&(_, &byte)| is_blank(byte)).map(|(at, _)| at + 1);
    blanks.nth(dim - 1).or_else(|| (fields(line) == dim).then_some(0))
}

fn short(line: &[u8], words: bool) -> Fault {
    let (word, numbers) = if words { split_word(line) } else { (&line[..0], line) };
    let count = if numbers.is_empty() { 0 } else { fields(numbers) };
    Fault::Short { word: quoted(&String::from_utf8_lossy(word)), numbers: count }
}

fn fault(numbers: &[u8]) -> Fault {
    let wrong = numbers.split(|&byte| is_blank(byte)).enumerate().find(|(_, field)| number(field).is_none());
    let (at, field) = wrong.unwrap_or((0, numbers));
    Fault::NotANumber { field: quoted(&String::from_utf8_lossy(field)), at: at + 1 }
}
