//! Co-occurrences of words, and GloVe's vectors from them.

use std::sync::{Mutex, PoisonError};

use bukva::embed::cooccurrence::{Cooccurrences, CountOptions, Sides, Weighting, count};
use bukva::embed::glove::{self, GloveMemory, GloveOptions, GloveStart};
use bukva::{Error, Kind};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::corpus::one_of;
use crate::embed::{StartArrays, Tables, VectorCorpus, table};
use crate::enter::{detached, threads as threads_of};
use crate::errors::{IntoPython, to_python};

/// Rows one after the other: offsets, columns, values, sums of rows and of columns.
type Arrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// Counted co-occurrences, to be used once.
#[pyclass(module = "bukva._core", frozen)]
pub struct CooccurrenceCounts {
    counts: Mutex<Option<Cooccurrences>>,
}

impl CooccurrenceCounts {
    /// The counts, which are then used up.
    pub fn take(&self, py: Python<'_>) -> PyResult<Cooccurrences> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner).take();
        counts.ok_or_else(used).into_python(py)
    }
}

fn used() -> Error {
    Error::new(Kind::Argument, "the counts were used already; count again")
}

#[pymethods]
impl CooccurrenceCounts {
    /// Cells that are not 0, and pairs in them.
    fn sizes(&self, py: Python<'_>) -> PyResult<(usize, u64)> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.as_ref().map(|counts| (counts.len(), counts.pairs)).ok_or_else(used).into_python(py)
    }

    /// The matrix as arrays. The counts are used up.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        let counts = self.take(py)?;
        let offsets: Vec<i64> = counts.offsets.iter().map(|&offset| offset as i64).collect();
        Ok((
            offsets.into_pyarray(py),
            counts.columns.into_pyarray(py),
            counts.values.into_pyarray(py),
            counts.row_sums.into_pyarray(py),
            counts.column_sums.into_pyarray(py),
        ))
    }
}

/// Counts how often words of a corpus stand near each other. The corpus is used up.
#[pyfunction]
#[pyo3(signature = (corpus, *, window, weighting, sides, threads, memory_limit, progress))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of counting")]
pub fn count_cooccurrences(
    py: Python<'_>,
    corpus: &VectorCorpus,
    window: u32,
    weighting: &str,
    sides: &str,
    threads: Option<usize>,
    memory_limit: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<CooccurrenceCounts> {
    let weighting = match weighting {
        "harmonic" => Weighting::Harmonic,
        "flat" => Weighting::Flat,
        "dynamic" => Weighting::Dynamic,
        other => return Err(one_of("weighting", &["harmonic", "flat", "dynamic"], other)).into_python(py),
    };
    let sides = match sides {
        "both" => Sides::Both,
        "left" => Sides::Left,
        "right" => Sides::Right,
        other => return Err(one_of("sides", &["both", "left", "right"], other)).into_python(py),
    };
    let options = CountOptions { window, weighting, sides, threads: threads_of(py, threads)?, memory_limit };
    options.check().into_python(py)?;
    let corpus = corpus.take(py)?;
    let counts = detached(py, progress, move |monitor| count(&corpus, &options, monitor))?;
    Ok(CooccurrenceCounts { counts: Mutex::new(Some(counts)) })
}

/// Bytes that GloVe takes at its peak: for the counts, the cells in random order, the tables and the result, and in all.
#[pyfunction]
pub fn glove_memory(py: Python<'_>, words: u64, cells: u64, dim: u64) -> PyResult<Bound<'_, PyDict>> {
    let memory = GloveMemory::new(words, cells, dim).ok_or_else(|| {
        let message =
            format!("{words} words, {cells} cells and {dim} numbers a vector are beyond what can be addressed");
        to_python(py, Error::new(Kind::Argument, message))
    })?;
    let facts = PyDict::new(py);
    facts.set_item("counts", memory.counts)?;
    facts.set_item("cells", memory.cells)?;
    facts.set_item("tables", memory.tables)?;
    facts.set_item("result", memory.result)?;
    facts.set_item("peak", memory.peak())?;
    Ok(facts)
}

/// Trains GloVe and gives the vectors of words and of contexts with the facts of the run. The counts are used up.
#[pyfunction]
#[pyo3(signature = (counts, *, dim, epochs, x_max, weight_exponent, alpha, seed, threads, start, progress))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of training")]
pub fn train_glove<'py>(
    py: Python<'py>,
    counts: &CooccurrenceCounts,
    dim: usize,
    epochs: u32,
    x_max: f64,
    weight_exponent: f64,
    alpha: f64,
    seed: u64,
    threads: Option<usize>,
    start: Option<StartArrays<'py>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Tables<'py>, Bound<'py, PyDict>)> {
    let threads = threads_of(py, threads)?;
    let options = GloveOptions { dim, epochs, x_max, weight_exponent, alpha, seed, threads };
    options.check().into_python(py)?;
    let start = start.map(|(known, words, contexts)| -> PyResult<GloveStart> {
        Ok(GloveStart { known: known.to_vec()?, words: words.to_vec()?, contexts: contexts.to_vec()? })
    });
    let start = start.transpose()?;
    let counts = counts.take(py)?;
    let trained = detached(py, progress, |monitor| glove::train(counts, start.as_ref(), &options, monitor))?;
    let facts = PyDict::new(py);
    facts.set_item("losses", trained.losses)?;
    facts.set_item("kernel", trained.kernel)?;
    Ok(((table(py, trained.words, dim)?, table(py, trained.contexts, dim)?), facts))
}
