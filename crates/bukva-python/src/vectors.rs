//! Tables of vectors as text.

use std::fs::File;
use std::path::Path;

use bukva::block::Map;
use bukva::embed::text::{Form, TextTable, read, sniff, write_row};
use bukva::{Error, Kind};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::enter::detached;
use crate::errors::to_python;

/// Text of vectors: a file, which is mapped, or bytes.
#[derive(FromPyObject)]
pub enum Source<'py> {
    /// Bytes in memory.
    Bytes(Bound<'py, PyBytes>),
    /// The path of a file.
    Path(String),
}

type Table<'py> = (Vec<Bound<'py, PyString>>, Bound<'py, PyArray1<f32>>, usize);

/// Words, numbers one row after another, and how many a row has. With `header` the first line states the sizes or does
/// not; without it that is found out.
#[pyfunction]
#[pyo3(signature = (source, *, header=None, words=true))]
pub fn read_text_vectors<'py>(
    py: Python<'py>,
    source: Source<'py>,
    header: Option<bool>,
    words: bool,
) -> PyResult<Table<'py>> {
    let table = match &source {
        Source::Bytes(data) => read_bytes(py, data.as_bytes(), header, words)?,
        Source::Path(path) => {
            let map = open(path).map_err(|error| to_python(py, error))?;
            read_bytes(py, map.as_ref().map_or(&[], Map::bytes), header, words)?
        }
    };
    let words = table.iter_words().map(|word| PyString::new(py, word)).collect();
    Ok((words, table.matrix.into_pyarray(py), table.dim))
}

/// The file, or none where it is empty: that cannot be mapped.
fn open(path: &str) -> bukva::Result<Option<Map>> {
    let refused = |error: std::io::Error| Error::new(Kind::Io, format!("the file {path:?} cannot be read: {error}"));
    let file = File::open(Path::new(path)).map_err(refused)?;
    let empty = file.metadata().map_err(refused)?.len() == 0;
    if empty { Ok(None) } else { Map::of_file(&file).map(Some).map_err(refused) }
}

fn read_bytes(py: Python<'_>, bytes: &[u8], header: Option<bool>, words: bool) -> PyResult<TextTable> {
    let form = form_of(bytes, header, words).map_err(|error| to_python(py, error))?;
    detached(py, None, |monitor| read(bytes, form, monitor))
}

fn form_of(bytes: &[u8], header: Option<bool>, words: bool) -> bukva::Result<Form> {
    let stated = bukva::embed::text::Header::of(bytes);
    let found = match (header, stated) {
        (Some(true), Some(header)) => Some(Form { header: Some(header), dim: header.dim, words }),
        (Some(true), None) => {
            let message = "the first line is not two whole numbers, rows and numbers in a row, as word2vec writes them";
            return Err(Error::new(Kind::Format, message).at_line(1));
        }
        (Some(false), _) => Form::without_header(bytes, words),
        (None, _) => sniff(bytes, words),
    };
    found.ok_or_else(|| Error::new(Kind::Format, "the file has no line of a word and numbers"))
}

/// Rows as lines of text: a word, where words are given, and the numbers, parted by `mark`.
#[pyfunction]
#[pyo3(signature = (words, matrix, mark))]
pub fn write_text_vectors<'py>(
    py: Python<'py>,
    words: Option<Vec<String>>,
    matrix: PyReadonlyArray2<'py, f32>,
    mark: char,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut out = Vec::new();
    let words = words.as_deref();
    for (number, row) in matrix.as_array().rows().into_iter().enumerate() {
        let row = row.to_slice().map_or_else(|| row.to_vec(), <[f32]>::to_vec);
        write_row(words.and_then(|words| words.get(number)).map(String::as_str), &row, mark, &mut out);
    }
    Ok(PyBytes::new(py, &out))
}
