//! The engine of `bukva.compat.hf`: encoding as `tokenizers` does it.

use std::sync::Arc;

use bukva::align::AlignedText;
use bukva::decode::Invalid;
use bukva::encoding::{Input, Inputs, Options, added_tokens};
use bukva::formats::hf::{read_tokenizer_json, write_tokenizer_json};
use bukva::pipeline;
use bukva::spec::{AddedToken, Padding, Side, Truncation, TruncationStrategy};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::enter::{SHORT, Threads, detached, threads};
use crate::errors::IntoPython;
use crate::hf_encoding::Encoding;
use crate::ids;
use crate::text::{utf8, utf8_all};
use crate::tokenizer::Tokenizer;

/// Length, stride, strategy, side.
type TruncationArguments = (usize, usize, String, String);

/// Length, side, multiple, id, type id, token.
type PaddingArguments = (Option<usize>, String, Option<usize>, u32, u32, String);

/// Id, text, single_word, lstrip, rstrip, normalized, special.
type AddedArguments = (u32, String, bool, bool, bool, bool, bool);

/// A tokenizer with the options that `tokenizers` keeps in it. Immutable.
#[pyclass(module = "bukva._core", frozen)]
pub struct HfEncoder {
    tokenizer: Arc<pipeline::Tokenizer>,
    options: Options,
}

#[pymethods]
impl HfEncoder {
    #[new]
    fn new(
        tokenizer: &Bound<'_, Tokenizer>,
        truncation: Option<TruncationArguments>,
        padding: Option<PaddingArguments>,
        encode_special_tokens: bool,
    ) -> Self {
        let options = Options {
            add_special_tokens: true,
            encode_special_tokens,
            ids_only: false,
            truncation: truncation.map(truncation_of),
            padding: padding.map(padding_of),
        };
        HfEncoder { tokenizer: tokenizer.get().shared(), options }
    }

    /// One text or pair.
    fn encode(
        &self,
        sequence: &Bound<'_, PyAny>,
        pair: Option<&Bound<'_, PyAny>>,
        is_pretokenized: bool,
        add_special_tokens: bool,
    ) -> PyResult<Encoding> {
        let py = sequence.py();
        let sequence = Owned::of(sequence, is_pretokenized)?;
        let pair = pair.map(|pair| Owned::of(pair, is_pretokenized)).transpose()?;
        let (text, pair) = (sequence.input()?, pair.as_ref().map(Owned::input).transpose()?);
        let options = Options { add_special_tokens, ..self.options.clone() };
        let work = || self.tokenizer.encode_full(&text, pair.as_ref(), &options);
        let encoded = if sequence.len() < SHORT { work() } else { py.detach(work) }.into_python(py)?;
        Ok(Encoding::of(encoded, Some(self.tokenizer.clone())))
    }

