//! BERT's pre-tokenizer: white space dropped, punctuation characters alone.

use std::sync::LazyLock;

use crate::unicode::{is_space, punctuation_runs, table::ByteTable};

const SPACE: u8 = 1;
const PUNCTUATION: u8 = 2;

static KINDS: LazyLock<ByteTable> = LazyLock::new(|| {
    let punctuation = punctuation_runs().map(|(first, last)| (first, last, PUNCTUATION));
    let spaces = ('\0'..=LAST_SPACE).filter(|&c| is_space(c)).map(|c| (u32::from(c), u32::from(c), SPACE));
    ByteTable::of(punctuation.chain(spaces))
});

/// No white space lies beyond.
const LAST_SPACE: char = '\u{3000}';

/// Emits every pre-token. O(n) time, no memory.
pub(super) fn scan(text: &str, mut emit: impl FnMut(usize, usize)) {
    let kinds = &*KINDS;
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let kind = kinds.get(u32::from(character));
        if kind == 0 {
            continue;
        }
        if start < at {
            emit(start, at);
        }
        start = at + character.len_utf8();
        if kind == PUNCTUATION {
            emit(at, start);
        }
    }
    if start < text.len() {
        emit(start, text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_white_space_is_the_last() {
        assert_eq!(('\0'..=char::MAX).filter(|&c| is_space(c)).max(), Some(LAST_SPACE));
    }
}
