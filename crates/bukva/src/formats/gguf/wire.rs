//! Values of GGUF. Source: `docs/gguf.md` of ggml.
//!
//! A declared length is compared with what is left of the file before anything is read, and nothing is copied: texts
//! and arrays are views of the file.

use crate::error::{Error, Kind, Result};

/// An error at a byte of the file.
pub(super) fn bad(message: impl Into<String>, at: u64) -> Error {
    Error::new(Kind::Format, format!("GGUF file: {}", message.into())).at_byte(at)
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    Text,
    Array,
    U64,
    I64,
    F64,
}

/// The types in the order of their numbers.
const TYPES: [Type; 13] = [
    Type::U8,
    Type::I8,
    Type::U16,
    Type::I16,
    Type::U32,
    Type::I32,
    Type::F32,
    Type::Bool,
    Type::Text,
    Type::Array,
    Type::U64,
    Type::I64,
    Type::F64,
];

impl Type {
    /// Bytes of a value; the least number of them for a text or an array.
    fn width(self) -> usize {
        match self {
            Type::U8 | Type::I8 | Type::Bool => 1,
            Type::U16 | Type::I16 => 2,
            Type::U32 | Type::I32 | Type::F32 => 4,
            Type::U64 | Type::I64 | Type::F64 | Type::Text => 8,
            Type::Array => 12,
        }
    }

    fn number(self, bytes: &[u8]) -> Value<'static> {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let plain = u64::from_le_bytes(wide);
        match self {
            Type::Bool => Value::Bool(plain != 0),
            Type::I8 => Value::Signed(plain as i8 as i64),
            Type::I16 => Value::Signed(plain as i16 as i64),
            Type::I32 => Value::Signed(plain as i32 as i64),
            Type::I64 => Value::Signed(plain as i64),
            Type::F32 => Value::Float(f64::from(f32::from_bits(plain as u32))),
            Type::F64 => Value::Float(f64::from_bits(plain)),
            _ => Value::Unsigned(plain),
        }
    }
}

/// A value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'a> {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    Text(&'a [u8]),
    Array(Array<'a>),
}

impl Value<'_> {
    /// What it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Unsigned(_) | Value::Signed(_) => "a whole number",
            Value::Float(_) => "a number with a fraction",
            Value::Bool(_) => "true or false",
            Value::Text(_) => "a text",
            Value::Array(_) => "an array",
        }
    }
}

/// Values of one type, checked to lie within the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Array<'a> {
    pub(super) of: Type,
    pub(super) len: u64,
    pub(super) bytes: &'a [u8],
    /// Where the first value stands.
    pub(super) at: u64,
}

impl<'a> Array<'a> {
    /// The values, each with its place.
    pub(super) fn values(&self) -> impl Iterator<Item = Result<(Value<'a>, u64)>> + use<'a> {
        let Array { of, len, bytes, at } = *self;
        let mut cursor = Cursor { bytes, at: 0, start: at };
        (0..len).map(move |_| {
            let at = cursor.place();
            cursor.value(of).map(|value| (value, at))
        })
    }
}

/// Reads from the start to the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The place of the first byte in the file.
    start: u64,
}

impl<'a> Cursor<'a> {
    /// At the start of a file.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0, start: 0 }
    }

    /// Where it stands in the file.
    pub(super) fn place(&self) -> u64 {
        self.start + self.at as u64
    }

    /// How many bytes follow.
    pub(super) fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8]> {
        if length > self.left() {
            return Err(bad(format!("{length} bytes are declared and {} are left", self.left()), self.place()));
        }
        let start = self.at;
        self.at += length as usize;
        Ok(&self.bytes[start..self.at])
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N as u64)?);
        Ok(out)
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        self.fixed().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64> {
        self.fixed().map(u64::from_le_bytes)
    }

    /// A length and so many bytes.
    pub(super) fn text(&mut self) -> Result<&'a [u8]> {
        let length = self.u64()?;
        self.take(length)
    }

    /// The number of a type.
    pub(super) fn kind(&mut self) -> Result<Type> {
        let at = self.place();
        let number = self.u32()?;
        let kind = usize::try_from(number).ok().and_then(|number| TYPES.get(number));
        kind.copied().ok_or_else(|| bad(format!("the type is {number}; the types are 0 to 12"), at))
    }

    /// A value of the type `kind`.
    pub(super) fn value(&mut self, kind: Type) -> Result<Value<'a>> {
        match kind {
            Type::Text => self.text().map(Value::Text),
            Type::Array => self.array().map(Value::Array),
            _ => self.take(kind.width() as u64).map(|bytes| kind.number(bytes)),
        }
    }

    fn array(&mut self) -> Result<Array<'a>> {
        let declared = self.place();
        let of = self.kind()?;
        let len = self.u64()?;
        if of == Type::Array {
            return Err(bad("an array of arrays, which no tokenizer has", declared));
        }
        let least = len.checked_mul(of.width() as u64).filter(|&least| least <= self.left());
        let Some(least) = least else {
            let message = format!("an array of {len} values is declared and {} bytes are left", self.left());
            return Err(bad(message, declared));
        };
        let (at, start) = (self.place(), self.at);
        if of == Type::Text {
            for _ in 0..len {
                self.text()?;
            }
        } else {
            self.take(least)?;
        }
        Ok(Array { of, len, bytes: &self.bytes[start..self.at], at })
    }
}
