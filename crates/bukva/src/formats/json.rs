//! JSON of a known shape, read straight from its bytes.
//!
//! Everything here answers `None` where the text is not JSON or not of that shape; it does not say why. Source: RFC 8259.

use serde_json::Value;

/// Strings, one behind the other. Whether they are UTF-8 is not looked at.
#[derive(Debug, Default)]
pub(super) struct Strings {
    pub(super) bytes: Vec<u8>,
    /// End of each string in `bytes`.
    pub(super) ends: Vec<u64>,
}

impl Strings {
    fn last_start(&self) -> usize {
        let before = self.ends.len().checked_sub(2).and_then(|index| self.ends.get(index));
        before.map_or(0, |&end| end as usize)
    }

    /// Makes two strings of the last one, which has `mark` exactly once, not at an end; the mark goes.
    pub(super) fn split_last(&mut self, mark: u8) -> Option<()> {
        let start = self.last_start();
        let last = self.bytes.get(start..)?;
        let at = last.iter().position(|&byte| byte == mark)?;
        let right = &last[at + 1..];
        if at == 0 || right.is_empty() || right.contains(&mark) {
            return None;
        }
        self.bytes.copy_within(start + at + 1.., start + at);
        self.bytes.pop();
        *self.ends.last_mut()? = (start + at) as u64;
        self.ends.push(self.bytes.len() as u64);
        Some(())
    }
}

/// A place in a JSON text.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The start of a text.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// The next byte that is not white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b'\n' => {
                    self.at += 1;
                    // Lines of a table begin with many spaces.
                    while self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"    ")) {
                        self.at += 4;
                    }
                }
                b' ' | b'\r' | b'\t' => self.at += 1,
                other => return Some(other),
            }
        }
    }

    /// Takes `expected`, and the white space before it.
    #[inline]
    pub(super) fn byte(&mut self, expected: u8) -> Option<()> {
        (self.peek()? == expected).then(|| self.at += 1)
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Takes an object; `member` takes the value of each name.
    pub(super) fn object(&mut self, mut member: impl FnMut(&mut Self, &[u8]) -> Option<()>) -> Option<()> {
        let mut name = Strings::default();
        self.between(b'{', b'}', |cursor| {
            name.bytes.clear();
            name.ends.clear();
            cursor.string(&mut name)?;
            cursor.byte(b':')?;
            member(cursor, &name.bytes)
        })
    }

    /// Takes an object whose names go into `names`; `value` takes each value.
    pub(super) fn members(
        &mut self,
        names: &mut Strings,
        mut value: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.between(b'{', b'}', |cursor| {
            cursor.string(names)?;
            cursor.byte(b':')?;
            value(cursor)
        })
    }

    /// Takes a list; `item` takes each item.
    pub(super) fn list(&mut self, item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.between(b'[', b']', item)
    }

    #[inline]
    fn between(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.byte(open)?;
        if self.peek()? == close {
            return self.byte(close);
        }
        loop {
            item(self)?;
            match self.peek()? {
                b',' => self.at += 1,
                byte if byte == close => return self.byte(close),
                _ => return None,
            }
        }
    }

    /// Takes any value.
    pub(super) fn value(&mut self) -> Option<Value> {
        self.peek()?;
        let mut values = serde_json::Deserializer::from_slice(self.bytes.get(self.at..)?).into_iter();
        let value = values.next()?.ok()?;
        self.at += values.byte_offset();
        Some(value)
    }

    /// Takes a string, and gives its length in bytes.
    #[inline]
    pub(super) fn string(&mut self, out: &mut Strings) -> Option<usize> {
        self.byte(b'"')?;
        let start = out.bytes.len();
        loop {
            let Some(chunk) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) else {
                self.tail(&mut out.bytes)?;
                break;
            };
            let ends = ends_of(u64::from_le_bytes(*chunk));
            out.bytes.extend_from_slice(chunk);
            if ends == 0 {
                self.at += 8;
                continue;
            }
            let length = ends.trailing_zeros() as usize / 8;
            out.bytes.truncate(out.bytes.len() - 8 + length);
            self.at += length + 1;
            match chunk[length] {
                b'"' => break,
                b'\\' => self.escape(&mut out.bytes)?,
                _ => return None,
            }
        }
        out.ends.push(out.bytes.len() as u64);
        Some(out.bytes.len() - start)
    }

    /// The rest of a string, in the last few bytes of the text.
    #[cold]
    fn tail(&mut self, out: &mut Vec<u8>) -> Option<()> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' => self.escape(out)?,
                0..0x20 => return None,
                _ => out.push(byte),
            }
        }
    }

    /// Takes what stands behind a backslash.
    fn escape(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        out.push(match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let c = self.escaped_char()?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Some(());
            }
            _ => return None,
        });
        Some(())
    }

    /// One code unit, or a pair of surrogates.
    fn escaped_char(&mut self) -> Option<char> {
        let first = self.code_unit()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        let pair = self.bytes.get(self.at..)?.starts_with(b"\\u");
        self.at += 2;
        let second = if pair { self.code_unit()? } else { return None };
        let low = second.checked_sub(0xdc00).filter(|&low| low < 0x400)?;
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10 | low))
    }

    fn code_unit(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..)?.first_chunk::<4>()?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
    }

    /// Takes a whole number.
    #[inline]
    pub(super) fn whole_number(&mut self) -> Option<u32> {
        self.peek()?;
        let (digits, number) = self.digits();
        let plain = !matches!(self.bytes.get(self.at), Some(b'.' | b'e' | b'E'));
        let written = digits == 1 || (digits > 1 && self.bytes[self.at - digits] != b'0');
        if plain && written && digits <= 10 { u32::try_from(number).ok() } else { None }
    }

    /// How many digits stand here, and their number unless there are more than 19.
    #[inline]
    fn digits(&mut self) -> (usize, u64) {
        let (start, mut number) = (self.at, 0_u64);
        while let Some(digit) = self.bytes.get(self.at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10)
        {
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
            self.at += 1;
        }
        (self.at - start, number)
    }

    /// Takes a number, the nearest one to what is written.
    pub(super) fn number(&mut self) -> Option<f64> {
        self.peek()?;
        let start = self.at;
        self.skip(|byte| byte == b'-');
        let (digits, _) = self.digits();
        if digits == 0 || (digits > 1 && self.bytes[self.at - digits] == b'0') {
            return None;
        }
        if self.skip(|byte| byte == b'.') && self.digits().0 == 0 {
            return None;
        }
        if self.skip(|byte| matches!(byte, b'e' | b'E')) {
            self.skip(|byte| matches!(byte, b'+' | b'-'));
            if self.digits().0 == 0 {
                return None;
            }
        }
        let text = std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        text.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Takes a byte if it is one of those asked for.
    fn skip(&mut self, wanted: impl Fn(u8) -> bool) -> bool {
        let found = self.bytes.get(self.at).is_some_and(|&byte| wanted(byte));
        self.at += usize::from(found);
        found
    }
}