    /// Many texts or pairs.
    fn encode_batch(
        &self,
        input: &Bound<'_, PyAny>,
        is_pretokenized: bool,
        add_special_tokens: bool,
        ids_only: bool,
    ) -> PyResult<Vec<Encoding>> {
        let py = input.py();
        if input.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("Can't extract `str` to `Vec`"));
        }
        let owners = input.try_iter()?.map(|item| owned_pair(&item?, is_pretokenized)).collect::<PyResult<Vec<_>>>()?;
        let mut inputs: Vec<Inputs<'_>> = Vec::with_capacity(owners.len());
        for (text, second) in &owners {
            inputs.push((text.input()?, second.as_ref().map(Owned::input).transpose()?));
        }
        let options = Options { add_special_tokens, ids_only, ..self.options.clone() };
        let threads = threads(py, None)?;
        let encoded =
            detached(py, None, |monitor| self.tokenizer.encode_full_batch(&inputs, &options, threads, monitor))?;
        Ok(encoded.into_iter().map(|encoding| Encoding::of(encoding, Some(self.tokenizer.clone()))).collect())
    }

    /// Cuts, frames and fills encodings that are there already.
    fn post_process(
        &self,
        encoding: &Bound<'_, Encoding>,
        pair: Option<&Bound<'_, Encoding>>,
        add_special_tokens: bool,
    ) -> PyResult<Encoding> {
        let py = encoding.py();
        let first = encoding.borrow().bare(py)?;
        let second = pair.map(|pair| pair.borrow().bare(py)).transpose()?;
        let options = Options { add_special_tokens, ..self.options.clone() };
        let whole = self.tokenizer.finish_encoding(first, second, &options).into_python(py)?;
        Ok(Encoding::of(whole, Some(self.tokenizer.clone())))
    }

    /// The text of ids; those that no token has are left out.
    fn decode(&self, ids: &Bound<'_, PyAny>, skip_special_tokens: bool) -> PyResult<String> {
        let (py, ids) = (ids.py(), ids::from_python(ids)?);
        let decoder = self.tokenizer.decoder();
        let work = || decoder.text(&decoder.known(&ids), Invalid::Replace, skip_special_tokens);
        if ids.len() < SHORT { work() } else { py.detach(work) }.into_python(py)
    }

    /// The texts of many sequences of ids.
    fn decode_batch(&self, sequences: &Bound<'_, PyAny>, skip_special_tokens: bool) -> PyResult<Vec<String>> {
        let py = sequences.py();
        let decoder = self.tokenizer.decoder();
        let known = |ids: PyResult<Bound<'_, PyAny>>| Ok(decoder.known(&ids::from_python(&ids?)?));
        let sequences = sequences.try_iter()?.map(known).collect::<PyResult<Vec<Vec<u32>>>>()?;
        let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
        let threads = Threads::default().of(4 * sequences.iter().map(|ids| ids.len()).sum::<usize>());
        detached(py, None, |monitor| {
            decoder.texts_of(&sequences, Invalid::Replace, skip_special_tokens, threads, monitor)
        })
    }

    /// Control tokens that the template adds.
    fn added_by_template(&self, is_pair: bool) -> usize {
        added_tokens(self.tokenizer.spec().postprocessor.as_ref(), is_pair)
    }

    /// The text of an id.
    fn id_to_token(&self, py: Python<'_>, id: u32) -> PyResult<Option<&str>> {
        Ok(self.tokenizer.decoder().texts(self.tokenizer.spec()).into_python(py)?.text(id))
    }

    /// Texts and ids of the model, with those of the added tokens over them if asked.
    fn vocab<'py>(&self, py: Python<'py>, with_added_tokens: bool) -> PyResult<Bound<'py, PyDict>> {
        let (spec, vocab) = (self.tokenizer.spec(), PyDict::new(py));
        let texts = self.tokenizer.decoder().texts(spec).into_python(py)?;
        for entry in spec.model.vocab().iter() {
            vocab.set_item(texts.text(entry.id), entry.id)?;
        }
        if with_added_tokens {
            spec.added_tokens.iter().try_for_each(|token| vocab.set_item(&token.content, token.id))?;
        }
        Ok(vocab)
    }

    /// Added tokens in the order of the specification.
    fn added(&self) -> Vec<AddedArguments> {
        let added = |token: &AddedToken| {
            let AddedToken { id, content, special, normalized, lstrip, rstrip, single_word } = token.clone();
            (id, content, single_word, lstrip, rstrip, normalized, special)
        };
        self.tokenizer.spec().added_tokens.iter().map(added).collect()
    }

    /// The same tokenizer with these added tokens.
    fn with_added(&self, py: Python<'_>, tokens: Vec<AddedArguments>) -> PyResult<Tokenizer> {
        let mut spec = self.tokenizer.spec().clone();
        let token = |(id, content, single_word, lstrip, rstrip, normalized, special): AddedArguments| AddedToken {
            id,
            content,
            special,
            normalized,
            lstrip,
            rstrip,
            single_word,
        };
        spec.added_tokens = tokens.into_iter().map(token).collect();
        py.detach(|| pipeline::Tokenizer::new(spec)).map(Tokenizer::wrap).into_python(py)
    }

    /// The normalized text.
    fn normalize(&self, text: &Bound<'_, PyString>) -> PyResult<String> {
        let (py, text) = (text.py(), utf8(text)?);
        self.tokenizer.normalized(text).into_python(py)
    }

    /// Pre-tokens and their characters.
    fn pre_tokenize(&self, text: &Bound<'_, PyString>) -> PyResult<Vec<(String, (usize, usize))>> {
        let (py, text) = (text.py(), utf8(text)?);
        let whole = AlignedText::new(text).into_python(py)?;
        let pieces = self.tokenizer.pretokenizer().split_hf(whole).into_python(py)?;
        let byte_level = self.tokenizer.is_byte_level();
        let char_of = |byte: usize| text[..byte].chars().count();
        let place = |piece: AlignedText<'_>| {
            let origin = piece.origin();
            let text = if byte_level { bukva::decode::mapped_text(piece.text()) } else { piece.text().to_owned() };
            (text, (char_of(origin.start), char_of(origin.end)))
        };
        Ok(pieces.into_iter().map(place).collect())
    }

    /// The file, with these options in it.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let mut spec = self.tokenizer.spec().clone();
        spec.truncation.clone_from(&self.options.truncation);
        spec.padding.clone_from(&self.options.padding);
        let written = py.detach(|| write_tokenizer_json(&spec)).into_python(py)?;
        let bytes = written.files.into_iter().next().map(|file| file.bytes).unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Truncation of the file.
    fn truncation(&self) -> Option<TruncationArguments> {
        self.tokenizer.spec().truncation.as_ref().map(|cut| {
            let strategy = match cut.strategy {
                TruncationStrategy::LongestFirst => "longest_first",
                TruncationStrategy::OnlyFirst => "only_first",
                TruncationStrategy::OnlySecond => "only_second",
            };
            (cut.max_length, cut.stride, strategy.to_owned(), side_name(cut.side).to_owned())
        })
    }

    /// Padding of the file.
    fn padding(&self) -> Option<PaddingArguments> {
        self.tokenizer.spec().padding.as_ref().map(|fill| {
            let side = side_name(fill.side).to_owned();
            (fill.length, side, fill.multiple_of, fill.pad_id, fill.pad_type_id, fill.pad_token.clone())
        })
    }
}

