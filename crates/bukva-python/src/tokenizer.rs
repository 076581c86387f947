//! The tokenizer class.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bukva::decode::Invalid;
use bukva::model::bpe::canonical_pairs;
use bukva::pipeline;
use bukva::spec::{Merge, Model};
use bukva::{Error, Kind};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rustc_hash::FxHashMap;

use crate::enter::{SHORT, detached, threads};
use crate::errors::{IntoPython, to_python};
use crate::sampling::Samplers;
use crate::special::policy;
use crate::stream::StreamDecoder;
use crate::text::{strings, utf8, utf8_all};
use crate::{explain, ids, pieces};

/// Ids of a batch and the offsets of its texts.
type BatchArrays<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>);

/// A compiled tokenizer: immutable, shared freely between threads.
#[pyclass(module = "bukva._core", subclass, frozen)]
pub struct Tokenizer {
    inner: Arc<pipeline::Tokenizer>,
    /// Ids of ordinary tokens, made when first asked for.
    id_of: OnceLock<FxHashMap<Box<[u8]>, u32>>,
    /// Made when first asked for.
    fingerprint: OnceLock<String>,
    samplers: Samplers,
}

impl Tokenizer {
    /// Wraps a compiled tokenizer.
    pub fn wrap(inner: pipeline::Tokenizer) -> Self {
        Tokenizer::share(Arc::new(inner))
    }

    fn share(inner: Arc<pipeline::Tokenizer>) -> Self {
        Tokenizer { inner, id_of: OnceLock::new(), fingerprint: OnceLock::new(), samplers: Samplers::default() }
    }

    /// The compiled tokenizer.
    pub fn shared(&self) -> Arc<pipeline::Tokenizer> {
        self.inner.clone()
    }

    fn is_special(&self, id: u32) -> bool {
        self.inner.decoder().is_special(id)
    }
}

#[pymethods]
impl Tokenizer {
    #[new]
    #[pyo3(signature = (source, /))]
    fn new(source: &Bound<'_, Tokenizer>) -> Self {
        Tokenizer::share(source.get().inner.clone())
    }

