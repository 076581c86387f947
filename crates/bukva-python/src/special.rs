//! The arguments `allowed_special` and `disallowed_special`.

use std::borrow::Cow;

use bukva::added::{Names, SpecialPolicy};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The policy of calls that state none, [`SpecialPolicy::default`]: one for all, so that a short call makes nothing.
static DEFAULT: SpecialPolicy = SpecialPolicy { allowed: Names::None, disallowed: Names::All };

/// The policy of two arguments, each `"all"` or names; not given is the default.
pub fn policy(
    allowed: Option<&Bound<'_, PyAny>>,
    disallowed: Option<&Bound<'_, PyAny>>,
) -> PyResult<Cow<'static, SpecialPolicy>> {
    if allowed.is_none() && disallowed.is_none() {
        return Ok(Cow::Borrowed(&DEFAULT));
    }
    let default = DEFAULT.clone();
    Ok(Cow::Owned(SpecialPolicy {
        allowed: allowed.map_or(Ok(default.allowed), |value| names(value, "allowed_special"))?,
        disallowed: disallowed.map_or(Ok(default.disallowed), |value| names(value, "disallowed_special"))?,
    }))
}

fn names(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Names> {
    if let Ok(text) = value.cast::<PyString>() {
        if text.to_str()? == "all" {
            return Ok(Names::All);
        }
        let message = format!(
            "the {parameter:?} parameter must be \"all\" or a collection of names; got the string {text} instead"
        );
        return Err(PyTypeError::new_err(message));
    }
    let mut names = rustc_hash::FxHashSet::default();
    for name in value.try_iter()? {
        names.insert(name?.extract::<String>()?);
    }
    Ok(if names.is_empty() { Names::None } else { Names::Some(names) })
}
