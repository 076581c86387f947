//! Reading classes off UTF-8 text, character by character.

use crate::unicode::{Classes, Flags};

/// `\r` or `\n`.
#[inline(always)]
pub(super) fn is_newline(byte: u8) -> bool {
    byte == b'\r' || byte == b'\n'
}

/// A text with the class table at hand. All positions are byte offsets at character boundaries.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    bytes: &'t [u8],
    classes: &'static Classes,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Reader { bytes: text.as_bytes(), classes: Classes::v16() }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The byte at `at`, or 0 at the end.
    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Whether the text goes on with `expected` at `at`.
    #[inline(always)]
    pub(super) fn starts_with(&self, at: usize, expected: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(expected))
    }

    /// The classes of the character at `at` and the position behind it; no class and `at` itself at the end.
    #[inline(always)]
    pub(super) fn at(&self, at: usize) -> (Flags, usize) {
        match self.bytes.get(at) {
            None => (Flags::NONE, at),
            Some(&byte) if byte < 0x80 => (self.classes.of_ascii(byte), at + 1),
            Some(&byte) => {
                let (code, next) = self.beyond_ascii(at, byte);
                (self.classes.of(code), next)
            }
        }
    }

    /// The character at `at`, which begins with `first`, not ASCII, and the position behind it.
    #[inline(always)]
    pub(super) fn beyond_ascii(&self, at: usize, first: u8) -> (u32, usize) {
        let tail = |n: usize| u32::from(self.byte(at + n) & 0x3F);
        let lead = u32::from(first);
        let (code, len) = match first {
            0xC0..0xE0 => ((lead & 0x1F) << 6 | tail(1), 2),
            0xE0..0xF0 => ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3),
            _ => ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
        };
        (code, at + len)
    }

    /// The end of the longest run from `at` whose characters all satisfy `belongs`. `ascii` tells how many of eight bytes
    /// are ASCII characters that do, from the first on: most runs are such, and end without a look at each character.
    #[inline(always)]
    pub(super) fn run_of(&self, mut at: usize, ascii: impl Fn(u64) -> usize, belongs: impl Fn(Flags) -> bool) -> usize {
        loop {
            while self.byte(at) >= 0x80 {
                let (flags, next) = self.at(at);
                if !belongs(flags) {
                    return at;
                }
                at = next;
            }
            let Some(bytes) = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else { break };
            let count = ascii(u64::from_le_bytes(*bytes));
            at += count;
            if count < 8 && bytes[count] < 0x80 {
                return at;
            }
        }
        self.run(at, belongs)
    }

    /// The end of the run of ASCII letters from `at`.
    #[inline(always)]
    pub(super) fn ascii_letters(&self, mut at: usize) -> usize {
        while let Some(bytes) = self.bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let count = letters(u64::from_le_bytes(*bytes));
            at += count;
            if count < 8 {
                return at;
            }
        }
        while self.byte(at).is_ascii_alphabetic() {
            at += 1;
        }
        at
    }

    /// The end of the longest run from `at` whose characters all satisfy `belongs`.
    #[inline(always)]
    pub(super) fn run(&self, mut at: usize, belongs: impl Fn(Flags) -> bool) -> usize {
        while at < self.len() {
            let (flags, next) = self.at(at);
            if !belongs(flags) {
                break;
            }
            at = next;
        }
        at
    }
}

/// The lowest bit of each byte.
pub(super) const ONES: u64 = u64::MAX / 255;
/// The highest bit of each byte.
pub(super) const HIGH: u64 = ONES << 7;

/// How many of eight bytes, from the lowest on, are ASCII letters.
#[inline(always)]
pub(super) fn letters(bytes: u64) -> usize {
    // Sets the bit by which ASCII tells the cases apart. It is set in all bytes that are a letter then, and in no other.
    lower_letters(bytes | ONES << 5)
}

/// How many of eight bytes, from the lowest on, are lower-case ASCII letters.
#[inline(always)]
pub(super) fn lower_letters(bytes: u64) -> usize {
    let low = bytes & !HIGH;
    let from_a = low + ONES * u64::from(0x80 - b'a');
    let beyond_z = low + ONES * u64::from(0x7f - b'z');
    let others = !(from_a & !beyond_z & !bytes) & HIGH;
    others.trailing_zeros() as usize / 8
}

/// Length of an English contraction's ending at `at` — `'s 't 'm 'd 'll 've 're` — or 0.
///
/// `FOLD` ignores case as Unicode simple folding does, by which U+017F (ſ) is an s.
#[inline(always)]
pub(super) fn contraction<const FOLD: bool>(text: &Reader, at: usize) -> usize {
    if text.byte(at) != b'\'' {
        return 0;
    }
    let letter = |n: usize| if FOLD { text.byte(at + n).to_ascii_lowercase() } else { text.byte(at + n) };
    match letter(1) {
        b's' | b't' | b'm' | b'd' => 2,
        b'l' if letter(2) == b'l' => 3,
        b'v' | b'r' if letter(2) == b'e' => 3,
        _ if FOLD && text.starts_with(at + 1, "ſ".as_bytes()) => 3,
        _ => 0,
    }
}

/// The end of the piece that begins with white space at `start`, where no other branch applies.
///
/// `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last newline of the run; else all but the last character, which may lead
/// the next piece; else that character. With `WHOLE_TAIL` a run that ends the text is one piece (`\s++$`), which
/// also is what the rest says of a run without newlines.
#[inline(always)]
pub(super) fn white_space<const NEWLINES: bool, const WHOLE_TAIL: bool>(text: &Reader, start: usize) -> usize {
    let (mut end, mut last, mut after_newline) = (start, start, None);
    while end < text.len() {
        let (flags, next) = text.at(end);
        if !flags.any(Flags::SPACE) {
            break;
        }
        last = end;
        if NEWLINES && is_newline(text.byte(end)) {
            after_newline = Some(next);
        }
        end = next;
    }
    match after_newline {
        _ if WHOLE_TAIL && end == text.len() => end,
        Some(newline) => newline,
        None if end == text.len() || last == start => end,
        None => last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted_in_every_place() {
        for byte in 0..=255_u8 {
            for place in 0..8 {
                let mut bytes = *b"qazQAZmM";
                bytes[place] = byte;
                let count = |is: fn(&u8) -> bool| bytes.iter().position(|byte| !is(byte)).unwrap_or(8);
                assert_eq!(letters(u64::from_le_bytes(bytes)), count(u8::is_ascii_alphabetic), "{bytes:?}");
                let lower =
                    bytes.map(|byte| if byte.is_ascii_uppercase() && byte != bytes[place] { byte | 32 } else { byte });
                let count = lower.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(8);
                assert_eq!(lower_letters(u64::from_le_bytes(lower)), count, "{lower:?}");
            }
        }
    }
}
