//! Work that is over before letting go of the interpreter would pay.

use std::sync::Mutex;

use bukva::Result;
use bukva::added::SpecialPolicy;
use bukva::batch::Batch;
use bukva::pipeline::Tokenizer;
use bukva::postprocess::Frame;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Room for the ids of short texts, kept between calls.
#[derive(Default)]
pub struct Room(Mutex<Vec<u32>>);

impl Room {
    /// Calls `work` with the room, empty. Never waits: a call that finds the room taken makes its own.
    fn with<T>(&self, work: impl FnOnce(&mut Vec<u32>) -> T) -> T {
        let (mut kept, mut own) = (self.0.try_lock().ok(), Vec::new());
        let ids = kept.as_deref_mut().unwrap_or(&mut own);
        ids.clear();
        work(ids)
    }

    /// The ids that `work` appends, as a list.
    pub fn list<'py>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&mut Vec<u32>) -> PyResult<()>,
    ) -> PyResult<Bound<'py, PyList>> {
        self.with(|ids| {
            work(ids)?;
            PyList::new(py, &*ids)
        })
    }

    /// Encodes texts one by one, each within `frame` if there is one.
    ///
    /// # Errors
    /// The error of the first text that fails, with its number.
    pub fn batch(
        &self,
        tok: &Tokenizer,
        texts: &[&str],
        policy: &SpecialPolicy,
        frame: Option<&Frame>,
    ) -> Result<Batch> {
        self.with(|ids| {
            let mut offsets = Vec::with_capacity(texts.len() + 1);
            offsets.push(0);
            for (index, text) in texts.iter().enumerate() {
                let start = ids.len();
                tok.encode(text, policy, ids).map_err(|error| error.in_source(format!("text number {index}")))?;
                if let Some(frame) = frame {
                    let framed = frame.apply(&ids[start..], None);
                    ids.truncate(start);
                    ids.extend(framed);
                }
                offsets.push(ids.len() as i64);
            }
            Ok(Batch { ids: ids.clone(), offsets })
        })
    }
}
