//! The record `Encoding` of `bukva.compat.hf`. Its lists are made when they are asked for.

use std::sync::Arc;

use bukva::encoding::{FullEncoding, Label};
use bukva::pipeline;
use bukva::spec::Padding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::IntoPython;
use crate::hf::side_of;

type Pair = (usize, usize);

/// Everything in an encoding, for pickling.
type State = (
    Vec<u32>,
    Vec<u32>,
    Vec<String>,
    Vec<Option<u32>>,
    Vec<Pair>,
    Vec<u32>,
    Vec<u32>,
    Vec<Py<Encoding>>,
    Vec<(usize, Pair)>,
);

/// What is known of each token of a text or a pair.
///
/// Offsets are characters of the text as given: the first, and the one behind the last.
#[pyclass(module = "bukva.compat.hf")]
pub struct Encoding {
    inner: FullEncoding,
    tokenizer: Option<Arc<pipeline::Tokenizer>>,
}

impl Encoding {
    /// Wraps an encoding; the tokenizer has the texts of its tokens.
    pub fn of(inner: FullEncoding, tokenizer: Option<Arc<pipeline::Tokenizer>>) -> Self {
        Encoding { inner, tokenizer }
    }

    /// The encoding with the texts of its tokens in it.
    pub fn bare(&self, py: Python<'_>) -> PyResult<FullEncoding> {
        let mut bare = self.inner.clone();
        if let Some(tokenizer) = &self.tokenizer {
            name_tokens(&mut bare, tokenizer).into_python(py)?;
        }
        Ok(bare)
    }
}

fn name_tokens(encoding: &mut FullEncoding, tokenizer: &pipeline::Tokenizer) -> bukva::Result<()> {
    let texts = encoding.tokens(tokenizer.decoder(), tokenizer.spec())?;
    let labels = texts.into_iter().map(|text| Label::Text(text.into())).collect();
    encoding.labels = labels;
    encoding.overflowing.iter_mut().try_for_each(|window| name_tokens(window, tokenizer))
}

fn check_side(side: &str) -> PyResult<()> {
    if side == "left" || side == "right" {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("Unknown `direction`: `{side}`. Use one of `left` or `right`")))
}

#[pymethods]
impl Encoding {
    #[new]
    fn new() -> Self {
        Encoding::of(FullEncoding::default(), None)
    }

    /// One encoding of several, one after the other; with `growing_offsets` each counts its characters from the end
    /// of the one before.
    #[staticmethod]
    #[pyo3(signature = (encodings, growing_offsets=true))]
    fn merge(py: Python<'_>, encodings: Vec<PyRef<'_, Encoding>>, growing_offsets: bool) -> PyResult<Self> {
        let bare = encodings.iter().map(|encoding| encoding.bare(py)).collect::<PyResult<Vec<_>>>()?;
        Ok(Encoding::of(FullEncoding::merge(bare, growing_offsets), None))
    }

    /// Ids.
    #[getter]
    fn ids(&self) -> &[u32] {
        &self.inner.ids
    }

    /// Segment numbers.
    #[getter]
    fn type_ids(&self) -> &[u32] {
        &self.inner.type_ids
    }

    /// Texts of the tokens.
    #[getter]
    fn tokens(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let own = |label: &Label| match label {
            Label::Text(text) => text.to_string(),
            Label::OfId => String::new(),
        };
        match &self.tokenizer {
            Some(tokenizer) => {
                let texts = self.inner.tokens(tokenizer.decoder(), tokenizer.spec()).into_python(py)?;
                Ok(texts.into_iter().map(str::to_owned).collect())
            }
            None => Ok(self.inner.labels.iter().map(own).collect()),
        }
    }

    /// Numbers of the words; None for control tokens and padding.
    #[getter]
    fn word_ids(&self) -> &[Option<u32>] {
        &self.inner.words
    }

    /// The same under its older name.
    #[getter]
    fn words(&self) -> &[Option<u32>] {
        &self.inner.words
    }

    /// Numbers of the texts; None for control tokens and padding.
    #[getter]
    fn sequence_ids(&self) -> Vec<Option<usize>> {
        self.inner.sequence_ids()
    }

    /// First character of each token, and the one behind its last.
    #[getter]
    fn offsets(&self) -> Vec<Pair> {
        self.inner.offsets.clone()
    }

    /// 1 for control tokens and padding.
    #[getter]
    fn special_tokens_mask(&self) -> &[u32] {
        &self.inner.special_tokens_mask
    }

    /// 0 for padding.
    #[getter]
    fn attention_mask(&self) -> &[u32] {
        &self.inner.attention_mask
    }

