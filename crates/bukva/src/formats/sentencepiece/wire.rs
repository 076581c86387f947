//! Protocol Buffers on the wire: fields one by one, nothing copied, every length checked against the bytes that are
//! there. Source: the Protocol Buffers encoding, <https://protobuf.dev/programming-guides/encoding/>.

use crate::error::{Error, Kind, Result};

/// The value of a field, as its wire type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32([u8; 4]),
}

/// One field of a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) number: u32,
    pub(super) value: Value<'a>,
    /// The whole field with its tag, as it stands.
    pub(super) raw: &'a [u8],
    /// Where the field begins in the file.
    pub(super) at: u64,
    /// Where its value ends in the file.
    pub(super) end: u64,
}

impl<'a> Field<'a> {
    /// The value as bytes.
    pub(super) fn bytes(&self, name: &str) -> Result<&'a [u8]> {
        match self.value {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(self.wrong(name, "bytes with a length")),
        }
    }

    /// The value as a number.
    pub(super) fn varint(&self, name: &str) -> Result<u64> {
        match self.value {
            Value::Varint(value) => Ok(value),
            _ => Err(self.wrong(name, "a varint")),
        }
    }

    /// The value as a flag.
    pub(super) fn flag(&self, name: &str) -> Result<bool> {
        Ok(self.varint(name)? != 0)
    }

    /// The value as a number of single precision.
    pub(super) fn float(&self, name: &str) -> Result<f32> {
        match self.value {
            Value::Fixed32(bytes) => Ok(f32::from_le_bytes(bytes)),
            _ => Err(self.wrong(name, "a 32-bit number")),
        }
    }

    /// Where the bytes of the value begin in the file.
    pub(super) fn content_at(&self) -> u64 {
        match self.value {
            Value::Bytes(bytes) => self.end - bytes.len() as u64,
            _ => self.at,
        }
    }

    fn wrong(&self, name: &str, expected: &str) -> Error {
        bad(format!("{name} (field {}) is not {expected}", self.number), self.at)
    }
}

/// The fields of a message in the order of the file.
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    position: usize,
    base: u64,
    message: &'static str,
}

impl<'a> Fields<'a> {
    /// The fields of `bytes`, which stand at `base` in the file and are a `message`.
    pub(super) fn new(bytes: &'a [u8], base: u64, message: &'static str) -> Self {
        Fields { bytes, position: 0, base, message }
    }

    fn read(&mut self) -> Result<Field<'a>> {
        let start = self.position;
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| (1..1 << 29).contains(number));
        let Some(number) = number else {
            return Err(self.error(start, &format!("{} is no number of a field", tag >> 3)));
        };
        let value = match tag & 7 {
            0 => Value::Varint(self.varint()?),
            1 => Value::Fixed64(self.fixed()?),
            2 => Value::Bytes(self.delimited()?),
            5 => Value::Fixed32(self.fixed()?),
            other => return Err(self.error(start, &format!("field {number} has the wire type {other}"))),
        };
        let raw = &self.bytes[start..self.position];
        Ok(Field { number, value, raw, at: self.base + start as u64, end: self.base + self.position as u64 })
    }

    fn varint(&mut self) -> Result<u64> {
        let start = self.position;
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let Some(&byte) = self.bytes.get(self.position) else {
                return Err(self.error(start, "it ends inside a number"));
            };
            self.position += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.error(start, "a number is longer than ten bytes"))
    }

    fn delimited(&mut self) -> Result<&'a [u8]> {
        let start = self.position;
        let length = self.varint()?;
        let left = &self.bytes[self.position..];
        let bytes = usize::try_from(length).ok().and_then(|length| left.get(..length));
        let Some(bytes) = bytes else {
            return Err(self.error(start, &format!("a length of {length} where {} bytes are left", left.len())));
        };
        self.position += bytes.len();
        Ok(bytes)
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some(bytes) = self.bytes[self.position..].first_chunk::<N>() else {
            return Err(self.error(self.position, &format!("it ends inside a number of {N} bytes")));
        };
        self.position += N;
        Ok(*bytes)
    }

    fn error(&self, position: usize, found: &str) -> Error {
        bad(format!("{} is damaged: {found}", self.message), self.base + position as u64)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.position >= self.bytes.len() {
            return None;
        }
        let field = self.read();
        if field.is_err() {
            self.position = self.bytes.len();
        }
        Some(field)
    }
}

/// An error about the file, at a byte of it.
pub(super) fn bad(message: impl Into<String>, at: u64) -> Error {
    Error::new(Kind::Format, format!("SentencePiece model: {}", message.into())).at_byte(at)
}

/// Appends a number.
pub(super) fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a field that is a number.
pub(super) fn put_number(number: u32, value: u64, out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3, out);
    put_varint(value, out);
}

/// Appends a field that is bytes.
pub(super) fn put_bytes(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3 | 2, out);
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Appends a field that is a number of single precision.
pub(super) fn put_float(number: u32, value: f32, out: &mut Vec<u8>) {
    put_varint(u64::from(number) << 3 | 5, out);
    out.extend_from_slice(&value.to_le_bytes());
}
