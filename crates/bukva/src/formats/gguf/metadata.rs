//! The head of a file and its keys with their values. Tensors are never looked at.

use rustc_hash::FxHashMap;

use super::MAGIC;
use super::wire::{Array, Cursor, Value, bad};
use crate::error::{Error, Kind, Result, shown};

/// Everything before the tensors, in the order of the file.
pub(super) struct Metadata<'a> {
    fields: Vec<Field<'a>>,
    by_key: FxHashMap<&'a str, usize>,
}

/// A key with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) key: &'a str,
    pub(super) value: Value<'a>,
    /// Where the value stands.
    pub(super) at: u64,
}

impl<'a> Metadata<'a> {
    /// Reads the metadata of a file. O(metadata).
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for big-endian files and versions other than 2 and 3, [`Kind::Format`] with the key and
    /// the byte for everything else.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self> {
        let Some(rest) = bytes.strip_prefix(&MAGIC) else {
            return Err(bad("it does not begin with GGUF", 0));
        };
        check_version(rest)?;
        let mut cursor = Cursor::new(bytes);
        let head = "the head of the file";
        cursor.u64().map_err(|error| within(error, head))?;
        let _tensors = cursor.u64().map_err(|error| within(error, head))?;
        let count = cursor.u64().map_err(|error| within(error, head))?;
        let mut metadata = Metadata { fields: Vec::new(), by_key: FxHashMap::default() };
        for _ in 0..count {
            metadata.push(field(&mut cursor)?)?;
        }
        Ok(metadata)
    }

    fn push(&mut self, field: Field<'a>) -> Result<()> {
        if self.by_key.insert(field.key, self.fields.len()).is_some() {
            return Err(bad(format!("{} is there twice", field.key), field.at));
        }
        self.fields.push(field);
        Ok(())
    }

    /// All fields in the order of the file.
    pub(super) fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    /// The field `key`, if there is one.
    pub(super) fn field(&self, key: &str) -> Option<&Field<'a>> {
        self.by_key.get(key).map(|&index| &self.fields[index])
    }

    /// The text `key`.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>> {
        let Some(field) = self.field(key) else { return Ok(None) };
        match field.value {
            Value::Text(bytes) => utf8(bytes, key, field.at).map(Some),
            _ => Err(wrong(field, "a text")),
        }
    }

    /// The flag `key`, or else `default`.
    pub(super) fn flag(&self, key: &str, default: bool) -> Result<bool> {
        match self.field(key) {
            None => Ok(default),
            Some(Field { value: Value::Bool(flag), .. }) => Ok(*flag),
            Some(field) => Err(wrong(field, "true or false")),
        }
    }

    /// The whole number `key`, not negative.
    pub(super) fn number(&self, key: &str) -> Result<Option<u64>> {
        let Some(field) = self.field(key) else { return Ok(None) };
        match field.value {
            Value::Unsigned(number) => Ok(Some(number)),
            Value::Signed(number) if number >= 0 => Ok(Some(number.unsigned_abs())),
            _ => Err(wrong(field, "a whole number that is not negative")),
        }
    }

    /// The array `key`.
    pub(super) fn array(&self, key: &str) -> Result<Option<Array<'a>>> {
        match self.field(key) {
            None => Ok(None),
            Some(Field { value: Value::Array(array), .. }) => Ok(Some(*array)),
            Some(field) => Err(wrong(field, "an array")),
        }
    }

    /// The array `key`, which the file must have.
    pub(super) fn needed_array(&self, key: &str) -> Result<Array<'a>> {
        self.array(key)?.ok_or_else(|| bad(format!("{key} is missing"), 0))
    }
}

fn check_version(rest: &[u8]) -> Result<()> {
    let at = MAGIC.len() as u64;
    let Some(version) = rest.first_chunk() else { return Err(bad("it ends before its version", at)) };
    let (little, big) = (u32::from_le_bytes(*version), u32::from_be_bytes(*version));
    let message = match (little, big) {
        (2 | 3, _) => return Ok(()),
        (_, 1..=3) => format!("big-endian, version {big}; little-endian files are read"),
        (version, _) => format!("version {version}; versions 2 and 3 are read"),
    };
    Err(Error::new(Kind::Unsupported, format!("GGUF file: {message}")).at_byte(at))
}

fn field<'a>(cursor: &mut Cursor<'a>) -> Result<Field<'a>> {
    let at = cursor.place();
    let key = cursor.text().map_err(|error| within(error, "a key"))?;
    let key = utf8(key, "a key", at)?;
    let kind = cursor.kind().map_err(|error| within(error, key))?;
    let at = cursor.place();
    let value = cursor.value(kind).map_err(|error| within(error, key))?;
    Ok(Field { key, value, at })
}

/// The same error, with what it is about.
fn within(mut error: Error, what: &str) -> Error {
    error.message = format!("{} ({what})", error.message);
    error
}

/// An error: the value has another type.
pub(super) fn wrong(field: &Field<'_>, expected: &str) -> Error {
    bad(format!("{} is {}; it must be {expected}", field.key, field.value.kind()), field.at)
}

/// Text of a file.
pub(super) fn utf8<'a>(bytes: &'a [u8], what: &str, at: u64) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|_| bad(format!("{what} is not UTF-8: {}", shown(bytes)), at))
}
