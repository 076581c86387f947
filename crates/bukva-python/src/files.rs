//! Loading and describing tokenizers.

use std::collections::BTreeMap;
use std::path::Path;

use bukva::formats;
use bukva::formats::encodings::{Encoding, NamedEncoding};
use bukva::pipeline;
use bukva::pretokenize::pretokenizer_of;
use bukva::spec::{AddedToken, Alphabet, Behavior, Model, Pattern, Pretokenizer, Spec};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::IntoPython;
use crate::tokenizer::Tokenizer;

/// The tokenizer of an image in memory.
#[pyfunction]
pub fn load_image(py: Python<'_>, data: &[u8]) -> PyResult<Tokenizer> {
    py.detach(|| formats::image::load_image(data)).map(Tokenizer::wrap).into_python(py)
}

/// The tokenizer of a file or folder, in any format that is read.
#[pyfunction]
#[pyo3(signature = (path, encoding, pattern, special_tokens))]
pub fn load(
    py: Python<'_>,
    path: &str,
    encoding: Option<&str>,
    pattern: Option<&str>,
    special_tokens: Option<BTreeMap<String, u32>>,
) -> PyResult<Tokenizer> {
    let encoding = wanted(encoding, pattern, special_tokens).into_python(py)?;
    let named = |error: bukva::Error| error.in_source(path);
    let compile = || formats::open(Path::new(path), encoding).map_err(named);
    py.detach(compile).map(Tokenizer::wrap).into_python(py)
}

/// The tokenizer of a rank file in memory.
#[pyfunction]
#[pyo3(signature = (data, encoding, pattern, special_tokens))]
pub fn load_ranks(
    py: Python<'_>,
    data: &[u8],
    encoding: Option<&str>,
    pattern: Option<&str>,
    special_tokens: Option<BTreeMap<String, u32>>,
) -> PyResult<Tokenizer> {
    let encoding = wanted(encoding, pattern, special_tokens).into_python(py)?.unwrap_or_default();
    let compile = || formats::tiktoken::read_tiktoken(data, encoding).and_then(pipeline::Tokenizer::new);
    py.detach(compile).map(Tokenizer::wrap).into_python(py)
}

/// The encoding that the caller names or describes; a pattern or special tokens given replace those of the name,
/// and the pattern `none` is none.
fn wanted(
    name: Option<&str>,
    pattern: Option<&str>,
    special_tokens: Option<BTreeMap<String, u32>>,
) -> bukva::Result<Option<Encoding>> {
    if name.is_none() && pattern.is_none() && special_tokens.is_none() {
        return Ok(None);
    }
    let mut encoding = name.map(Encoding::named).transpose()?.unwrap_or_default();
    if let Some(pattern) = pattern {
        encoding.pretokenizer = if pattern == "none" { None } else { Some(pretokenizer_of(pattern)?) };
    }
    if let Some(tokens) = special_tokens {
        encoding.added_tokens = tokens.into_iter().map(|(content, id)| AddedToken::special(content, id)).collect();
    }
    Ok(Some(encoding))
}

/// Named encodings of rank files.
#[pyfunction]
pub fn encoding_names() -> Vec<&'static str> {
    formats::encodings::NAMES.to_vec()
}

/// The name of the encoding of a model.
#[pyfunction]
#[pyo3(signature = (model, /))]
pub fn encoding_for_model(py: Python<'_>, model: &str) -> PyResult<&'static str> {
    formats::encodings::encoding_for_model(model).into_python(py)
}

/// Names of OpenAI's models, and beginnings of names, each with its encoding.
#[pyfunction]
pub fn openai_models() -> (Vec<NamedEncoding>, Vec<NamedEncoding>) {
    let [models, prefixes] = formats::encodings::openai_models();
    (models.to_vec(), prefixes.to_vec())
}

/// The files that lay beside a tokenizer's own, by name: text as it is, anything else as JSON.
pub fn side_files(spec: &Spec) -> BTreeMap<String, String> {
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let file = |(key, value): (&String, &serde_json::Value)| {
        Some((key.strip_prefix(formats::hf::SIDE_FILE)?.to_owned(), text(value)))
    };
    spec.unknown_fields.iter().filter_map(file).collect()
}

/// The image of a tokenizer.
pub fn image(tokenizer: &pipeline::Tokenizer) -> bukva::Result<Vec<u8>> {
    formats::image::image_of(tokenizer)
}

/// Saves a tokenizer; returns what the format cannot hold, and what that was, where losses are allowed.
pub fn save(tokenizer: &pipeline::Tokenizer, path: &str, allow_loss: bool) -> bukva::Result<Vec<(String, String)>> {
    let losses = formats::save(tokenizer.spec(), path.as_ref(), allow_loss)?;
    Ok(losses.into_iter().map(|loss| (loss.what.to_owned(), loss.detail)).collect())
}

/// What people want to know of a tokenizer at a glance.
pub fn summary<'py>(py: Python<'py>, tokenizer: &pipeline::Tokenizer) -> PyResult<Bound<'py, PyDict>> {
    let spec = tokenizer.spec();
    let (model, alphabet) = match &spec.model {
        Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes => ("BPE", Some("bytes")),
        Model::Bpe(_) => ("BPE", Some("chars")),
        Model::WordPiece(_) => ("WordPiece", None),
        Model::Unigram(_) => ("Unigram", None),
        Model::WordLevel(_) => ("WordLevel", None),
    };
    let unicode = spec.unicode.pretokenizer;
    let facts = PyDict::new(py);
    facts.set_item("model", model)?;
    facts.set_item("alphabet", alphabet)?;
    facts.set_item("pattern", pattern(spec))?;
    facts.set_item("normalizer", spec.normalizer.as_ref().map(json))?;
    facts.set_item("pretokenizer", spec.pretokenizer.as_ref().map(json))?;
    facts.set_item("decoder", spec.decoder.as_ref().map(json))?;
    facts.set_item("scanner", if tokenizer.pretokenizer().is_scanner() { "compiled" } else { "regex" })?;
    facts.set_item("unicode", format!("{}.{}", unicode.major, unicode.minor))?;
    Ok(facts)
}

/// A hash of everything that the tokenizer is: XXH3, 128 bits, of its image without compiled tables.
pub fn fingerprint(tokenizer: &pipeline::Tokenizer) -> bukva::Result<String> {
    Ok(format!("{:032x}", formats::image::fingerprint(tokenizer.spec())?))
}

/// A stage as JSON text; stages are plain data, which always has one.
fn json<T: serde::Serialize>(stage: &T) -> String {
    serde_json::to_string(stage).unwrap_or_default()
}

/// The name of the pattern, or its expression; none where there is more to it than one pattern.
fn pattern(spec: &Spec) -> Option<String> {
    match spec.pretokenizer.as_ref()? {
        Pretokenizer::Words => Some("words".to_owned()),
        Pretokenizer::Whitespace => Some("whitespace".to_owned()),
        Pretokenizer::ByteLevel { use_regex: true, .. } => Some("gpt2".to_owned()),
        Pretokenizer::Split { pattern, behavior: Behavior::Isolated, invert: false } => Some(match pattern {
            Pattern::Named(named) => named.name().to_owned(),
            Pattern::Regex(text) | Pattern::Literal(text) => text.clone(),
        }),
        _ => None,
    }
}
