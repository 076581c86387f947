//! Training vectors: a corpus as numbers, the run, and the facts of it.

use std::sync::{Mutex, PoisonError};

use bukva::embed::context::{self, Corpus, Known, Method, Negatives, Start, TrainOptions, Words};
use bukva::normalize::{Normalizer, names};
use bukva::{Error, Kind};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::corpus::{Raised, inputs, one_of};
use crate::enter::{PyMonitor, detached, threads as threads_of};
use crate::errors::{IntoPython, to_python};
use crate::ngrams::WordNgrams;
use crate::tokenizer::Tokenizer;
use crate::word_tree::WordTree;

type Table<'py> = Bound<'py, PyArray2<f32>>;
/// The vectors of words, and of words as outputs.
pub type Tables<'py> = (Table<'py>, Table<'py>);
/// Which words are known, and both tables with their vectors.
pub type StartArrays<'py> = (PyReadonlyArray1<'py, bool>, PyReadonlyArray2<'py, f32>, PyReadonlyArray2<'py, f32>);
/// The vectors of words, of words as outputs, and the rows that the first are made of, if any.
type ThreeTables<'py> = (Table<'py>, Table<'py>, Table<'py>);
/// Which rows are known, and all rows.
type KnownRows<'py> = (PyReadonlyArray1<'py, bool>, PyReadonlyArray2<'py, f32>);

fn known((known, rows): KnownRows<'_>) -> PyResult<Known> {
    Ok(Known { known: known.to_vec()?, rows: rows.to_vec()? })
}

/// A corpus as numbers, ready to train on once.
#[pyclass(module = "bukva._core", frozen)]
pub struct VectorCorpus {
    corpus: Mutex<Option<Corpus>>,
}

impl VectorCorpus {
    /// The corpus, which is then used up.
    pub fn take(&self, py: Python<'_>) -> PyResult<Corpus> {
        self.corpus.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(used).into_python(py)
    }

    fn with<T>(&self, py: Python<'_>, read: impl FnOnce(&Corpus) -> T) -> PyResult<T> {
        let corpus = self.corpus.lock().unwrap_or_else(PoisonError::into_inner);
        corpus.as_ref().map(read).ok_or_else(used).into_python(py)
    }
}

fn used() -> Error {
    Error::new(Kind::Argument, "the corpus was trained on already; read it again")
}

#[pymethods]
impl VectorCorpus {
    /// Words with a vector, by falling count.
    fn words(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |corpus| corpus.vocabulary.words.clone())
    }

    /// How often each of them stands in the corpus.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let counts = |corpus: &Corpus| corpus.vocabulary.counts.iter().map(|&count| count as i64).collect::<Vec<_>>();
        Ok(self.with(py, counts)?.into_pyarray(py))
    }

    /// The ids of words that are tokens.
    fn token_ids(&self, py: Python<'_>) -> PyResult<Option<Vec<u32>>> {
        self.with(py, |corpus| corpus.token_ids.clone())
    }

    /// What was read.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        let (report, rare, ids) = self.with(py, |corpus| (corpus.report, corpus.vocabulary.rare, corpus.len()))?;
        facts.set_item("documents", report.documents)?;
        facts.set_item("bytes", report.bytes)?;
        facts.set_item("replaced_bytes", report.replaced_bytes)?;
        facts.set_item("words", report.words)?;
        facts.set_item("rare_words", rare)?;
        facts.set_item("ids", ids)?;
        Ok(facts)
    }
}

/// Reads a corpus: its words as numbers, and which of them get a vector.
#[pyfunction]
#[pyo3(signature = (sources, *, tokenizer, word_pattern, normalizer, min_count, unit, invalid, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of the reader")]
pub fn read_vector_corpus(
    py: Python<'_>,
    sources: Vec<Bound<'_, PyAny>>,
    tokenizer: Option<PyRef<'_, Tokenizer>>,
    word_pattern: &str,
    normalizer: Vec<String>,
    min_count: u64,
    unit: &str,
    invalid: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<VectorCorpus> {
    let raised = Raised::default();
    let (inputs, options) = inputs(py, &sources, unit, invalid, &raised)?;
    let threads = threads_of(py, threads)?;
    let words = match tokenizer {
        Some(tokenizer) => Words::by_tokenizer(tokenizer.shared()),
        None => words(word_pattern, &normalizer).into_python(py)?,
    };
    let mut monitor = PyMonitor::new(progress);
    let read = py.detach(|| context::read_corpus(inputs, options, &words, min_count, threads, &mut monitor));
    if let Some(raised) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(raised);
    }
    Ok(VectorCorpus { corpus: Mutex::new(Some(monitor.outcome(py, read)?)) })
}

