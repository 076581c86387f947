//! Corpora from Python: files, standard input and iterators of strings.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bukva::corpus::{Content, Documents, Input, Location, OnInvalid, Options, Source, Unit};
use bukva::{Error, Kind};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString, PyTuple};

use crate::errors::IntoPython;
use crate::text::utf8;

/// An exception that a Python iterator raised while the engine was reading it.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// The inputs of a corpus and how to read them.
pub fn inputs(
    py: Python<'_>,
    sources: &[Bound<'_, PyAny>],
    unit: &str,
    invalid: &str,
    raised: &Raised,
) -> PyResult<(Vec<Input<'static>>, Options)> {
    let unit = match unit {
        "file" => Unit::File,
        "line" => Unit::Line,
        other => return Err(one_of("unit", &["file", "line"], other)).into_python(py),
    };
    let on_invalid = match invalid {
        "error" => OnInvalid::Error,
        "replace" => OnInvalid::Replace,
        other => return Err(one_of("invalid", &["error", "replace"], other)).into_python(py),
    };
    let inputs = sources.iter().map(|source| input(source, unit, raised)).collect::<PyResult<_>>()?;
    Ok((inputs, Options { on_invalid, ..Options::default() }))
}

/// The documents of a corpus, and where an exception of a Python iterator is put.
pub fn documents(
    py: Python<'_>,
    sources: &[Bound<'_, PyAny>],
    unit: &str,
    invalid: &str,
) -> PyResult<(Documents<'static>, Raised)> {
    let raised = Raised::default();
    let (inputs, options) = inputs(py, sources, unit, invalid, &raised)?;
    Ok((Documents::new(inputs, options), raised))
}

/// A file source, or an iterator of strings.
fn input(source: &Bound<'_, PyAny>, unit: Unit, raised: &Raised) -> PyResult<Input<'static>> {
    if !source.is_instance_of::<PyTuple>() {
        let texts = Texts { iterator: source.try_iter()?.unbind(), ready: VecDeque::new(), raised: raised.clone() };
        return Ok(Input::Texts(Box::new(texts)));
    }
    let (kind, path, field): (String, PathBuf, String) = source.extract()?;
    let location = if path.as_os_str() == "-" { Location::StandardInput } else { Location::Path(path) };
    let content = match kind.as_str() {
        "jsonl" => Content::Jsonl { field },
        _ => Content::Text(unit),
    };
    Ok(Input::Source(Source::new(location, content)))
}

/// Strings of a Python iterator, taken many at a time: entering the interpreter costs more than one string.
struct Texts {
    iterator: Py<PyIterator>,
    ready: VecDeque<String>,
    raised: Raised,
}

/// Strings, and bytes of them, taken at a time at most.
const TAKEN: usize = 1024;
const TAKEN_BYTES: usize = 1 << 20;

impl Texts {
    fn refill(&mut self) -> PyResult<()> {
        Python::attach(|py| {
            let mut iterator = self.iterator.bind(py).clone();
            let mut bytes = 0;
            while self.ready.len() < TAKEN && bytes < TAKEN_BYTES {
                let Some(text) = iterator.next() else { break };
                let text = text?.cast_into::<PyString>()?;
                let text = utf8(&text)?;
                bytes += text.len();
                self.ready.push_back(text.to_owned());
            }
            Ok(())
        })
    }
}

impl Iterator for Texts {
    type Item = bukva::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && let Err(raised) = self.refill()
        {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            return Some(Err(Error::new(Kind::Cancelled, "the iterator of texts raised an exception")));
        }
        self.ready.pop_front().map(Ok)
    }
}

/// The error of an option that is none of its choices.
pub fn one_of(parameter: &str, choices: &[&str], got: &str) -> Error {
    let choices: Vec<String> = choices.iter().map(|choice| format!("{choice:?}")).collect();
    let message = format!("the {parameter:?} parameter must be {}; got {got:?} instead", choices.join(" or "));
    Error::new(Kind::Argument, message)
}
