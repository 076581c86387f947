//! Words as the rows of their n-grams.

use std::sync::Arc;

use bukva::embed::subword::{self, Hashing, Scheme};
use bukva::{Error, Kind};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::IntoPython;

/// The rows of each word of a vocabulary.
#[pyclass(module = "bukva._core", frozen)]
pub struct WordNgrams {
    ngrams: Arc<subword::WordNgrams>,
}

impl WordNgrams {
    /// The words taken apart, to be used without the interpreter.
    pub fn shared(&self) -> Arc<subword::WordNgrams> {
        self.ngrams.clone()
    }
}

#[pymethods]
impl WordNgrams {
    /// Takes words apart. With `hash_count` as floret does, with 0 as fastText.
    #[new]
    #[pyo3(signature = (words, *, minn, maxn, bucket, hash_count))]
    fn new(
        py: Python<'_>,
        words: Vec<String>,
        minn: u32,
        maxn: u32,
        bucket: u32,
        hash_count: u32,
    ) -> PyResult<WordNgrams> {
        let scheme = scheme(minn, maxn, bucket, hash_count);
        let ngrams = py.detach(|| subword::WordNgrams::new(words.iter().map(String::as_str), scheme));
        Ok(WordNgrams { ngrams: Arc::new(ngrams.into_python(py)?) })
    }

    /// Rows of the table: of words, where they have any, and of the buckets that are used.
    #[getter]
    fn table_rows(&self) -> usize {
        self.ngrams.table_rows()
    }

    /// Rows of all words together.
    #[getter]
    fn references(&self) -> usize {
        self.ngrams.references()
    }

    /// The buckets that are used, in the order of their rows.
    fn buckets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.ngrams.buckets().to_vec().into_pyarray(py)
    }

    /// The vector of each word: the mean of its rows.
    fn compose<'py>(&self, py: Python<'py>, table: PyReadonlyArray2<'py, f32>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let view = table.as_array();
        let ((rows, dim), expected) = (view.dim(), self.ngrams.table_rows());
        if rows != expected {
            let message = format!("the table must have {expected} rows; got {rows}");
            return Err(Error::new(Kind::Argument, message)).into_python(py);
        }
        let numbers = view.as_standard_layout();
        let numbers = numbers.as_slice().unwrap_or_default();
        let row = |row: u32| &numbers[row as usize * dim..][..dim];
        let vectors = py.detach(|| self.ngrams.compose(dim, row));
        vectors.into_pyarray(py).reshape([self.ngrams.words(), dim])
    }
}

fn scheme(minn: u32, maxn: u32, bucket: u32, hash_count: u32) -> Scheme {
    let hashing = if hash_count == 0 { Hashing::FastText } else { Hashing::Floret { count: hash_count } };
    Scheme { minn, maxn, bucket, hashing }
}

/// The buckets of a word's n-grams, as often as they stand in it. With `hash_count` as floret does, with 0 as fastText.
#[pyfunction]
#[pyo3(signature = (word, *, minn, maxn, bucket, hash_count))]
pub fn ngram_buckets<'py>(
    py: Python<'py>,
    word: &str,
    minn: u32,
    maxn: u32,
    bucket: u32,
    hash_count: u32,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let scheme = scheme(minn, maxn, bucket, hash_count);
    scheme.check().into_python(py)?;
    let mut buckets = Vec::new();
    scheme.for_each_bucket(word, |bucket| buckets.push(bucket));
    Ok(buckets.into_pyarray(py))
}
