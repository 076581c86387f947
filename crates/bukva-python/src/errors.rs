//! One map from engine errors to the exception classes of `bukva.errors`.

use bukva::{Error, Kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The key of a kind in `bukva.errors.KINDS`.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Argument => "Argument",
        Kind::Pattern => "Pattern",
        Kind::SpecialToken => "SpecialToken",
        Kind::Encoding => "Encoding",
        Kind::UnknownCharacter => "UnknownCharacter",
        Kind::UnknownId => "UnknownId",
        Kind::Corpus => "Corpus",
        Kind::Training => "Training",
        Kind::Format => "Format",
        Kind::Invariant => "Invariant",
        Kind::Unsupported => "Unsupported",
        Kind::Loss => "Loss",
        Kind::Io => "Io",
        _ => "Argument",
    }
}

/// The Python exception of an engine error. The class is looked up when it is needed: nothing is imported before.
pub fn to_python(py: Python<'_>, error: Error) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let kinds = py.import("bukva.errors")?.getattr("KINDS")?.cast_into::<PyDict>()?;
        let class = kinds.as_any().get_item(name(error.kind))?;
        let place = &error.place;
        let exception = class.call1((error.message, place.source.as_deref(), place.line, place.byte_offset))?;
        Ok(PyErr::from_value(exception))
    };
    build().unwrap_or_else(|failure| failure)
}

/// Results of the engine as results for Python.
pub trait IntoPython<T> {
    /// Maps the error.
    fn into_python(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> IntoPython<T> for bukva::Result<T> {
    fn into_python(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| to_python(py, error))
    }
}
