//! What a text of vectors looks like: with or without a line of sizes, with or without words.

use memchr::memchr;

use super::line::{fields, trimmed};

/// Lines that are looked at where no header says how many numbers a row has.
const LOOKED_AT: usize = 64;

/// Bytes of the longest header: two numbers of 64 bits, and blanks.
const LONGEST: usize = 64;

/// The sizes that the first line of word2vec's and fastText's files states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Rows of the table.
    pub rows: usize,
    /// Numbers in a row.
    pub dim: usize,
    /// Bytes of the line, with its line feed.
    pub len: usize,
}

impl Header {
    /// The header that `bytes` begin with: two whole numbers alone on the first line. O(length of the line).
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let start = &bytes[..bytes.len().min(LONGEST)];
        let end = memchr(b'\n', start).or((bytes.len() < LONGEST).then_some(bytes.len()))?;
        let mut numbers = std::str::from_utf8(&bytes[..end]).ok()?.split_ascii_whitespace();
        let (rows, dim) = (whole(numbers.next()?)?, whole(numbers.next()?)?);
        (numbers.next().is_none() && dim > 0).then_some(Header { rows, dim, len: bytes.len().min(end + 1) })
    }
}

fn whole(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// How a text of vectors is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The line of sizes, if there is one.
    pub header: Option<Header>,
    /// Numbers in a row.
    pub dim: usize,
    /// Whether a word stands before the numbers.
    pub words: bool,
}

impl Form {
    /// The layout of a text without a header: the shortest of its first lines tells how many numbers a row has, for a
    /// word that holds spaces makes a line look longer. None where a line has no number. O(first lines).
    pub fn without_header(bytes: &[u8], words: bool) -> Option<Self> {
        let shortest = lines(bytes).take(LOOKED_AT).map(fields).min()?;
        let dim = shortest.checked_sub(usize::from(words)).filter(|&dim| dim > 0)?;
        Some(Form { header: None, dim, words })
    }
}

/// The layout of a text, with a header or without. O(first lines).
///
/// A first line of two whole numbers is a header, unless the second line says otherwise: a word and one number, where
/// the header would promise more. None as in [`Form::without_header`].
pub fn sniff(bytes: &[u8], words: bool) -> Option<Form> {
    match Header::of(bytes).filter(|_| words) {
        Some(header) if !is_word_and_number(&bytes[header.len..], header.dim) => {
            Some(Form { header: Some(header), dim: header.dim, words })
        }
        _ => Form::without_header(bytes, words),
    }
}

/// A line that ends nowhere may have been cut, so it says nothing.
fn is_word_and_number(bytes: &[u8], promised: usize) -> bool {
    promised > 1 && bytes.contains(&b'\n') && lines(bytes).next().is_some_and(|line| fields(line) == 2)
}

/// Lines that are not empty.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b'\n').map(trimmed).filter(|line| !line.is_empty())
}
