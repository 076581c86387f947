//! The documents of a corpus, one by one, for Python.

use std::sync::{Mutex, PoisonError};

use bukva::corpus::Documents;
use pyo3::prelude::*;

use crate::corpus::{Raised, documents};
use crate::errors::IntoPython;

/// Iterates over the documents of a corpus.
#[pyclass(module = "bukva._core", frozen)]
pub struct DocumentIterator {
    documents: Mutex<Documents<'static>>,
    raised: Raised,
}

#[pymethods]
impl DocumentIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let next = py.detach(|| self.documents.lock().unwrap_or_else(PoisonError::into_inner).next());
        match self.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(raised) => Err(raised),
            None => next.transpose().into_python(py),
        }
    }
}

/// Documents in order; with unit "line" each line with its LF.
#[pyfunction]
#[pyo3(signature = (sources, *, unit, invalid))]
pub fn iter_documents(
    py: Python<'_>,
    sources: Vec<Bound<'_, PyAny>>,
    unit: &str,
    invalid: &str,
) -> PyResult<DocumentIterator> {
    let (documents, raised) = documents(py, &sources, unit, invalid)?;
    Ok(DocumentIterator { documents: Mutex::new(documents), raised })
}
