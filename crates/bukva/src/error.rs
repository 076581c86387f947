//! One error for the whole engine: what kind, what happened, and where.

use std::fmt;

/// Result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What sort of thing went wrong. The Python package maps each kind to one exception class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An option or argument has a value that cannot be used.
    Argument,
    /// A pattern cannot be compiled, or gave up on a text.
    Pattern,
    /// Text contains the text of a special token that the caller did not allow.
    SpecialToken,
    /// Bytes are not valid UTF-8, or ids do not spell valid UTF-8.
    Encoding,
    /// A character has no token and the model has no unknown token.
    UnknownCharacter,
    /// An id is not defined by the vocabulary.
    UnknownId,
    /// A corpus is empty, has a wrong field, or is damaged.
    Corpus,
    /// A training run cannot reach what was asked.
    Training,
    /// A file is truncated, foreign, or contradicts itself.
    Format,
    /// A specification breaks one of its named invariants.
    Invariant,
    /// Something valid that this version does not implement.
    Unsupported,
    /// A target format cannot hold what the tokenizer says.
    Loss,
    /// The operating system refused to read or write.
    Io,
    /// The caller asked to stop.
    Cancelled,
}

/// Where in the input an error lies. Every part is optional; offsets are bytes from 0, lines count from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// A file name, or a description such as `document 3`.
    pub source: Option<String>,
    /// Line number, from 1.
    pub line: Option<u64>,
    /// Byte offset, from 0.
    pub byte_offset: Option<u64>,
}

/// An error with its kind, a message that names value and limit, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// What sort of error.
    pub kind: Kind,
    /// What happened: names the thing, the value, and what was expected.
    pub message: String,
    /// Where it happened.
    pub place: Place,
}

impl Error {
    /// An error of `kind` that says `message`, with no place yet.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), place: Place::default() }
    }

    /// The same error, lying in `source`. An earlier source is kept: the innermost place is the true one.
    #[must_use]
    pub fn in_source(mut self, source: impl Into<String>) -> Self {
        self.place.source.get_or_insert_with(|| source.into());
        self
    }

    /// The same error, lying on `line` (from 1).
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.place.line = Some(line);
        self
    }

    /// The same error, lying at `offset` bytes (from 0).
    #[must_use]
    pub fn at_byte(mut self, offset: u64) -> Self {
        self.place.byte_offset = Some(offset);
        self
    }

    /// The same error, its offset counted from `bytes` before where it counted from. One without offset stays so.
    #[must_use]
    pub fn moved_by(mut self, bytes: usize) -> Self {
        self.place.byte_offset = self.place.byte_offset.map(|offset| offset + bytes as u64);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let Place { source, line, byte_offset } = &self.place;
        let parts = [source.clone(), line.map(|n| format!("line {n}")), byte_offset.map(|n| format!("byte {n}"))];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join(", ")) }
    }
}

/// Shortens text for a message: at most 60 characters, quoted, control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(60) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

/// Shows token bytes for a message: as text where they are UTF-8, else as hexadecimal bytes.
pub(crate) fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => quoted(text),
        Err(_) => format!("{bytes:02x?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_ends_with_the_place() {
        let error = Error::new(Kind::Encoding, "byte 0xff is not UTF-8").at_byte(7).at_line(2).in_source("a.txt");
        assert_eq!(error.to_string(), "byte 0xff is not UTF-8 (a.txt, line 2, byte 7)");
        assert_eq!(error.in_source("b.txt").place.source.as_deref(), Some("a.txt"));
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(quoted(&"ё".repeat(61)), format!("{:?}…", "ё".repeat(60)));
        assert_eq!(shown(&[0xff]), "[ff]");
    }
}
