//! Work that is over before letting go of the interpreter would pay.

use std::sync::Mutex;

use bukva::Result;
use bukva::added::SpecialPolicy;
use bukva::batch::Batch;
use bukva::pipeline::Tokenizer;
use bukva::postprocess::Frame;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Room for the ids of one short text, kept between calls.
#[derive(Default)]
pub struct Room(Mutex<Vec<u32>>);

impl Room {
    /// The ids that `work` appends, as a list. Never waits: a call that finds the room taken makes its own.
    pub fn list<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&mut Vec<u32>) -> PyResult<()>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (mut kept, mut own) = (self.0.try_lock().ok(), Vec::new());
        let ids = kept.as_deref_mut().unwrap_or(&mut own);
        ids.clear();
        work(ids)?;
        PyList::new(py, &*ids)
    }
}

/// Encodes texts one by one, each within `frame` if there is one.
///
/// # Errors
/// The error of the first text that fails, with its number.
pub fn encoded(tok: &Tokenizer, texts: &[&str], policy: &SpecialPolicy, frame: Option<&Frame>) -> Result<Batch> {
    let mut batch = Batch { ids: Vec::new(), offsets: Vec::with_capacity(texts.len() + 1) };
    batch.offsets.push(0);
    for (index, text) in texts.iter().enumerate() {
        let start = batch.ids.len();
        if start == 0 {
            batch.ids.reserve(text.len() / 2 + 2);
        }
        tok.encode(text, policy, &mut batch.ids).map_err(|error| error.in_source(format!("text number {index}")))?;
        if let Some(frame) = frame {
            let framed = frame.apply(&batch.ids[start..], None);
            batch.ids.truncate(start);
            batch.ids.extend(framed);
        }
        batch.offsets.push(batch.ids.len() as i64);
    }
    Ok(batch)
}
