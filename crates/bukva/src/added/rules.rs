//! The rules by which a match takes white space or is dropped: `single_word`, `lstrip`, `rstrip`, as in the
//! `tokenizers` library.

use super::AddedMatch;
use crate::spec::AddedToken;
use crate::unicode::{Classes, Flags};

/// A part of a text: an added token with its id, or the text between two. Parts follow each other in order; they
/// overlap where an added token lies in the white space that the one before it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// First byte.
    pub start: usize,
    /// Byte behind the last.
    pub end: usize,
    /// The added token's id.
    pub id: Option<u32>,
}

/// Cuts a text at matches, which are in order and do not overlap; `token` gives a match's token, or nothing for a
/// match that stays text. O(n).
pub(super) fn apply<'s>(
    text: &str,
    matches: impl Iterator<Item = AddedMatch>,
    token: impl Fn(usize) -> Option<&'s AddedToken>,
) -> Vec<Part> {
    let (mut parts, mut done) = (Vec::new(), 0);
    for AddedMatch { mut start, mut end, index } in matches {
        let Some(token) = token(index) else { continue };
        if token.single_word && !is_alone(text, start, end) {
            continue;
        }
        if token.lstrip {
            start = text[..start].trim_end().len().max(done);
        }
        if token.rstrip {
            end += text.len() - end - text[end..].trim_start().len();
        }
        if start >= end {
            // All of it is white space that the token before took: the library drops it, or fails.
            continue;
        }
        if done < start {
            parts.push(Part { start: done, end: start, id: None });
        }
        parts.push(Part { start, end, id: Some(token.id) });
        done = end;
    }
    if done < text.len() && !parts.is_empty() {
        parts.push(Part { start: done, end: text.len(), id: None });
    }
    parts
}

fn is_alone(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: char| Classes::v16().of(u32::from(c)).any(Flags::WORD);
    !text[..start].chars().next_back().is_some_and(is_word) && !text[end..].chars().next().is_some_and(is_word)
}
