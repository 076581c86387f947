//! Text from Python, and the functions that only look at text.

use bukva::pretokenize::{Splitter, named, pretokenizer_of, regex::RegexSplitter};
use bukva::{Error, Kind};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{IntoPython, to_python};

/// The UTF-8 text of a `str`. Python strings may hold lone surrogates, which are no text.
pub fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|error| lone_surrogate(text.py(), error))
}

fn lone_surrogate(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
        return error;
    }
    let value = error.value(py);
    let at = value.getattr("start").and_then(|start| start.extract::<usize>());
    let surrogate = at.and_then(|at| {
        let text = value.getattr("object")?;
        let code = py.import("builtins")?.getattr("ord")?.call1((text.get_item(at)?,))?.extract::<u32>()?;
        Ok((at, code))
    });
    match surrogate {
        Ok((at, code)) => {
            let message = format!(
                "the text has the lone surrogate U+{code:04X} at character {at}, which is no character: replace it, \
                 e.g. text.encode(\"utf-16\", \"surrogatepass\").decode(\"utf-16\", \"replace\")"
            );
            to_python(py, Error::new(Kind::Encoding, message))
        }
        Err(failure) => failure,
    }
}

/// Pre-tokens of a text under a named pattern or a regular expression.
#[pyfunction]
#[pyo3(signature = (text, pattern))]
pub fn pretokenize<'py>(text: &Bound<'py, PyString>, pattern: Option<&str>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let py = text.py();
    let spec = pattern.map(pretokenizer_of).transpose().into_python(py)?;
    let splitter = Splitter::compile(spec.as_ref()).into_python(py)?;
    let text = utf8(text)?;
    let mut pieces = Vec::new();
    splitter.for_each(text, |from, to| pieces.push(PyString::new(py, &text[from..to]))).into_python(py)?;
    Ok(pieces)
}

/// Every match of a regular expression, in order.
#[pyfunction]
pub fn find_all<'py>(pattern: &str, text: &Bound<'py, PyString>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let py = text.py();
    let regex = RegexSplitter::compile(pattern).into_python(py)?;
    let text = utf8(text)?;
    let mut found = Vec::new();
    regex.for_each_match(text, |from, to| found.push(PyString::new(py, &text[from..to]))).into_python(py)?;
    Ok(found)
}

/// Extended grapheme clusters, Unicode 16.
#[pyfunction]
pub fn graphemes<'py>(text: &Bound<'py, PyString>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let py = text.py();
    Ok(bukva::unicode::graphemes(utf8(text)?).map(|cluster| PyString::new(py, cluster)).collect())
}

/// Named patterns with their regular expressions.
#[pyfunction]
pub fn pattern_names() -> Vec<(&'static str, &'static str)> {
    let named = named::NAMED.iter().map(|pattern| (pattern.name(), pattern.regex()));
    named.chain([("words", r"\w+|[^\w\s]+"), ("whitespace", r"\S+")]).collect()
}
