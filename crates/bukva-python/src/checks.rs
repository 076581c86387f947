//! Arguments that are checked here because the check in Python would take longer than the work.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

/// An integer of at least `minimum`, if one was given. What is none is refused by `bukva.checks`, in its words.
pub fn optional_integer(
    parameter: &str,
    caller: &str,
    value: Option<&Bound<'_, PyAny>>,
    minimum: usize,
) -> PyResult<Option<usize>> {
    let Some(value) = value else { return Ok(None) };
    if value.is_exact_instance_of::<PyInt>()
        && let Ok(number) = value.extract::<usize>()
        && number >= minimum
    {
        return Ok(Some(number));
    }
    let options = PyDict::new(value.py());
    options.set_item("optional", true)?;
    let check = value.py().import("bukva.checks")?.getattr("check_integer")?;
    check.call((parameter, caller, value, minimum), Some(&options))?;
    value.extract::<usize>().map(Some)
}
