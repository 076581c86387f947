//! The tokenizer class.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bukva::added::SpecialPolicy;
use bukva::model::bpe::canonical_pairs;
use bukva::paths::Paths;
use bukva::pipeline;
use bukva::spec::{Merge, Model, VocabEntry};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use rustc_hash::FxHashMap;

use crate::batch::Batch;
use crate::enter::{SHORT, batch_threads, detached};
use crate::errors::IntoPython;
use crate::sampling::Samplers;
use crate::short::Room;
use crate::special::policy;
use crate::stream::StreamDecoder;
use crate::text::{strings, utf8, utf8_all};
use crate::{decoding, explain, ids, pieces};

/// A compiled tokenizer: immutable, shared freely between threads.
#[pyclass(module = "bukva._core", subclass, frozen)]
pub struct Tokenizer {
    inner: Arc<pipeline::Tokenizer>,
    /// Ids of ordinary tokens, made when first asked for.
    id_of: OnceLock<FxHashMap<Box<[u8]>, u32>>,
    /// Made when first asked for.
    fingerprint: OnceLock<String>,
    samplers: Samplers,
    room: Room,
}

impl Tokenizer {
    /// Wraps a compiled tokenizer.
    pub fn wrap(inner: pipeline::Tokenizer) -> Self {
        Tokenizer::share(Arc::new(inner))
    }

    fn share(inner: Arc<pipeline::Tokenizer>) -> Self {
        Tokenizer {
            inner,
            id_of: OnceLock::new(),
            fingerprint: OnceLock::new(),
            samplers: Samplers::default(),
            room: Room::default(),
        }
    }

    /// The compiled tokenizer.
    pub fn shared(&self) -> Arc<pipeline::Tokenizer> {
        self.inner.clone()
    }

    /// Ids of one text, without the template.
    fn ids_of(&self, text: &Bound<'_, PyString>, policy: &SpecialPolicy) -> PyResult<Vec<u32>> {
        let (py, text) = (text.py(), utf8(text)?);
        let mut out = Vec::new();
        if text.len() < SHORT {
            self.inner.encode(text, policy, &mut out).into_python(py)?;
        } else {
            detached(py, None, |monitor| self.inner.encode_watched(text, policy, monitor, &mut out))?;
        }
        Ok(out)
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
    fn encode<'py>(
        &self,
        text: &Bound<'py, PyString>,
        pair: Option<&Bound<'py, PyString>>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'py, PyAny>>,
        disallowed_special: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let policy = policy(allowed_special, disallowed_special)?;
        let (py, letters) = (text.py(), utf8(text)?);
        if letters.len() < SHORT && pair.is_none() && !add_special_tokens {
            return self.room.list(py, |out| self.inner.encode(letters, &policy, out).into_python(py));
        }
        let first = self.ids_of(text, &policy)?;
        let second = pair.map(|pair| self.ids_of(pair, &policy)).transpose()?;
        let ids = match second {
            _ if add_special_tokens => self.inner.frame().apply(&first, second.as_deref()),
            Some(second) => [first, second].concat(),
            None => first,
        };
        PyList::new(py, ids)
    }

    /// Ids of a text in which neither special nor added tokens are recognised.
    fn encode_ordinary<'py>(&self, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyList>> {
        let (py, text) = (text.py(), utf8(text)?);
        if text.len() < SHORT {
            return self.room.list(py, |out| self.inner.encode_ordinary(text, out).into_python(py));
        }
        let mut out = Vec::new();
        py.detach(|| self.inner.encode_ordinary(text, &mut out)).into_python(py)?;
        PyList::new(py, out)
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

