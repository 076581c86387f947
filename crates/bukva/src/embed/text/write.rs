//! From rows to text.

use std::io::Write as _;

/// Appends a word, if there is one, and its numbers, parted by `mark`, and a line feed.
///
/// Numbers have the fewest digits from which the same `f32` is read again, so nothing is lost. O(numbers).
pub fn write_row(word: Option<&str>, row: &[f32], mark: char, out: &mut Vec<u8>) {
    out.extend_from_slice(word.unwrap_or_default().as_bytes());
    let mut utf8 = [0; 4];
    let mark = mark.encode_utf8(&mut utf8).as_bytes();
    for (at, number) in row.iter().enumerate() {
        if at > 0 || word.is_some() {
            out.extend_from_slice(mark);
        }
        // Debug takes the exponent where it is shorter: 1e-30. A Vec takes everything, so this never fails.
        let _ = write!(out, "{number:?}");
    }
    out.push(b'\n');
}
