//! Positive pointwise mutual information, and its products with NumPy's matrices.

use bukva::embed::ppmi::{Ppmi, PpmiOptions};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::cooccurrence::CooccurrenceCounts;
use crate::enter::{detached, threads as threads_of};
use crate::errors::IntoPython;

/// max(0, PMI - ln k), sparse.
#[pyclass(module = "bukva._core", frozen)]
pub struct PpmiMatrix {
    matrix: Ppmi,
}

#[pymethods]
impl PpmiMatrix {
    /// The matrix of counts, which are used up.
    #[new]
    #[pyo3(signature = (counts, *, shift, noise_exponent))]
    fn new(py: Python<'_>, counts: &CooccurrenceCounts, shift: f64, noise_exponent: f64) -> PyResult<Self> {
        let counts = counts.take(py)?;
        let matrix = py.detach(|| Ppmi::new(counts, &PpmiOptions { shift, noise_exponent })).into_python(py)?;
        Ok(PpmiMatrix { matrix })
    }

    /// Cells above 0, and the sum of their squares.
    fn sizes(&self) -> (usize, f64) {
        (self.matrix.len(), self.matrix.squares())
    }

    /// The product with a dense matrix, or that of the transposed matrix.
    #[pyo3(signature = (dense, *, transposed, threads))]
    fn times<'py>(
        &self,
        py: Python<'py>,
        dense: PyReadonlyArray2<'py, f64>,
        transposed: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (width, threads) = (dense.shape()[1], threads_of(py, threads)?);
        let numbers = dense.to_vec()?;
        let product = detached(py, None, |monitor| match transposed {
            false => self.matrix.times(&numbers, width, threads, monitor),
            true => self.matrix.transposed_times(&numbers, width, threads, monitor),
        })?;
        product.into_pyarray(py).reshape([self.matrix.words(), width])
    }
}
