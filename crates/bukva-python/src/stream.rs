//! The stream decoder.

use std::sync::{Arc, Mutex, PoisonError};

use bukva::decode;
use pyo3::prelude::*;

use crate::errors::IntoPython;
use crate::ids;

/// Turns ids into text as they come; holds back an incomplete character.
#[pyclass(module = "bukva", frozen)]
pub struct StreamDecoder {
    tokenizer: Arc<bukva::pipeline::Tokenizer>,
    state: Mutex<decode::StreamDecoder>,
}

impl StreamDecoder {
    /// A decoder at the start of a text.
    pub fn start(tokenizer: Arc<bukva::pipeline::Tokenizer>, invalid: decode::Invalid, skip_special: bool) -> Self {
        StreamDecoder { tokenizer, state: Mutex::new(decode::StreamDecoder::new(invalid, skip_special)) }
    }
}

#[pymethods]
impl StreamDecoder {
    /// Take one id and return the text that is complete now.
    fn push(&self, id: &Bound<'_, PyAny>) -> PyResult<String> {
        let one = ids::one(id, 0)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.push(self.tokenizer.decoder(), one).into_python(id.py())
    }

    /// End the text and return what was held back; the decoder is as new afterwards.
    fn finish(&self, py: Python<'_>) -> PyResult<String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.finish(self.tokenizer.decoder()).into_python(py)
    }
}
