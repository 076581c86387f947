//! The two patterns that drop white space: `words` and `whitespace`.

use super::reader::Reader;
use crate::unicode::Flags;

/// `\w+|[^\w\s]+`, the rest dropped. O(n) time, no memory.
pub(super) fn scan_words(text: &str, mut emit: impl FnMut(usize, usize)) {
    let text = Reader::new(text);
    let mut start = 0;
    while start < text.len() {
        let (first, after) = text.at(start);
        let end = if first.any(Flags::WORD) {
            text.run(after, |flags| flags.any(Flags::WORD))
        } else {
            text.run(after, |flags| !flags.any(Flags::WORD.or(Flags::SPACE)))
        };
        if first.any(Flags::SPACE) {
            start = after;
        } else {
            emit(start, end);
            start = end;
        }
    }
}

/// Runs of anything but white space. O(n) time, no memory.
pub(super) fn scan_whitespace(text: &str, mut emit: impl FnMut(usize, usize)) {
    let text = Reader::new(text);
    let mut start = 0;
    while start < text.len() {
        let end = text.run(start, |flags| !flags.any(Flags::SPACE));
        if end > start {
            emit(start, end);
        }
        start = text.run(end, |flags| flags.any(Flags::SPACE));
    }
}
