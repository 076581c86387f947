//! What the models share about text: characters, byte tokens, the longest piece.

use crate::error::{Error, Kind, Result, shown};

/// The length of the character at `at`, which must lie in `text`, valid UTF-8. Never reaches beyond the text.
#[inline]
pub(in crate::model) fn char_len(text: &[u8], at: usize) -> usize {
    let length = match text[at] {
        ..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    };
    length.min(text.len() - at)
}

/// `0xE4` for `<0xE4>`; the digits are capital, as in every file.
pub(in crate::model) fn byte_of_token(token: &[u8]) -> Option<u8> {
    let digits = token.strip_prefix(b"<0x")?.strip_suffix(b">")?;
    let text = std::str::from_utf8(digits).ok().filter(|text| text.len() == 2)?;
    let capital = text.bytes().all(|digit| digit.is_ascii_digit() || digit.is_ascii_uppercase());
    u8::from_str_radix(text, 16).ok().filter(|_| capital)
}

/// Refuses a piece whose places do not fit the work arrays.
///
/// # Errors
/// [`Kind::Unsupported`].
pub(in crate::model) fn check_length(piece: &[u8]) -> Result<()> {
    if piece.len() < u32::MAX as usize / 8 {
        return Ok(());
    }
    let message = format!("a pre-token has {} bytes, which exceeds the maximum of {}", piece.len(), u32::MAX / 8 - 1);
    Err(Error::new(Kind::Unsupported, message))
}

/// The error for a word at byte `at` that has no token where the model has no unknown token.
pub(super) fn no_token(word: &[u8], at: usize) -> Error {
    let message = format!("{} has no token and the tokenizer has no unknown token", shown(word));
    Error::new(Kind::UnknownCharacter, message).at_byte(at as u64)
}
