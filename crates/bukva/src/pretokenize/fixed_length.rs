//! `FixedLength` of the `tokenizers` library: so many characters a piece.

/// Emits pieces of `length` characters, the last one of fewer. O(n) time, no memory.
pub(super) fn scan(text: &str, length: usize, mut emit: impl FnMut(usize, usize)) {
    let (mut start, mut filled) = (0, 0);
    for (at, _) in text.char_indices() {
        if filled == length {
            emit(start, at);
            (start, filled) = (at, 0);
        }
        filled += 1;
    }
    if start < text.len() {
        emit(start, text.len());
    }
}