/// The tokenizer of a `tokenizer.json` in memory.
#[pyfunction]
pub fn read_hf_json(py: Python<'_>, data: &[u8]) -> PyResult<Tokenizer> {
    let compile = || read_tokenizer_json(data).and_then(pipeline::Tokenizer::new);
    py.detach(compile).map(Tokenizer::wrap).into_python(py)
}

/// A text or words, kept alive.
enum Owned<'py> {
    Text(Bound<'py, PyString>),
    Words(Vec<Bound<'py, PyString>>),
}

impl<'py> Owned<'py> {
    fn of(value: &Bound<'py, PyAny>, is_pretokenized: bool) -> PyResult<Self> {
        if !is_pretokenized {
            let text = value.cast::<PyString>();
            return text
                .map(|text| Owned::Text(text.clone()))
                .map_err(|_| PyTypeError::new_err("TextInputSequence must be str"));
        }
        let wrong = || PyTypeError::new_err("PreTokenizedInputSequence must be Union[List[str], Tuple[str]]");
        if !(value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()) {
            return Err(wrong());
        }
        let word = |word: PyResult<Bound<'py, PyAny>>| word?.cast_into::<PyString>().map_err(|_| wrong());
        Ok(Owned::Words(value.try_iter()?.map(word).collect::<PyResult<_>>()?))
    }

    fn input(&self) -> PyResult<Input<'_>> {
        match self {
            Owned::Text(text) => utf8(text).map(Input::Text),
            Owned::Words(words) => utf8_all(words).map(Input::Words),
        }
    }

    /// Bytes of a text; words count as long.
    fn len(&self) -> usize {
        match self {
            Owned::Text(text) => text.len().unwrap_or(SHORT),
            Owned::Words(words) => words.len() * 16,
        }
    }
}

/// A text or words, or a tuple or list of two.
fn owned_pair<'py>(value: &Bound<'py, PyAny>, words: bool) -> PyResult<(Owned<'py>, Option<Owned<'py>>)> {
    if let Ok(single) = Owned::of(value, words) {
        return Ok((single, None));
    }
    let kind = if words { "PreTokenized" } else { "Text" };
    let message = format!("{kind}EncodeInput must be Union[{kind}InputSequence, Tuple[InputSequence, InputSequence]]");
    let wrong = || PyTypeError::new_err(message.clone());
    if !(value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()) || value.len()? != 2 {
        return Err(wrong());
    }
    let part = |index: usize| Owned::of(&value.get_item(index)?, words).map_err(|_| wrong());
    Ok((part(0)?, Some(part(1)?)))
}

fn truncation_of((max_length, stride, strategy, side): TruncationArguments) -> Truncation {
    let strategy = match strategy.as_str() {
        "only_first" => TruncationStrategy::OnlyFirst,
        "only_second" => TruncationStrategy::OnlySecond,
        _ => TruncationStrategy::LongestFirst,
    };
    Truncation { max_length, stride, strategy, side: side_of(&side) }
}

fn padding_of((length, side, multiple_of, pad_id, pad_type_id, pad_token): PaddingArguments) -> Padding {
    Padding { length, side: side_of(&side), multiple_of, pad_id, pad_type_id, pad_token }
}

/// The side of a name that the Python package has checked.
pub fn side_of(name: &str) -> Side {
    if name == "left" { Side::Left } else { Side::Right }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}
