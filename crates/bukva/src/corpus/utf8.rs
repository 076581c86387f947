//! Bytes → text, with a policy for bytes that are not UTF-8.

use std::ops::Range;

use crate::error::{Error, Kind, Result};

/// What to do about bytes that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnInvalid {
    /// End with an error that names the place.
    Error,
    /// Put U+FFFD there and count it: one for each maximal part of a sequence, as Python's `errors="replace"`.
    Replace,
}

/// Decodes a stream that arrives in pieces. Sequences may be cut anywhere by the pieces.
#[derive(Debug)]
pub(super) struct Utf8Decoder {
    on_invalid: OnInvalid,
    /// Bytes of the stream before the next piece, and lines before it.
    offset: u64,
    lines: u64,
    /// Bytes that were not UTF-8 and were replaced.
    pub(super) replaced_bytes: u64,
}

impl Utf8Decoder {
    pub(super) fn new(on_invalid: OnInvalid) -> Self {
        Utf8Decoder { on_invalid, offset: 0, lines: 0, replaced_bytes: 0 }
    }

    /// Appends the text of `bytes` to `out` and says how many bytes were used: all, but for a sequence that the end
    /// of the piece cuts, which must start the next piece. At the end of the stream all are used. O(n).
    ///
    /// # Errors
    /// [`Kind::Encoding`] with line and byte offset, under [`OnInvalid::Error`].
    pub(super) fn decode(&mut self, bytes: &[u8], at_end: bool, out: &mut String) -> Result<usize> {
        let mut used = 0;
        loop {
            let rest = &bytes[used..];
            let Err(error) = std::str::from_utf8(rest).map(|text| out.push_str(text)) else {
                used = bytes.len();
                break;
            };
            let valid = error.valid_up_to();
            out.push_str(std::str::from_utf8(&rest[..valid]).unwrap_or_default());
            used += valid;
            let Some(bad) = error.error_len().or(at_end.then_some(rest.len() - valid)) else { break };
            self.replace(bytes, used..used + bad, out)?;
            used += bad;
        }
        self.lines += memchr::memchr_iter(b'\n', &bytes[..used]).count() as u64;
        self.offset += used as u64;
        Ok(used)
    }

    fn replace(&mut self, bytes: &[u8], bad: Range<usize>, out: &mut String) -> Result<()> {
        if self.on_invalid == OnInvalid::Replace {
            self.replaced_bytes += bad.len() as u64;
            out.push(char::REPLACEMENT_CHARACTER);
            return Ok(());
        }
        let lines = memchr::memchr_iter(b'\n', &bytes[..bad.start]).count() as u64;
        let message = format!(
            "byte 0x{:02x} is not valid UTF-8; repair the text or read it with invalid=\"replace\"",
            bytes[bad.start]
        );
        let error = Error::new(Kind::Encoding, message);
        Err(error.at_line(self.lines + lines + 1).at_byte(self.offset + bad.start as u64))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(bytes: &[u8], piece: usize, on_invalid: OnInvalid) -> Result<(String, u64)> {
        let (mut decoder, mut text, mut held) = (Utf8Decoder::new(on_invalid), String::new(), Vec::new());
        for part in bytes.chunks(piece) {
            held.extend_from_slice(part);
            let used = decoder.decode(&held, false, &mut text)?;
            held.drain(..used);
        }
        decoder.decode(&held, true, &mut text)?;
        Ok((text, decoder.replaced_bytes))
    }

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            any::<char>().prop_map(|c| c.to_string().into_bytes()),
            prop::sample::select(vec![
                0x80, 0xc0, 0xc3, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xf5, 0xff, 0x9f, 0xa0, b'a', b'\n'
            ])
            .prop_map(|byte| vec![byte]),
        ];
        prop::collection::vec(part, 0..20).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(bytes in bytes(), piece in 1usize..9) {
            let (text, replaced) = decoded(&bytes, piece, OnInvalid::Replace).unwrap();
            prop_assert_eq!(&text, &String::from_utf8_lossy(&bytes));
            let was_valid = std::str::from_utf8(&bytes);
            prop_assert_eq!(replaced == 0, was_valid.is_ok());
            match decoded(&bytes, piece, OnInvalid::Error) {
                Ok((same, _)) => prop_assert_eq!(same, text),
                Err(error) => {
                    let at = was_valid.unwrap_err().valid_up_to();
                    prop_assert_eq!(error.place.byte_offset, Some(at as u64));
                    let lines = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
                    prop_assert_eq!(error.place.line, Some(lines + 1));
                }
            }
        }
    }

    /// What `bytes.decode("utf-8", "replace")` of Python 3.11 gives.
    #[test]
    fn replacing_is_that_of_python() {
        let cases: [(&[u8], &str); 8] = [
            (b"a\xffb", "a\u{fffd}b"),
            (b"\xe2\x82", "\u{fffd}"),
            (b"\xe2\x82a", "\u{fffd}a"),
            (b"\xf0\x9f\x98\n", "\u{fffd}\n"),
            (b"\xc0\xaf", "\u{fffd}\u{fffd}"),
            (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xe0\x9f\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        ];
        for (bytes, expected) in cases {
            let replaced = bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64;
            assert_eq!(decoded(bytes, 1, OnInvalid::Replace).unwrap(), (expected.to_owned(), replaced), "{bytes:x?}");
        }
    }
}
