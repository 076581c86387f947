//! Adding up rows by id.

use bukva::embed::Number;
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::IntoPython;

/// Add row `i` of `rows` to row `ids[i]` of `table`, in place. Both float32 or both float64, C-contiguous.
#[pyfunction]
pub fn scatter_add(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    ids: PyReadonlyArray1<'_, u32>,
    rows: &Bound<'_, PyAny>,
) -> PyResult<()> {
    match table.extract::<PyReadwriteArray2<'_, f32>>() {
        Ok(table) => add(py, table, &ids, rows.extract()?),
        Err(_) => add::<f64>(py, table.extract()?, &ids, rows.extract()?),
    }
}

fn add<T: Number + Element>(
    py: Python<'_>,
    mut table: PyReadwriteArray2<'_, T>,
    ids: &PyReadonlyArray1<'_, u32>,
    rows: PyReadonlyArray2<'_, T>,
) -> PyResult<()> {
    let dim = table.shape()[1];
    let (table, ids, rows) = (table.as_slice_mut()?, ids.as_slice()?, rows.as_slice()?);
    py.detach(|| bukva::embed::scatter_add(table, dim, ids, rows)).into_python(py)
}
