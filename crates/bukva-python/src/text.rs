//! Text from Python, and the functions that only look at text.

use bukva::pretokenize::{Splitter, named, pretokenizer_of, regex::RegexSplitter};
use bukva::{Error, Kind};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::errors::{IntoPython, to_python};

/// The strings of an iterable; a single string is no list of texts.
pub fn strings<'py>(texts: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyString>>> {
    let wrong = |what: String| {
        let message = format!("the 'texts' parameter must be an iterable of str; got {what} instead");
        to_python(texts.py(), Error::new(Kind::Argument, message))
    };
    let string = |(index, text): (usize, Bound<'py, PyAny>)| {
        let string = text.cast_into::<PyString>();
        string.map_err(|error| wrong(format!("{} at index {index}", type_name(&error.into_inner()))))
    };
    if let Ok(list) = texts.cast_exact::<PyList>() {
        return list.iter().enumerate().map(string).collect();
    }
    if texts.is_instance_of::<PyString>() || texts.is_instance_of::<PyBytes>() {
        return Err(wrong(format!("one {} (pass [text])", type_name(texts))));
    }
    let mut strings = Vec::with_capacity(texts.len().unwrap_or(0));
    for found in texts.try_iter().map_err(|_| wrong(type_name(texts)))?.enumerate() {
        strings.push(string((found.0, found.1?))?);
    }
    Ok(strings)
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}

/// The UTF-8 texts of many strings; an error names the text's number.
pub fn utf8_all<'a>(strings: &'a [Bound<'_, PyString>]) -> PyResult<Vec<&'a str>> {
    let text = |(index, string)| {
        let named = |error: Error| error.in_source(format!("text number {index}"));
        utf8_or(string, named)
    };
    strings.iter().enumerate().map(text).collect()
}

/// The UTF-8 text of a `str`. Python strings may hold lone surrogates, which are no text.
pub fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    utf8_or(text, |error| error)
}

fn utf8_or<'a>(text: &'a Bound<'_, PyString>, placed: impl Fn(Error) -> Error) -> PyResult<&'a str> {
    text.to_str().map_err(|error| lone_surrogate(text.py(), error, placed))
}

fn lone_surrogate(py: Python<'_>, error: PyErr, placed: impl Fn(Error) -> Error) -> PyErr {
    if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
        return error;
    }
    let value = error.value(py);
    let describe = || -> PyResult<Error> {
        let text = value.getattr("object")?;
        let at: usize = value.getattr("start")?.extract()?;
        let code: u32 = py.import("builtins")?.getattr("ord")?.call1((text.get_item(at)?,))?.extract()?;
        let before = text.get_item(pyo3::types::PySlice::new(py, 0, at as isize, 1))?.call_method0("encode")?.len()?;
        let message = format!(
            "the text has the lone surrogate U+{code:04X} at character {at}, which is no character: replace it, \
             e.g. text.encode(\"utf-16\", \"surrogatepass\").decode(\"utf-16\", \"replace\")"
        );
        Ok(Error::new(Kind::Encoding, message).at_byte(before as u64))
    };
    describe().map_or_else(|failure| failure, |error| to_python(py, placed(error)))
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
