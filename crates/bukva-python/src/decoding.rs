//! From ids of Python to `str`.

use bukva::decode::{Invalid, Spelled, TextDecoder, text_of};
use bukva::{Error, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::batch::Batch;
use crate::enter::{SHORT, Threads, detached};
use crate::errors::{IntoPython, to_python};
use crate::ids;

/// The text that ids spell.
pub fn text<'py>(
    decoder: &TextDecoder,
    ids: &Bound<'py, PyAny>,
    errors: &str,
    skip_special: bool,
) -> PyResult<Bound<'py, PyString>> {
    let py = ids.py();
    let (invalid, ids) = (invalid(py, errors)?, ids::from_python(ids)?);
    let work = || match decoder.utf16_le(&ids, skip_special) {
        Some(units) => Ok((units, true)),
        None => decoder.unchecked_text(&ids, invalid, skip_special).map(|bytes| (bytes, false)),
    };
    let (bytes, is_utf16) = if ids.len() < SHORT { work() } else { py.detach(work) }.into_python(py)?;
    if is_utf16 {
        return of_utf16(py, &bytes);
    }
    // Python checks the bytes in any case, so only those that it refuses are looked at here.
    match PyString::from_bytes(py, &bytes) {
        Ok(text) => Ok(text),
        Err(_) => Ok(PyString::new(py, &text_of(bytes, invalid).into_python(py)?)),
    }
}

/// Python reads the UTF-16 of Cyrillic ten times as fast as its UTF-8, and that of English twice as fast.
fn of_utf16<'py>(py: Python<'py>, units: &[u8]) -> PyResult<Bound<'py, PyString>> {
    Ok(PyBytes::new(py, units).call_method1("decode", ("utf-16-le",))?.cast_into::<PyString>()?)
}

/// The texts that sequences of ids spell.
pub fn texts<'py>(
    decoder: &TextDecoder,
    batch: &Bound<'py, PyAny>,
    errors: &str,
    skip_special: bool,
    threads: Threads,
) -> PyResult<Bound<'py, PyList>> {
    let py = batch.py();
    let invalid = invalid(py, errors)?;
    let sequences = match batch.cast::<Batch>() {
        Ok(batch) => batch.get().sequences(py)?,
        Err(_) => batch.try_iter()?.map(|ids| ids::from_python(&ids?)).collect::<PyResult<Vec<_>>>()?,
    };
    let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
    let threads = threads.of(4 * sequences.iter().map(|ids| ids.len()).sum::<usize>());
    let spelled =
        detached(py, None, |monitor| decoder.spelled_of(&sequences, invalid, skip_special, threads, monitor))?;
    let string = |text| match text {
        Spelled::Utf8(text) => Ok(PyString::new(py, &text)),
        Spelled::Utf16(units) => of_utf16(py, &units),
    };
    PyList::new(py, spelled.into_iter().map(string).collect::<PyResult<Vec<_>>>()?)
}

/// The argument `errors`.
pub fn invalid(py: Python<'_>, errors: &str) -> PyResult<Invalid> {
    match errors {
        "strict" => Ok(Invalid::Strict),
        "replace" => Ok(Invalid::Replace),
        other => {
            let message = format!("the 'errors' parameter must be \"strict\" or \"replace\"; got {other:?} instead");
            Err(to_python(py, Error::new(Kind::Argument, message)))
        }
    }
}
