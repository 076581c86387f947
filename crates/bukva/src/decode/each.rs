//! Steps of a decoder that rewrite one piece of text at a time.

use std::borrow::Cow;

use super::replace::Replacer;
use crate::error::Result;

/// Where a piece stands among the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) first: bool,
    pub(super) last: bool,
}

impl Place {
    pub(super) const INNER: Place = Place { first: false, last: false };
}

/// What happens to each piece.
#[derive(Debug, Clone)]
pub(super) enum Each {
    /// The marker becomes a space, and nothing in the last piece.
    EndOfWord(Vec<u8>),
    /// A piece without the prefix gets a space before it; the first one stays.
    WordPiece { prefix: Vec<u8>, cleanup: bool },
    /// The mark becomes a space; nothing in the first piece, if the mark was put there.
    Metaspace { mark: Vec<u8>, prepended: bool },
    /// Up to so many copies of a character go at each end.
    Strip { content: Vec<u8>, start: usize, stop: usize },
    /// Matches become a fixed text.
    Replace(Replacer),
    /// A space follows every piece but the last.
    SpaceBetween,
}

impl Each {
    /// Whether the last piece is rewritten otherwise than the others.
    pub(super) fn looks_ahead(&self) -> bool {
        matches!(self, Each::EndOfWord(_) | Each::SpaceBetween)
    }

    /// Whether the first piece is rewritten otherwise than the others.
    pub(super) fn looks_back(&self) -> bool {
        matches!(self, Each::WordPiece { .. } | Each::Metaspace { prepended: true, .. })
    }

    /// The piece rewritten. O(bytes).
    pub(super) fn apply<'p>(&self, piece: Cow<'p, [u8]>, place: Place) -> Result<Cow<'p, [u8]>> {
        Ok(match self {
            Each::EndOfWord(marker) => replaced(piece, marker, if place.last { b"" } else { b" " }),
            Each::WordPiece { prefix, cleanup } => {
                let piece = if place.first { piece } else { continued(piece, prefix) };
                if *cleanup { cleaned(piece) } else { piece }
            }
            Each::Metaspace { mark, prepended } => {
                replaced(piece, mark, if place.first && *prepended { b"" } else { b" " })
            }
            Each::Strip { content, start, stop } => {
                let from = copies(piece.chunks(content.len()), content, *start) * content.len();
                let rest = &piece[from..];
                let to = piece.len() - copies(rest.rchunks(content.len()), content, *stop) * content.len();
                if to - from == piece.len() { piece } else { Cow::Owned(piece[from..to].to_vec()) }
            }
            Each::Replace(replacer) => replacer.apply(piece)?,
            Each::SpaceBetween if place.last => piece,
            Each::SpaceBetween => Cow::Owned([&piece, &b" "[..]].concat()),
        })
    }
}

fn continued<'p>(piece: Cow<'p, [u8]>, prefix: &[u8]) -> Cow<'p, [u8]> {
    match piece.strip_prefix(prefix) {
        Some(rest) => Cow::Owned(rest.to_vec()),
        None => Cow::Owned([b" ", &*piece].concat()),
    }
}

/// How many of the first `most` chunks are `content`.
pub(super) fn copies<'p>(chunks: impl Iterator<Item = &'p [u8]>, content: &[u8], most: usize) -> usize {
    chunks.take(most).take_while(|chunk| *chunk == content).count()
}

/// Every `sought` becomes `new`, from the left. O(bytes).
pub(super) fn replaced<'p>(piece: Cow<'p, [u8]>, sought: &[u8], new: &[u8]) -> Cow<'p, [u8]> {
    let (mut from, mut out) = (0, Vec::new());
    for at in memchr::memmem::find_iter(&piece, sought) {
        out.extend_from_slice(&piece[from..at]);
        out.extend_from_slice(new);
        from = at + sought.len();
    }
    if from == 0 {
        return piece;
    }
    out.extend_from_slice(&piece[from..]);
    Cow::Owned(out)
}

/// The spaces that English punctuation and short forms do not want, in the order in which `tokenizers` removes them.
const UNWANTED: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

/// The cleanup of WordPiece and CTC.
pub(super) fn cleaned(piece: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memchr::memchr(b' ', &piece).is_none() {
        return piece;
    }
    UNWANTED.iter().fold(piece, |piece, (sought, new)| replaced(piece, sought.as_bytes(), new.as_bytes()))
}