/// The high bit of every byte that a string cannot go on with: a quote, a backslash, a control character. Only the
/// lowest is certain. Source: the test for a zero byte in a word, `(x - 0x01…) & !x & 0x80…`.
#[inline]
fn ends_of(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (equal(b'"') | equal(b'\\') | below(word, 0x20)) & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_end_is_found() {
        for (at, end) in (0..8).flat_map(|at| [b'"', b'\\', 0, 0x1f].map(|end| (at, end))) {
            for other in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
                let mut bytes = [other; 8];
                bytes[at] = end;
                assert_eq!(ends_of(u64::from_le_bytes(bytes)).trailing_zeros() as usize / 8, at, "{bytes:?}");
                assert_eq!(ends_of(u64::from_le_bytes([other; 8])), 0);
            }
        }
    }

    #[test]
    fn a_string_is_split_at_its_only_mark() {
        let split = |text: &[u8]| {
            let mut strings = Strings { bytes: [b"xy", text].concat(), ends: vec![2, 2 + text.len() as u64] };
            strings.split_last(b' ').map(|()| (strings.bytes, strings.ends))
        };
        assert_eq!(split(b"a bc"), Some((b"xyabc".to_vec(), vec![2, 3, 5])));
        assert_eq!([split(b"a b c"), split(b" a"), split(b"a "), split(b"abc"), split(b"")], [const { None }; 5]);
    }
}