    /// The other windows of a text that was cut.
    #[getter]
    fn overflowing(&self) -> Vec<Encoding> {
        let window = |window: &FullEncoding| Encoding::of(window.clone(), self.tokenizer.clone());
        self.inner.overflowing.iter().map(window).collect()
    }

    /// Texts: 1, or 2 for a pair.
    #[getter]
    fn n_sequences(&self) -> usize {
        self.inner.n_sequences()
    }

    /// All tokens become those of the text of this number.
    fn set_sequence_id(&mut self, sequence_id: usize) {
        self.inner.set_sequence(sequence_id);
    }

    /// The character's token.
    #[pyo3(signature = (char_pos, sequence_index=0))]
    fn char_to_token(&self, char_pos: usize, sequence_index: usize) -> Option<usize> {
        self.inner.char_to_token(char_pos, sequence_index)
    }

    /// The character's word.
    #[pyo3(signature = (char_pos, sequence_index=0))]
    fn char_to_word(&self, char_pos: usize, sequence_index: usize) -> Option<u32> {
        self.inner.char_to_word(char_pos, sequence_index)
    }

    /// The token's characters.
    fn token_to_chars(&self, token_index: usize) -> Option<Pair> {
        self.inner.token_to_chars(token_index).map(|(_, chars)| chars)
    }

    /// The number of the token's text.
    fn token_to_sequence(&self, token_index: usize) -> Option<usize> {
        self.inner.token_to_sequence(token_index)
    }

    /// The token's word.
    fn token_to_word(&self, token_index: usize) -> Option<u32> {
        self.inner.token_to_word(token_index).map(|(_, word)| word)
    }

    /// The word's characters.
    #[pyo3(signature = (word_index, sequence_index=0))]
    fn word_to_chars(&self, word_index: u32, sequence_index: usize) -> Option<Pair> {
        self.inner.word_to_chars(word_index, sequence_index)
    }

    /// The word's tokens.
    #[pyo3(signature = (word_index, sequence_index=0))]
    fn word_to_tokens(&self, word_index: u32, sequence_index: usize) -> Option<Pair> {
        self.inner.word_to_tokens(word_index, sequence_index)
    }

    /// Fills up to `length` tokens.
    #[pyo3(signature = (length, direction="right", pad_id=0, pad_type_id=0, pad_token="[PAD]"))]
    fn pad(&mut self, length: usize, direction: &str, pad_id: u32, pad_type_id: u32, pad_token: &str) -> PyResult<()> {
        check_side(direction)?;
        let (side, pad_token) = (side_of(direction), pad_token.to_owned());
        let padding = Padding { length: None, side, multiple_of: None, pad_id, pad_type_id, pad_token };
        self.inner.pad(length, &padding);
        Ok(())
    }

    /// Cuts to `max_length` tokens; the other windows overflow.
    #[pyo3(signature = (max_length, stride=0, direction="right"))]
    fn truncate(&mut self, py: Python<'_>, max_length: usize, stride: usize, direction: &str) -> PyResult<()> {
        check_side(direction)?;
        self.inner.truncate(max_length, stride, side_of(direction)).into_python(py)
    }

    #[staticmethod]
    fn _of(state: State) -> Self {
        let (ids, type_ids, tokens, words, offsets, special_tokens_mask, attention_mask, overflowing, sequences) =
            state;
        let window = |window: &Py<Encoding>| Python::attach(|py| window.borrow(py).inner.clone());
        let inner = FullEncoding {
            ids,
            type_ids,
            labels: tokens.into_iter().map(|text| Label::Text(text.into())).collect(),
            words,
            offsets,
            special_tokens_mask,
            attention_mask,
            overflowing: overflowing.iter().map(window).collect(),
            sequences: sequences.into_iter().map(|(number, (from, to))| (number, from..to)).collect(),
        };
        Encoding::of(inner, None)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (State,))> {
        let (py, this) = (slf.py(), slf.borrow());
        let inner = &this.inner;
        let window = |window: Encoding| Py::new(py, window);
        let state = (
            inner.ids.clone(),
            inner.type_ids.clone(),
            this.tokens(py)?,
            inner.words.clone(),
            inner.offsets.clone(),
            inner.special_tokens_mask.clone(),
            inner.attention_mask.clone(),
            this.overflowing().into_iter().map(window).collect::<PyResult<Vec<_>>>()?,
            inner.sequences.iter().map(|(&number, range)| (number, (range.start, range.end))).collect(),
        );
        Ok((slf.get_type().getattr("_of")?, (state,)))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        let names = "ids, type_ids, tokens, offsets, attention_mask, special_tokens_mask, overflowing";
        format!("Encoding(num_tokens={}, attributes=[{names}])", self.inner.len())
    }
}
