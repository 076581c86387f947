//! GPT-2's map between bytes and printable characters.
//!
//! The printable bytes of Latin-1 stand for themselves; the other 68, in order, for U+0100 and up. So any bytes can
//! be written as text, and a space becomes `Ġ`.

use std::sync::LazyLock;

/// Bytes that stand for themselves.
fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

static CHARS: LazyLock<[char; 256]> = LazyLock::new(|| {
    let mut next = 0x100;
    std::array::from_fn(|byte| {
        let byte = byte as u8;
        if is_printable(byte) {
            return char::from(byte);
        }
        next += 1;
        char::from_u32(next - 1).unwrap_or(char::REPLACEMENT_CHARACTER)
    })
});

/// One past the last character of the map.
const END: usize = 0x144;

static BYTES: LazyLock<[Option<u8>; END]> = LazyLock::new(|| {
    let mut bytes = [None; END];
    for (byte, &mapped) in (0..=255).zip(CHARS.iter()) {
        bytes[mapped as usize] = Some(byte);
    }
    bytes
});

/// The character that stands for a byte. O(1).
pub fn char_of(byte: u8) -> char {
    CHARS[usize::from(byte)]
}

/// Appends the characters of `bytes`. O(bytes).
pub fn push_text(bytes: &[u8], text: &mut String) {
    text.extend(bytes.iter().map(|&byte| char_of(byte)));
}

/// Appends the bytes of `text`; gives the first character that stands for no byte. O(characters).
///
/// # Errors
/// That character; `bytes` then holds the bytes before it.
pub fn push_bytes(text: &str, bytes: &mut Vec<u8>) -> Result<(), char> {
    for char in text.chars() {
        let byte = BYTES.get(char as usize).copied().flatten();
        bytes.push(byte.ok_or(char)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_goes_both_ways() {
        let all: Vec<u8> = (0..=255).collect();
        let (mut text, mut back) = (String::new(), Vec::new());
        push_text(&all, &mut text);
        push_bytes(&text, &mut back).unwrap();
        assert_eq!(back, all);
        assert_eq!(text.chars().max(), char::from_u32(END as u32 - 1));
    }

    #[test]
    fn well_known_characters() {
        let mut text = String::new();
        push_text("\n ё\u{ad}\u{7f}".as_bytes(), &mut text);
        assert_eq!(text, "ĊĠÑĳÂŃġ");
        assert_eq!(push_bytes("a b", &mut Vec::new()), Err(' '));
        assert_eq!(push_bytes("▁", &mut Vec::new()), Err('▁'));
    }
}