fn words(pattern: &str, normalizer: &[String]) -> bukva::Result<Words> {
    let normalizer = names::from_names(normalizer)?;
    Words::by_pattern(pattern, normalizer.as_ref().map(Normalizer::compile).transpose()?)
}

/// Bytes that training takes at its peak: for the corpus, the tables, probabilities and the result, and in all.
/// `ngrams` are the rows of the table that words are made of, and the rows of all words together; `tree` the nodes of a
/// tree, and those of all paths.
#[pyfunction]
#[pyo3(signature = (words, ids, dim, ngrams=None, tree=None))]
pub fn vectors_memory(
    py: Python<'_>,
    words: u64,
    ids: u64,
    dim: u64,
    ngrams: Option<(u64, u64)>,
    tree: Option<(u64, u64)>,
) -> PyResult<Bound<'_, PyDict>> {
    let estimate = context::MemoryEstimate::new(words, ids, dim, ngrams, tree).ok_or_else(|| {
        let rows = ngrams.map_or(0, |(rows, _)| rows);
        let message = format!(
            "{words} words, {rows} rows of n-grams, {ids} ids and {dim} numbers a vector are beyond what can be addressed"
        );
        to_python(py, Error::new(Kind::Argument, message))
    })?;
    let facts = PyDict::new(py);
    facts.set_item("corpus", estimate.corpus)?;
    facts.set_item("tables", estimate.tables)?;
    facts.set_item("probabilities", estimate.probabilities)?;
    facts.set_item("ngrams", estimate.ngrams)?;
    facts.set_item("tree", estimate.tree)?;
    facts.set_item("result", estimate.result)?;
    facts.set_item("peak", estimate.peak())?;
    Ok(facts)
}

/// Trains vectors on a corpus and gives the tables with the facts of the run. The corpus is used up.
#[pyfunction]
#[pyo3(signature = (corpus, *, method, dim, window, negatives, negative_sampling, noise_exponent, epochs, sample, alpha,
    min_alpha, seed, threads, ngrams, tree, start, progress))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of training")]
pub fn train_vectors<'py>(
    py: Python<'py>,
    corpus: &VectorCorpus,
    method: &str,
    dim: usize,
    window: u32,
    negatives: u32,
    negative_sampling: &str,
    noise_exponent: f64,
    epochs: u32,
    sample: f64,
    alpha: f64,
    min_alpha: f64,
    seed: u64,
    threads: Option<usize>,
    ngrams: Option<PyRef<'py, WordNgrams>>,
    tree: Option<PyRef<'py, WordTree>>,
    start: Option<(KnownRows<'py>, KnownRows<'py>)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(ThreeTables<'py>, Bound<'py, PyDict>)> {
    let method = match method {
        "skipgram" => Method::SkipGram,
        "cbow" => Method::Cbow,
        other => return Err(one_of("method", &["skipgram", "cbow"], other)).into_python(py),
    };
    let sharing = match negative_sampling {
        "shared" => Negatives::Shared,
        "independent" => Negatives::Independent,
        other => return Err(one_of("negative_sampling", &["shared", "independent"], other)).into_python(py),
    };
    let threads = threads_of(py, threads)?;
    let options = TrainOptions {
        method,
        dim,
        window,
        negatives,
        sharing,
        noise_exponent,
        epochs,
        sample,
        alpha,
        min_alpha,
        seed,
        threads,
    };
    options.check().into_python(py)?;
    let start = start
        .map(|(inputs, outputs)| -> PyResult<Start> { Ok(Start { inputs: known(inputs)?, outputs: known(outputs)? }) });
    let (start, ngrams) = (start.transpose()?, ngrams.map(|ngrams| ngrams.shared()));
    let tree = tree.map(|tree| tree.shared());
    let corpus = corpus.take(py)?;
    let trained = detached(py, progress, |monitor| {
        context::train(corpus, ngrams.as_deref(), tree.as_deref(), start.as_ref(), &options, monitor)
    })?;
    let facts = PyDict::new(py);
    facts.set_item("losses", trained.losses)?;
    facts.set_item("pairs", trained.pairs)?;
    facts.set_item("kernel", trained.kernel)?;
    let tables = (trained.inputs, trained.outputs, trained.table);
    Ok(((table(py, tables.0, dim)?, table(py, tables.1, dim)?, table(py, tables.2, dim)?), facts))
}

/// Numbers as rows of `dim`.
pub fn table(py: Python<'_>, numbers: Vec<f32>, dim: usize) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let rows = numbers.len() / dim;
    numbers.into_pyarray(py).reshape([rows, dim])
}