    /// Encodes many texts in parallel, in order.
    ///
    /// Parameters
    /// ----------
    /// texts : iterable of str
    /// threads : int, optional
    ///     The number of processors where left out. The ids do not depend on it.
    /// add_special_tokens, allowed_special, disallowed_special
    ///     As in ``encode``.
    #[pyo3(
        signature = (texts, *, threads=None, add_special_tokens=false, allowed_special=None, disallowed_special=None),
        text_signature = "(self, texts, *, threads=None, add_special_tokens=False, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn encode_batch(
        &self,
        texts: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'_, PyAny>>,
        disallowed_special: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Batch> {
        let py = texts.py();
        let policy = policy(allowed_special, disallowed_special)?;
        let threads = batch_threads("encode_batch", threads)?;
        let owners = strings(texts)?;
        let texts = utf8_all(&owners)?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        let frame = add_special_tokens.then(|| self.inner.frame());
        let batch = if bytes < SHORT {
            self.room.batch(&self.inner, &texts, &policy, frame).into_python(py)?
        } else {
            detached(py, None, |monitor| {
                self.inner.encode_batch(&texts, &policy, add_special_tokens, threads.of(bytes), monitor)
            })?
        };
        Ok(Batch::of(batch, self._pad_id()))
    }

    /// The number of ids of each text, as an int64 array.
    #[pyo3(
        signature = (texts, *, threads=None, add_special_tokens=false, allowed_special=None, disallowed_special=None),
        text_signature = "(self, texts, *, threads=None, add_special_tokens=False, allowed_special=(), disallowed_special=\"all\")"
    )]
    fn count_batch<'py>(
        &self,
        texts: &Bound<'py, PyAny>,
        threads: Option<&Bound<'py, PyAny>>,
        add_special_tokens: bool,
        allowed_special: Option<&Bound<'py, PyAny>>,
        disallowed_special: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let py = texts.py();
        let policy = policy(allowed_special, disallowed_special)?;
        let threads = batch_threads("count_batch", threads)?;
        let owners = strings(texts)?;
        let texts = utf8_all(&owners)?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        let counts = detached(py, None, |monitor| {
            self.inner.count_batch(&texts, &policy, add_special_tokens, threads.of(bytes), monitor)
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
        decoding::text(self.inner.decoder(), ids, errors, skip_special_tokens)
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

    /// Decodes a batch, or any iterable of id sequences, into one text each, in parallel.
    ///
    /// Parameters
    /// ----------
    /// batch : Batch or iterable of id sequences
    /// errors, skip_special_tokens
    ///     As in ``decode``.
    /// threads : int, optional
    ///     The number of processors where left out.
    #[pyo3(signature = (batch, errors="strict", skip_special_tokens=false, *, threads=None))]
    fn decode_batch<'py>(
        &self,
        batch: &Bound<'py, PyAny>,
        errors: &str,
        skip_special_tokens: bool,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let threads = batch_threads("decode_batch", threads)?;
        decoding::texts(self.inner.decoder(), batch, errors, skip_special_tokens, threads)
    }

    /// A decoder that takes ids one at a time.
    #[pyo3(signature = (errors="strict", skip_special_tokens=false))]
    fn stream(&self, py: Python<'_>, errors: &str, skip_special_tokens: bool) -> PyResult<StreamDecoder> {
        Ok(StreamDecoder::start(self.inner.clone(), decoding::invalid(py, errors)?, skip_special_tokens))
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
        let of = |entry: VocabEntry<'_>| (!self.is_special(entry.id)).then(|| (entry.bytes.into(), entry.id));
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

    /// One more than the greatest id.
    fn _id_range(&self) -> u64 {
        self.inner.decoder().table().range()
    }

    /// Whether threads remember what they met.
    fn _has_cache(&self) -> bool {
        self.inner.paths().cache
    }

    fn _without_cache(&self, py: Python<'_>) -> PyResult<Self> {
        self.inner.without_cache().map(Tokenizer::wrap).into_python(py)
    }

    /// The same tokenizer by other ways to the same ids, for tests.
    #[pyo3(signature = (*, scanner="automatic", cache=true, whole=true, merging="automatic"))]
    fn _with_paths(&self, py: Python<'_>, scanner: &str, cache: bool, whole: bool, merging: &str) -> PyResult<Self> {
        let paths = Paths::named(scanner, cache, whole, merging).into_python(py)?;
        py.detach(|| self.inner.with_paths(paths)).map(Tokenizer::wrap).into_python(py)
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
        py.detach(|| crate::files::save(&self.inner, path, allow_loss)).into_python(py)
    }
}
