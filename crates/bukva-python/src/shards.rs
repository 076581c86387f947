//! Encoding files into shards, for Python.

use std::path::PathBuf;
use std::sync::PoisonError;

use bukva::shards::{self, Corpus, Keeper, Options, Position, Recipe, Sealed, Width};
use bukva::{Error, Kind};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use xxhash_rust::xxh3::xxh3_128;

use crate::corpus::{Raised, inputs};
use crate::enter::{PyMonitor, threads};
use crate::errors::to_python;
use crate::special::policy;
use crate::tokenizer::Tokenizer;

/// Input, documents of it, bytes of the next, ids of what follows, bytes of text, replaced bytes: see [`Position`].
type Place = (usize, u64, u64, u64, u64, u64);

/// Encodes the documents of sources into shards and calls `keep` with the facts of each. Gives the place at the end.
#[pyfunction]
#[pyo3(signature = (tokenizer, sources, names, *, unit, invalid, ordinary, add_special_tokens, allowed_special,
    disallowed_special, append, folder, shard_tokens, width, with_header, first_shard, place, threads, progress, keep))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of encode_files")]
pub fn encode_shards(
    py: Python<'_>,
    tokenizer: &Bound<'_, Tokenizer>,
    sources: Vec<Bound<'_, PyAny>>,
    names: Vec<String>,
    unit: &str,
    invalid: &str,
    ordinary: bool,
    add_special_tokens: bool,
    allowed_special: &Bound<'_, PyAny>,
    disallowed_special: &Bound<'_, PyAny>,
    append: Vec<u32>,
    folder: PathBuf,
    shard_tokens: u64,
    width: u64,
    with_header: bool,
    first_shard: u64,
    place: Place,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    keep: Py<PyAny>,
) -> PyResult<Place> {
    let raised = Raised::default();
    let (inputs, reading) = inputs(py, &sources, unit, invalid, &raised)?;
    let policy = policy(Some(allowed_special), Some(disallowed_special))?;
    let policy = (!ordinary).then(|| policy.into_owned());
    let recipe = Recipe { policy, with_frame: add_special_tokens, append };
    let options = Options {
        folder,
        shard_tokens,
        width: if width == 2 { Width::U16 } else { Width::U32 },
        with_header,
        first_shard,
        position: position(place),
        threads: self::threads(py, threads)?,
    };
    let tokenizer = tokenizer.get().shared();
    let (mut monitor, mut keeper) = (PyMonitor::new(progress), PyKeeper { keep, raised: None });
    let result = py.detach(|| {
        let corpus = Corpus { inputs, names: &names, reading };
        shards::encode_shards(&tokenizer, &recipe, corpus, &options, &mut monitor, &mut keeper)
    });
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take().or(keeper.raised);
    match raised {
        Some(raised) => Err(raised),
        None => monitor.outcome(py, result.map(self::place)),
    }
}

/// Hands shards to a Python callable.
struct PyKeeper {
    keep: Py<PyAny>,
    raised: Option<PyErr>,
}

impl Keeper for PyKeeper {
    fn keep(&mut self, shard: &Sealed) -> bukva::Result<()> {
        let kept = Python::attach(|py| self.keep.call1(py, (facts(py, shard)?,)).map(drop));
        kept.map_err(|raised| {
            self.raised = Some(raised);
            Error::new(Kind::Cancelled, "the shard was not kept")
        })
    }
}

fn facts<'py>(py: Python<'py>, shard: &Sealed) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("number", shard.number)?;
    facts.set_item("ids", &shard.ids)?;
    facts.set_item("offsets", &shard.offsets)?;
    facts.set_item("tokens", shard.tokens)?;
    facts.set_item("documents", shard.documents)?;
    facts.set_item("starts_document", shard.starts_document)?;
    facts.set_item("ends_document", shard.ends_document)?;
    facts.set_item("ids_hash", hexadecimal(shard.ids_hash))?;
    facts.set_item("offsets_hash", hexadecimal(shard.offsets_hash))?;
    facts.set_item("next", place(shard.next))?;
    Ok(facts)
}

fn place(position: Position) -> Place {
    let Position { input, documents, bytes, tokens, text_bytes, replaced_bytes } = position;
    (input, documents, bytes, tokens, text_bytes, replaced_bytes)
}

fn position((input, documents, bytes, tokens, text_bytes, replaced_bytes): Place) -> Position {
    Position { input, documents, bytes, tokens, text_bytes, replaced_bytes }
}

/// XXH3, 128 bits, of an array of bytes.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn hash_bytes(data: PyReadonlyArray1<'_, u8>) -> PyResult<String> {
    let py = data.py();
    let bytes = data.as_slice().map_err(|error| {
        to_python(py, Error::new(Kind::Argument, format!("the bytes must lie one after the other: {error}")))
    })?;
    Ok(hexadecimal(py.detach(|| xxh3_128(bytes))))
}

fn hexadecimal(hash: u128) -> String {
    format!("{hash:032x}")
}
