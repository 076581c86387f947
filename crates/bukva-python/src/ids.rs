//! Ids from Python: lists, other sequences, and NumPy arrays.

use bukva::{Error, Kind};
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::to_python;

/// Ids in any of the forms that the package takes. An id outside 0..2^32 is an unknown id.
pub fn from_python(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Ok(list) = ids.cast::<PyList>() {
        return list.iter().enumerate().map(|(at, id)| one(&id, at)).collect();
    }
    if let Ok(array) = ids.extract::<PyReadonlyArray1<'_, u32>>() {
        return Ok(array.as_array().to_vec());
    }
    if let Ok(array) = ids.cast::<numpy::PyUntypedArray>()
        && array.ndim() != 1
    {
        return Err(PyTypeError::new_err(format!("ids must be one-dimensional; got {} dimensions", array.ndim())));
    }
    ids.try_iter()?.enumerate().map(|(at, id)| one(&id?, at)).collect()
}

/// One id.
pub fn one(id: &Bound<'_, PyAny>, at: usize) -> PyResult<u32> {
    id.extract::<u32>().map_err(|error| {
        let py = id.py();
        if !error.is_instance_of::<pyo3::exceptions::PyOverflowError>(py) {
            return error;
        }
        let message = format!("id {id} is not defined: ids lie in 0..2**32");
        to_python(py, Error::new(Kind::UnknownId, message).in_source(format!("id number {at}")))
    })
}
