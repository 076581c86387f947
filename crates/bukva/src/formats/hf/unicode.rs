//! The Unicode versions of the normalizer, where they are not the library's.
//!
//! The file has no place for them, but the library passes over a field that it does not know inside a normalizer. So
//! `{"type": "NFC", "unicode": {"forms": "16.0"}}` is read with its own tables here, and with the library's there.

use serde_json::{Map, Value};

use super::fields::bad;
use crate::error::Result;
use crate::spec::{Spec, UnicodeVersion, UnicodeVersions};

const FIELD: &str = "unicode";

/// One version by its name in the file.
type Entry<'v> = (&'static str, &'v mut UnicodeVersion);

fn entries(versions: &mut UnicodeVersions) -> [Entry<'_>; 4] {
    let UnicodeVersions { forms, lowercase, categories, graphemes, .. } = versions;
    [("forms", forms), ("lowercase", lowercase), ("categories", categories), ("graphemes", graphemes)]
}

/// Takes the versions out of a normalizer of the file; what it does not name is the library's.
pub(super) fn take(normalizer: Option<&mut Value>) -> Result<UnicodeVersions> {
    let mut versions = UnicodeVersions::tokenizers();
    let Some(Value::Object(fields)) = normalizer else { return Ok(versions) };
    let Some(Value::Object(mut named)) = fields.remove(FIELD) else { return Ok(versions) };
    for (name, version) in entries(&mut versions) {
        if let Some(value) = named.remove(name) {
            let parsed = value.as_str().and_then(parse);
            *version = parsed.ok_or_else(|| {
                bad(format!("/normalizer/{FIELD}/{name} is {value}; expected a version such as \"16.0\""))
            })?;
        }
    }
    match named.keys().next() {
        None => Ok(versions),
        Some(name) => Err(bad(format!("/normalizer/{FIELD} has the unknown field {name:?}"))),
    }
}

/// Puts the versions into a normalizer of the file, where they are not the library's.
pub(super) fn put(spec: &Spec, normalizer: &mut Value) {
    let consulted = |versions: UnicodeVersions| versions.consulted_by(spec.normalizer.as_ref());
    let (mut ours, mut theirs) = (consulted(spec.unicode), consulted(UnicodeVersions::tokenizers()));
    let differing =
        entries(&mut ours).into_iter().zip(entries(&mut theirs)).filter(|(ours, theirs)| *ours.1 != *theirs.1);
    let named: Map<String, Value> = differing
        .map(|((name, version), _)| (name.to_owned(), format!("{}.{}", version.major, version.minor).into()))
        .collect();
    if let Value::Object(fields) = normalizer
        && !named.is_empty()
    {
        fields.insert(FIELD.to_owned(), Value::Object(named));
    }
}

fn parse(text: &str) -> Option<UnicodeVersion> {
    let (major, minor) = text.split_once('.')?;
    Some(UnicodeVersion { major: major.parse().ok()?, minor: minor.parse().ok()? })
}
