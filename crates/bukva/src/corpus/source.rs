//! Where text comes from: a file or standard input, what it holds, and how it is compressed.

use std::fmt;
use std::path::PathBuf;

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A file, or anything else with a path that can be read, such as a named pipe.
    Path(PathBuf),
    /// Standard input.
    StandardInput,
}

/// The name in messages.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Path(path) => path.display().fmt(f),
            Location::StandardInput => f.write_str("standard input"),
        }
    }
}

/// What is one document of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The whole file.
    File,
    /// Each line with its LF. A lone CR ends no line.
    Line,
}

/// What a source holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Plain text.
    Text(Unit),
    /// JSON Lines: one object a line; its member `field`, a string, is a document.
    Jsonl {
        /// The member's name.
        field: String,
    },
}

/// How a source is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip: `.gz`.
    Gzip,
    /// Zstandard: `.zst`.
    Zstd,
}

impl Compression {
    /// The compression that the suffix of a path states, upper or lower case.
    pub fn of(location: &Location) -> Self {
        let Location::Path(path) = location else { return Compression::None };
        match path.extension() {
            Some(suffix) if suffix.eq_ignore_ascii_case("gz") => Compression::Gzip,
            Some(suffix) if suffix.eq_ignore_ascii_case("zst") => Compression::Zstd,
            _ => Compression::None,
        }
    }
}

/// Where to read documents from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where.
    pub location: Location,
    /// What it holds.
    pub content: Content,
    /// How it is compressed.
    pub compression: Compression,
}

impl Source {
    /// The source at `location`, compressed as its suffix states.
    pub fn new(location: Location, content: Content) -> Self {
        let compression = Compression::of(&location);
        Source { location, content, compression }
    }

    /// Bytes of text in it, where that is known without reading: for a plain file that is not compressed.
    pub fn known_bytes(&self) -> Option<u64> {
        let Location::Path(path) = &self.location else { return None };
        let metadata = std::fs::metadata(path).ok()?;
        (self.compression == Compression::None && metadata.is_file()).then_some(metadata.len())
    }
}
