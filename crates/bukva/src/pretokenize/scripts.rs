//! `UnicodeScripts` of the `tokenizers` library: a cut where the script changes.

use crate::unicode::script;

/// Emits every pre-token: from a character of one script to the next character of another. What goes with any script
/// stays with what is before it; at the start of the text it is dropped, as the library does. O(n) time, no memory.
pub(super) fn scan(text: &str, mut emit: impl FnMut(usize, usize)) {
    let (mut start, mut last) = (None, None);
    for (at, character) in text.char_indices() {
        let this = script(character);
        if this.is_some() && this != last {
            if let Some(start) = start.replace(at) {
                emit(start, at);
            }
            last = this;
        }
    }
    if let Some(start) = start {
        emit(start, text.len());
    }
}
