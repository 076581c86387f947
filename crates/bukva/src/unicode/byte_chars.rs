//! GPT-2's map between bytes and printable characters.
//!
//! The printable bytes of Latin-1 stand for themselves; the other 68, in order, for U+0100 and up. So any bytes can
//! be written as text, and a space becomes `Ġ`.

/// Bytes that stand for themselves.
const fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

/// The code point that stands for each byte.
static CODES: [u16; 256] = codes();

const fn codes() -> [u16; 256] {
    let (mut codes, mut byte, mut next) = ([0; 256], 0, 0x100);
    while byte < 256 {
        codes[byte] = if is_printable(byte as u8) { byte as u16 } else { next };
        next += !is_printable(byte as u8) as u16;
        byte += 1;
    }
    codes
}

/// One past the last character of the map.
const END: usize = 0x144;

/// The byte for which each code point stands; `NOTHING` for none.
static BYTES: [u16; END] = bytes();

const NOTHING: u16 = u16::MAX;

const fn bytes() -> [u16; END] {
    let (mut bytes, mut byte) = ([NOTHING; END], 0);
    while byte < 256 {
        bytes[codes()[byte] as usize] = byte as u16;
        byte += 1;
    }
    bytes
}

/// The character that stands for a byte. O(1).
pub fn char_of(byte: u8) -> char {
    char::from_u32(u32::from(CODES[usize::from(byte)])).unwrap_or(char::REPLACEMENT_CHARACTER)
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
    bytes.reserve(text.len());
    for char in text.chars() {
        match BYTES.get(char as usize) {
            Some(&byte) if byte != NOTHING => bytes.push(byte as u8),
            _ => return Err(char),
        }
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
