//! One line of JSON Lines → the text of one member.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use crate::corpus::utf8::OnInvalid;
use crate::error::{Error, Kind, Result, quoted};

/// Names of members that a message lists at most.
const LISTED: usize = 20;

/// The string `field` of the object in `line`. Borrowed where it has no escapes. O(n).
///
/// # Errors
/// [`Kind::Corpus`] when the line is not one object, or the member is missing, twice there, or no string;
/// [`Kind::Encoding`] for a lone surrogate, unless they are replaced: then they are counted in `surrogates`. The byte
/// offset of an error counts from the start of `line`.
pub(super) fn parse<'l>(
    line: &'l str,
    field: &str,
    on_invalid: OnInvalid,
    surrogates: &mut u64,
) -> Result<Cow<'l, str>> {
    match member(line, field, Text) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(missing(line, field)),
        Err(error) => match member(line, field, WideText) {
            Ok(Some(bytes)) if std::str::from_utf8(&bytes).is_err() => {
                without_surrogates(&bytes, field, on_invalid, surrogates).map(Cow::Owned)
            }
            _ => Err(wrong(line, field, &error)),
        },
    }
}

fn member<'l, T: DeserializeSeed<'l> + Copy>(
    line: &'l str,
    field: &str,
    seed: T,
) -> serde_json::Result<Option<T::Value>> {
    let mut json = serde_json::Deserializer::from_str(line);
    let found = json.deserialize_map(Member { field, seed })?;
    json.end()?;
    Ok(found)
}

/// Walks an object and keeps one member.
struct Member<'f, T> {
    field: &'f str,
    seed: T,
}

impl<'l, T: DeserializeSeed<'l> + Copy> Visitor<'l> for Member<'_, T> {
    type Value = Option<T::Value>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(is_it) = map.next_key_seed(Name(self.field))? {
            if !is_it {
                map.next_value::<IgnoredAny>()?;
            } else if found.replace(map.next_value_seed(self.seed)?).is_some() {
                return Err(A::Error::custom("the member is there twice"));
            }
        }
        Ok(found)
    }
}

/// Whether a name is the sought one.
struct Name<'f>(&'f str);

impl<'l> DeserializeSeed<'l> for Name<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<bool, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<bool, E> {
        Ok(name == self.0)
    }
}

/// A JSON string as text.
#[derive(Clone, Copy)]
struct Text;

impl<'l> DeserializeSeed<'l> for Text {
    type Value = Cow<'l, str>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl<'l> Visitor<'l> for Text {
    type Value = Cow<'l, str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// A JSON string as bytes in which a lone surrogate is written as if it were a character: three bytes from 0xed.
#[derive(Clone, Copy)]
struct WideText;

impl<'l> DeserializeSeed<'l> for WideText {
    type Value = Vec<u8>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_bytes(self)
    }
}

impl Visitor<'_> for WideText {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(bytes.to_owned())
    }
}

fn without_surrogates(bytes: &[u8], field: &str, on_invalid: OnInvalid, count: &mut u64) -> Result<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let valid = std::str::from_utf8(rest).map_or_else(|error| error.valid_up_to(), str::len);
        text.push_str(std::str::from_utf8(&rest[..valid]).unwrap_or_default());
        let [_, second, third, ..] = rest[valid..] else { return Ok(text) };
        if on_invalid == OnInvalid::Error {
            return Err(surrogate(field, 0xd000 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f)));
        }
        *count += 1;
        text.push(char::REPLACEMENT_CHARACTER);
        rest = &rest[valid + 3..];
    }
}

fn surrogate(field: &str, code: u32) -> Error {
    let message = format!(
        "the member {} holds the lone surrogate \\u{code:04x}, which is no character; repair the text or read it with \
         invalid=\"replace\"",
        quoted(field)
    );
    Error::new(Kind::Encoding, message)
}

fn missing(line: &str, field: &str) -> Error {
    let names: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap_or_default();
    let more = names.len().saturating_sub(LISTED);
    let mut listed: Vec<String> = names.keys().take(LISTED).map(|name| quoted(name)).collect();
    listed.extend((more > 0).then(|| format!("{more} more")));
    let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    Error::new(Kind::Corpus, format!("the object has no member {}; its members: {listed}", quoted(field))).at_byte(0)
}

fn wrong(line: &str, field: &str, error: &serde_json::Error) -> Error {
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or(&reason);
    let message = if error.is_data() {
        format!("expected an object whose member {} is a string: {reason}", quoted(field))
    } else {
        format!("not valid JSON: {reason}")
    };
    Error::new(Kind::Corpus, message).at_byte(error.column().saturating_sub(1).min(line.len()) as u64)
}
