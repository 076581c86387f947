//! The scan that finds near rows.

use bukva::embed::nearest::Codes;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::IntoPython;

/// Rows at length 1, a byte a number: a scan finds those that may be among the nearest.
#[pyclass(module = "bukva._core", frozen)]
pub struct NearCodes {
    codes: Codes,
}

#[pymethods]
impl NearCodes {
    #[new]
    fn new(py: Python<'_>, matrix: PyReadonlyArray2<'_, f32>) -> PyResult<Self> {
        let dim = matrix.shape()[1];
        let numbers = matrix.as_slice()?;
        py.detach(|| Codes::new(numbers, dim)).map(|codes| NearCodes { codes }).into_python(py)
    }

    /// Rows that may be among the `k` of greatest cosine; none that is one is missing.
    #[pyo3(signature = (query, k, among, excluded))]
    fn candidates<'py>(
        &self,
        py: Python<'py>,
        query: PyReadonlyArray1<'py, f32>,
        k: usize,
        among: usize,
        excluded: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let query = query.as_slice()?;
        let rows = py.detach(|| self.codes.candidates(query, k, among, &excluded)).into_python(py)?;
        Ok(rows.into_iter().map(|row| row as u64).collect::<Vec<u64>>().into_pyarray(py))
    }
}
