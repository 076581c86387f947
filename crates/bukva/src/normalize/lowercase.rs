//! Lower case, character by character.
//!
//! The mapping is that of the standard library: Unicode's full mapping without conditions, so İ becomes i with a dot
//! above and Σ always becomes σ. Capitals that came after Unicode 16 stay as they are, so that the vocabulary does
//! not depend on the compiler.

use std::ops::Range;
use std::sync::OnceLock;

use super::char_set::{CharSet, next_in};
use crate::unicode::is_assigned;

/// O(n).
pub(super) fn rewrite(text: &str, emit: &mut impl FnMut(Range<usize>, &str)) {
    static CAPITALS: OnceLock<CharSet> = OnceLock::new();
    let capitals = CAPITALS.get_or_init(|| CharSet::new(|c| lower(c) != [Some(c), None]));
    let mut ascii_to = 0;
    while ascii_to < text.len() {
        let foreign = next_in(text, ascii_to, capitals);
        let end = foreign.map_or(text.len(), |(at, _)| at);
        rewrite_ascii(text, ascii_to..end, emit);
        ascii_to = end;
        if let Some((at, c)) = foreign {
            ascii_to = at + c.len_utf8();
            let mut buffer = String::with_capacity(8);
            buffer.extend(lower(c).into_iter().flatten());
            emit(at..ascii_to, &buffer);
        }
    }
}

fn rewrite_ascii(text: &str, range: Range<usize>, emit: &mut impl FnMut(Range<usize>, &str)) {
    for (index, byte) in text.as_bytes()[range.clone()].iter().enumerate() {
        if byte.is_ascii_uppercase() {
            let at = range.start + index;
            emit(at..at + 1, (byte.to_ascii_lowercase() as char).encode_utf8(&mut [0; 4]));
        }
    }
}

/// The lower case of `c`: one or two characters.
fn lower(c: char) -> [Option<char>; 2] {
    if !is_assigned(c) {
        return [Some(c), None];
    }
    let mut parts = c.to_lowercase();
    [parts.next(), parts.next()]
}
