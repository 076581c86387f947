//! Typed access to the fields of a JSON object, with errors that name the field and its place in the file.
//!
//! Places are JSON pointers (RFC 6901): `/pre_tokenizer/pretokenizers/0/pattern`.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{Error, Kind, Result, quoted};

/// Fields that no one asked for, by their place.
pub(super) type Unknown = BTreeMap<String, Value>;

/// The fields of one object that have not been taken yet.
pub(super) struct Fields {
    map: Map<String, Value>,
    at: String,
}

impl Fields {
    /// The fields of `value`, which stands at `at` and must be an object.
    pub(super) fn of(value: Value, at: &str) -> Result<Self> {
        match value {
            Value::Object(map) => Ok(Fields { map, at: at.to_owned() }),
            other => Err(bad(format!("{at} must be an object, and is {}", kind_of(&other)))),
        }
    }

    /// Where the field `name` stands.
    pub(super) fn place(&self, name: &str) -> String {
        format!("{}/{}", self.at, name.replace('~', "~0").replace('/', "~1"))
    }

    /// Whether the field `name` is there and not `null`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(|value| !value.is_null())
    }

    /// Takes a field as it is; `null` counts as missing.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.map.shift_remove(name).filter(|value| !value.is_null())
    }

    /// Takes a field that may be missing or `null`.
    pub(super) fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let shown = quoted(&value.to_string());
        let value = serde_json::from_value(value);
        value.map(Some).map_err(|error| bad(format!("{} has the value {shown}: {error}", self.place(name))))
    }

    /// Takes a field, with the value it has when it is missing.
    pub(super) fn or<T: DeserializeOwned>(&mut self, name: &str, default: T) -> Result<T> {
        Ok(self.optional(name)?.unwrap_or(default))
    }

    /// Takes a field that must be there.
    pub(super) fn required<T: DeserializeOwned>(&mut self, name: &str) -> Result<T> {
        self.optional(name)?.ok_or_else(|| bad(format!("{} is missing", self.place(name))))
    }

    /// Takes a list that must be there, each value with its place.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<(String, Value)>> {
        let place = self.place(name);
        let values: Vec<Value> = self.required(name)?;
        Ok((0..).zip(values).map(|(index, value)| (format!("{place}/{index}"), value)).collect())
    }

    /// The values of a list that stands at `at`.
    pub(super) fn list_of(value: Value, at: &str) -> Result<Vec<Value>> {
        match value {
            Value::Array(values) => Ok(values),
            other => Err(bad(format!("{at} must be a list, and is {}", kind_of(&other)))),
        }
    }

    /// Takes `type`.
    pub(super) fn kind(&mut self) -> Result<String> {
        self.required("type")
    }

    /// Takes `type`. Older files may lack it: then it is the first of `forms` whose fields are all there.
    pub(super) fn kind_or(&mut self, forms: &[(&str, &[&str])]) -> Result<String> {
        let found = forms.iter().find(|(_, names)| names.iter().all(|name| self.map.contains_key(*name)));
        match (self.optional("type")?, found) {
            (Some(kind), _) => Ok(kind),
            (None, Some((kind, _))) => Ok((*kind).to_owned()),
            (None, None) => Err(bad(format!("{} is missing", self.place("type")))),
        }
    }

    /// An error: this version has nothing for the type `kind` of this object.
    pub(super) fn unsupported(&self, kind: &str) -> Error {
        let message = format!("tokenizer.json: {} has the type {}, which is not known", self.at, quoted(kind));
        Error::new(Kind::Unsupported, message)
    }

    /// An error if there are fields that were not taken: the library refuses them here.
    pub(super) fn finish_closed(self) -> Result<()> {
        match self.map.keys().next() {
            Some(name) => Err(bad(format!("{} is a field too many", self.place(name)))),
            None => Ok(()),
        }
    }

    /// Hands the fields that were not taken to `unknown`.
    pub(super) fn finish(self, unknown: &mut Unknown) {
        let at = self.at.clone();
        for (name, value) in self.map {
            unknown.insert(format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), value);
        }
    }
}

/// An error about a file that does not hold what it should.
pub(super) fn bad(message: impl Into<String>) -> Error {
    Error::new(Kind::Format, format!("tokenizer.json: {}", message.into()))
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