    /// Ids of a text drawn at random from its segmentations; the same seed gives the same ids.
    ///
    /// For Unigram `alpha` is the exponent of the probabilities, over all segmentations or the `n_best` best. For BPE it
    /// is the probability with which a merge is left out. No added token is recognised in the text.
    #[pyo3(
        signature = (text, *, alpha, seed, n_best=-1),
        text_signature = "(self, text, *, alpha, seed, n_best=-1)"
    )]
    fn sample(&self, text: &Bound<'_, PyString>, alpha: f64, seed: u64, n_best: i64) -> PyResult<Vec<u32>> {
        let (py, text) = (text.py(), utf8(text)?);
        py.detach(|| self.samplers.sample(&self.inner, text, alpha, seed, n_best)).into_python(py)
    }

    /// The `n` segmentations of a text with the highest sums of scores, each as (ids, score). For Unigram models.
    #[pyo3(signature = (text, n))]
    fn nbest(&self, text: &Bound<'_, PyString>, n: usize) -> PyResult<Vec<(Vec<u32>, f64)>> {
        let (py, text) = (text.py(), utf8(text)?);
        py.detach(|| self.samplers.nbest(&self.inner, text, n)).into_python(py)
    }

    /// Ids of a text, or of a pair of texts.
    ///
    /// The text of a special token raises SpecialTokenError, unless `allowed_special` names it ("all" or names);
    /// `disallowed_special=()` makes it plain text. `add_special_tokens` applies the template of the file.
    #[pyo3(
        signature = (text, pair=None, *, add_special_tokens=false, allowed_special=None, disallowed_special=None),
        text_signature = "(self, text, pair=None, *, add_special_tokens=False, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn encode(
        &self,
        text: &Bound<'_, PyString>,
        pair: Option<&Bound<'_, PyString>>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'_, PyAny>>,
        disallowed_special: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<u32>> {
        let py = text.py();
        let policy = policy(allowed_special, disallowed_special)?;
        let encode = |text: &Bound<'_, PyString>| -> PyResult<Vec<u32>> {
            let text = utf8(text)?;
            let mut out = Vec::new();
            if text.len() < SHORT {
                self.inner.encode(text, &policy, &mut out).into_python(py)?;
            } else {
                detached(py, None, |monitor| self.inner.encode_watched(text, &policy, monitor, &mut out))?;
            }
            Ok(out)
        };
        let first = encode(text)?;
        let second = pair.map(encode).transpose()?;
        Ok(match second {
            _ if add_special_tokens => self.inner.frame().apply(&first, second.as_deref()),
            Some(second) => [first, second].concat(),
            None => first,
        })
    }

    /// Ids of a text in which neither special nor added tokens are recognised.
    fn encode_ordinary(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
        let (py, text) = (text.py(), utf8(text)?);
        let mut out = Vec::new();
        let mut work = || self.inner.encode_ordinary(text, &mut out);
        let done = if text.len() < SHORT { work() } else { py.detach(work) };
        done.into_python(py).map(|()| out)
    }

    /// The number of ids of a text: `len(encode(text))` without making the ids.
    #[pyo3(
        signature = (text, *, add_special_tokens=false, allowed_special=None, disallowed_special=None),
        text_signature = "(self, text, *, add_special_tokens=False, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn count(
        &self,
        text: &Bound<'_, PyString>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'_, PyAny>>,
        disallowed_special: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let policy = policy(allowed_special, disallowed_special)?;
        let (py, text) = (text.py(), utf8(text)?);
        let work = || self.inner.count(text, &policy);
        let count = if text.len() < SHORT { work() } else { py.detach(work) }.into_python(py)?;
        Ok(count + if add_special_tokens { self.inner.frame().added_to_single() } else { 0 })
    }

    /// Ids of one text with the control tokens of the template around them.
    fn _framed(&self, ids: Vec<u32>) -> Vec<u32> {
        self.inner.frame().apply(&ids, None)
    }

    #[pyo3(
        signature = (texts, *, threads=None, add_special_tokens=false, allowed_special=None, disallowed_special=None),
        text_signature = "(self, texts, *, threads=None, add_special_tokens=False, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn _encode_batch<'py>(
        &self,
        texts: &Bound<'py, PyAny>,
        threads: Option<usize>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'py, PyAny>>,
        disallowed_special: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<BatchArrays<'py>> {
        let py = texts.py();
        let policy = policy(allowed_special, disallowed_special)?;
        let threads = self::threads(py, threads)?;
        let owners = strings(texts)?;
        let texts = utf8_all(&owners)?;
        let batch = detached(py, None, |monitor| {
            self.inner.encode_batch(&texts, &policy, add_special_tokens, threads, monitor)
        })?;
        Ok((batch.ids.into_pyarray(py), batch.offsets.into_pyarray(py)))
    }

    /// The number of ids of each text, as an int64 array.
    #[pyo3(
        signature = (texts, *, threads=None, add_special_tokens=false, allowed_special=None, disallowed_special=None),
        text_signature = "(self, texts, *, threads=None, add_special_tokens=False, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn count_batch<'py>(
        &self,
        texts: &Bound<'py, PyAny>,
        threads: Option<usize>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'py, PyAny>>,
        disallowed_special: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let py = texts.py();
        let policy = policy(allowed_special, disallowed_special)?;
        let threads = self::threads(py, threads)?;
        let owners = strings(texts)?;
        let texts = utf8_all(&owners)?;
        let counts = detached(py, None, |monitor| {
            self.inner.count_batch(&texts, &policy, add_special_tokens, threads, monitor)
        })?;
        Ok(counts.into_pyarray(py))
    }

    /// The text that ids spell; `errors` is "strict" or "replace".
    #[pyo3(signature = (ids, errors="strict", skip_special_tokens=false))]
    fn decode<'py>(
        &self,
        ids: &Bound<'py, PyAny>,
        errors: &str,
        skip_special_tokens: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let py = ids.py();
        let (invalid, ids) = (invalid(py, errors)?, ids::from_python(ids)?);
        let work = || self.inner.decoder().unchecked_text(&ids, invalid, skip_special_tokens);
        let bytes = if ids.len() < SHORT { work() } else { py.detach(work) }.into_python(py)?;
        // Python checks the bytes in any case, so only those that it refuses are looked at here.
        match PyString::from_bytes(py, &bytes) {
            Ok(text) => Ok(text),
            Err(_) => Ok(PyString::new(py, &bukva::decode::text_of(bytes, invalid).into_python(py)?)),
        }
    }

    /// The bytes that ids spell.
    #[pyo3(signature = (ids, skip_special_tokens=false))]
    fn decode_bytes<'py>(&self, ids: &Bound<'py, PyAny>, skip_special_tokens: bool) -> PyResult<Bound<'py, PyBytes>> {
        let py = ids.py();
        let ids = ids::from_python(ids)?;
        let work = || self.inner.decoder().bytes(&ids, skip_special_tokens);
        let bytes = if ids.len() < SHORT { work() } else { py.detach(work) }.into_python(py)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[pyo3(signature = (sequences, errors, skip_special_tokens, threads))]
    fn _decode_batch(
        &self,
        sequences: &Bound<'_, PyAny>,
        errors: &str,
        skip_special_tokens: bool,
        threads: Option<usize>,
    ) -> PyResult<Vec<String>> {
        let py = sequences.py();
        let (invalid, threads) = (invalid(py, errors)?, self::threads(py, threads)?);
        let sequences = sequences.try_iter()?.map(|ids| ids::from_python(&ids?)).collect::<PyResult<Vec<_>>>()?;
        let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
        let decoder = self.inner.decoder();
        detached(py, None, |monitor| decoder.texts_of(&sequences, invalid, skip_special_tokens, threads, monitor))
    }

    /// A decoder that takes ids one at a time.
    #[pyo3(signature = (errors="strict", skip_special_tokens=false))]
    fn stream(&self, py: Python<'_>, errors: &str, skip_special_tokens: bool) -> PyResult<StreamDecoder> {
        Ok(StreamDecoder::start(self.inner.clone(), invalid(py, errors)?, skip_special_tokens))
    }

    #[pyo3(
        signature = (text, *, allowed_special=None, disallowed_special=None),
        text_signature = "(self, text, *, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn _explain<'py>(
        &self,
        text: &Bound<'py, PyString>,
        allowed_special: Option<&Bound<'py, PyAny>>,
        disallowed_special: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = text.py();
        let policy = policy(allowed_special, disallowed_special)?;
        explain::facts(py, &self.inner.explain(utf8(text)?, &policy).into_python(py)?)
    }

    /// What comes to the model, with the places of the `tokenizers` library.
    #[pyo3(signature = (text, with_special=true))]
    fn _pretokenize_hf(&self, text: &Bound<'_, PyString>, with_special: bool) -> PyResult<Vec<pieces::Piece>> {
        let (py, text) = (text.py(), utf8(text)?);
        let found = self.inner.pretokenize_hf(text, with_special).into_python(py)?;
        Ok(pieces::in_characters(&found, text))
    }

    fn _merge_histogram<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<(u64, Bound<'py, PyArray1<u64>>)> {
        let py = texts.py();
        let owners = strings(texts)?;
        let texts = utf8_all(&owners)?;
        let histogram = detached(py, None, |monitor| self.inner.merge_histogram(&texts, monitor))?;
        Ok((histogram.symbols, histogram.applied.into_pyarray(py)))
    }

    fn _token_bytes<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.inner.decoder().token(ids::one(id, 0)?).into_python(py)?))
    }

    fn _token_id(&self, token: &[u8]) -> Option<u32> {
        let vocab = self.inner.spec().model.vocab();
        let of =
            |entry: bukva::spec::VocabEntry<'_>| (!self.is_special(entry.id)).then(|| (entry.bytes.into(), entry.id));
        // Where two ids spell the same bytes, the first one added is kept.
        let build = || vocab.iter().collect::<Vec<_>>().into_iter().rev().filter_map(of).collect();
        self.id_of.get_or_init(build).get(token).copied()
    }

    fn _vocab<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, u32)> {
        let mut entries: Vec<_> = self.inner.spec().model.vocab().iter().filter(|e| !self.is_special(e.id)).collect();
        entries.sort_by_key(|entry| entry.id);
        entries.iter().map(|entry| (PyBytes::new(py, entry.bytes), entry.id)).collect()
    }

    fn _merges(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32, u32)>> {
        let Model::Bpe(bpe) = &self.inner.spec().model else { return Ok(Vec::new()) };
        // An image may have been made by somebody else.
        self.inner.spec().validate().into_python(py)?;
        let triple = |merge: &Merge| (merge.left, merge.right, merge.product);
        let shared = bpe.merges.windows(2).any(|pair| pair[0].rank == pair[1].rank);
        if shared {
            return Ok(canonical_pairs(bpe).into_python(py)?.iter().map(triple).collect());
        }
        Ok(bpe.merges.iter().map(triple).collect())
    }

    fn _added_tokens(&self) -> Vec<(String, u32, bool)> {
        let tokens = self.inner.spec().added_tokens.iter();
        tokens.map(|token| (token.content.clone(), token.id, token.special)).collect()
    }

    fn _losses(&self) -> Vec<String> {
        self.inner.losses()
    }

    fn _summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        crate::files::summary(py, &self.inner)
    }

    fn _fingerprint(&self, py: Python<'_>) -> PyResult<&str> {
        if let Some(known) = self.fingerprint.get() {
            return Ok(known);
        }
        let made = py.detach(|| crate::files::fingerprint(&self.inner)).into_python(py)?;
        Ok(self.fingerprint.get_or_init(|| made))
    }

    fn _pad_id(&self) -> Option<u32> {
        self.inner.spec().padding.as_ref().map(|padding| padding.pad_id)
    }

    /// Files that lay beside the tokenizer's own, by name: text as it is, anything else as JSON.
    fn _files(&self) -> BTreeMap<String, String> {
        crate::files::side_files(self.inner.spec())
    }

    fn _to_image<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &crate::files::image(&self.inner).into_python(py)?))
    }

    fn _save(&self, py: Python<'_>, path: &str, allow_loss: bool) -> PyResult<Vec<(String, String)>> {
        py.detach(|| bukva::formats::save(self.inner.spec(), path.as_ref(), allow_loss))
            .map(|losses| losses.into_iter().map(|loss| (loss.what.to_owned(), loss.detail)).collect())
            .into_python(py)
    }
}

fn invalid(py: Python<'_>, errors: &str) -> PyResult<Invalid> {
    match errors {
        "strict" => Ok(Invalid::Strict),
        "replace" => Ok(Invalid::Replace),
        other => {
            let message = format!("the 'errors' parameter must be \"strict\" or \"replace\"; got {other:?} instead");
            Err(to_python(py, Error::new(Kind::Argument, message)))
        }
    }
}
