//! From ids of Python to `str`.

use bukva::decode::{Invalid, TextDecoder, text_of};
use bukva::{Error, Kind};
use pyo3::prelude::*;
use pyo3::types::PyString;

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
    let work = || decoder.unchecked_text(&ids, invalid, skip_special);
    let bytes = if ids.len() < SHORT { work() } else { py.detach(work) }.into_python(py)?;
    // Python checks the bytes in any case, so only those that it refuses are looked at here.
    match PyString::from_bytes(py, &bytes) {
        Ok(text) => Ok(text),
        Err(_) => Ok(PyString::new(py, &text_of(bytes, invalid).into_python(py)?)),
    }
}

/// The texts that sequences of ids spell.
pub fn texts(
    decoder: &TextDecoder,
    batch: &Bound<'_, PyAny>,
    errors: &str,
    skip_special: bool,
    threads: Threads,
) -> PyResult<Vec<String>> {
    let py = batch.py();
    let invalid = invalid(py, errors)?;
    let sequences = match batch.cast::<Batch>() {
        Ok(batch) => batch.get().sequences(py)?,
        Err(_) => batch.try_iter()?.map(|ids| ids::from_python(&ids?)).collect::<PyResult<Vec<_>>>()?,
    };
    let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
    let threads = threads.of(4 * sequences.iter().map(|ids| ids.len()).sum::<usize>());
    detached(py, None, |monitor| decoder.texts_of(&sequences, invalid, skip_special, threads, monitor))
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
