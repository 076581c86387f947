//! Many texts as ids: one flat array and where each text begins. Arrays are made when they are first asked for.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bukva::{Error, Kind};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PySlice, PySliceMethods, PyTuple};

use crate::errors::to_python;

/// Numbers that are a vector until somebody asks for the array, which takes over the vector's memory.
struct Numbers<T> {
    len: usize,
    /// `None` as soon as the array is being made.
    vector: Mutex<Option<Vec<T>>>,
    array: PyOnceLock<Py<PyArray1<T>>>,
}

impl<T: Element + Copy> Numbers<T> {
    fn of(vector: Vec<T>) -> Self {
        Numbers { len: vector.len(), vector: Mutex::new(Some(vector)), array: PyOnceLock::new() }
    }

    fn of_array(array: Bound<'_, PyArray1<T>>) -> Self {
        let (py, len) = (array.py(), array.len());
        let cell = PyOnceLock::new();
        cell.get_or_init(py, || array.unbind());
        Numbers { len, vector: Mutex::new(None), array: cell }
    }

    fn array<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray1<T>> {
        // Nothing calls Python while the lock is held.
        let taken = || self.vector.lock().ok().and_then(|mut vector| vector.take()).unwrap_or_default();
        self.array.get_or_init(py, || taken().into_pyarray(py).unbind()).bind(py)
    }

    /// Looks at the numbers; `look` must not call Python.
    fn read<R>(&self, py: Python<'_>, look: impl FnOnce(&[T]) -> R) -> PyResult<R> {
        if self.array.get(py).is_none()
            && let Ok(vector) = self.vector.lock()
            && let Some(numbers) = &*vector
        {
            return Ok(look(numbers));
        }
        let array = self.array(py).try_readonly()?;
        Ok(match array.as_slice() {
            Ok(numbers) => look(numbers),
            Err(_) => look(&array.as_array().to_vec()),
        })
    }
}

/// Ids of many texts. ``batch[i]`` is a view of the ids of text ``i``; ``batch[a:b]`` is a batch.
///
/// Attributes
/// ----------
/// ids : ndarray of uint32, shape (n_tokens,)
///     Ids of all texts, one after another.
/// offsets : ndarray of int64, shape (n_texts + 1,)
///     Text ``i`` is ``ids[offsets[i]:offsets[i + 1]]``.
#[pyclass(module = "bukva", frozen)]
pub struct Batch {
    ids: Numbers<u32>,
    offsets: Numbers<i64>,
    pad_id: Option<u32>,
}

impl Batch {
    /// The batch of the engine, with the id that fills rows unless the caller names another.
    pub fn of(batch: bukva::batch::Batch, pad_id: Option<u32>) -> Self {
        Batch { ids: Numbers::of(batch.ids), offsets: Numbers::of(batch.offsets), pad_id }
    }

    fn texts(&self) -> usize {
        self.offsets.len.saturating_sub(1)
    }

    fn copied(&self, py: Python<'_>) -> PyResult<(Vec<u32>, Vec<i64>)> {
        Ok((self.ids.read(py, <[u32]>::to_vec)?, self.offsets.read(py, <[i64]>::to_vec)?))
    }

    /// A copy of the ids of each text.
    pub fn sequences(&self, py: Python<'_>) -> PyResult<Vec<Vec<u32>>> {
        let (ids, offsets) = self.copied(py)?;
        Ok(offsets.windows(2).map(|pair| of_text(&ids, pair).to_vec()).collect())
    }

    /// A view of ids `from..to`.
    fn view<'py>(&self, py: Python<'py>, from: i64, to: i64) -> PyResult<Bound<'py, PyAny>> {
        self.ids.array(py).get_item(PySlice::new(py, from as isize, to as isize, 1))
    }

    fn text<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let ends = self.offsets.read(py, |offsets| Some((*offsets.get(index)?, *offsets.get(index + 1)?)))?;
        let (from, to) = ends.unwrap_or_default();
        self.view(py, from, to)
    }

    fn slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<Batch> {
        let (py, found) = (slice.py(), slice.indices(self.texts() as isize)?);
        if found.step != 1 {
            let message = format!("A batch is cut in steps of 1. Got a slice with step {} instead.", found.step);
            return Err(to_python(py, Error::new(Kind::Argument, message)));
        }
        let (first, last) = (found.start as usize, found.stop.max(found.start) as usize);
        let cut = |offsets: &[i64]| offsets.get(first..=last).map(<[i64]>::to_vec).unwrap_or_else(|| vec![0]);
        let mut offsets = self.offsets.read(py, cut)?;
        let (from, to) = (offsets[0], offsets[offsets.len() - 1]);
        offsets.iter_mut().for_each(|offset| *offset -= from);
        let ids = self.view(py, from, to)?.cast_into::<PyArray1<u32>>()?;
        Ok(Batch { ids: Numbers::of_array(ids), offsets: Numbers::of(offsets), pad_id: self.pad_id })
    }
}

/// Ids of the text between two offsets.
fn of_text<'i>(ids: &'i [u32], ends: &[i64]) -> &'i [u32] {
    let at = |end: i64| usize::try_from(end).unwrap_or(0);
    ids.get(at(ends[0])..at(ends[1])).unwrap_or_default()
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (ids, offsets, pad_id=None))]
    fn new(ids: Bound<'_, PyArray1<u32>>, offsets: Bound<'_, PyArray1<i64>>, pad_id: Option<u32>) -> PyResult<Self> {
        let (py, n_ids) = (ids.py(), ids.len() as i64);
        let batch = Batch { ids: Numbers::of_array(ids), offsets: Numbers::of_array(offsets), pad_id };
        let fits = |offsets: &[i64]| {
            offsets.first().is_some_and(|&first| first >= 0)
                && offsets.last().is_some_and(|&last| last <= n_ids)
                && offsets.is_sorted()
        };
        if batch.offsets.read(py, fits)? {
            return Ok(batch);
        }
        let message = format!(
            "The 'offsets' parameter of Batch must ascend within 0..{n_ids}, with one more entry than there are texts. Got \
             {} instead.",
            batch.offsets.array(py).repr()?
        );
        Err(to_python(py, Error::new(Kind::Argument, message)))
    }

    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.ids.array(py).clone()
    }

    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.offsets.array(py).clone()
    }

    #[getter]
    fn _pad_id(&self) -> Option<u32> {
        self.pad_id
    }

    fn __len__(&self) -> usize {
        self.texts()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, texts) = (index.py(), self.texts());
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(Bound::new(py, self.slice(slice)?)?.into_any());
        }
        let asked = match index.extract::<isize>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => isize::MAX,
            asked => asked?,
        };
        let at = if asked < 0 { asked + texts as isize } else { asked };
        match usize::try_from(at) {
            Ok(at) if at < texts => self.text(py, at),
            _ => Err(PyIndexError::new_err(format!("text {index} of a batch of {texts}"))),
        }
    }

    fn __iter__(slf: Bound<'_, Self>) -> Texts {
        Texts { batch: slf.unbind(), next: AtomicUsize::new(0) }
    }

    /// Ids as lists of int, one a text.
    fn to_list(&self, py: Python<'_>) -> PyResult<Vec<Vec<u32>>> {
        self.sequences(py)
    }

    /// Tokens of each text.
    fn lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let lengths = |offsets: &[i64]| offsets.windows(2).map(|ends| ends[1] - ends[0]).collect::<Vec<_>>();
        Ok(self.offsets.read(py, lengths)?.into_pyarray(py))
    }

    /// All texts as one rectangle.
    ///
    /// Parameters
    /// ----------
    /// length : int, optional
    ///     Width; the longest text where left out. A longer text is an error: nothing is cut off.
    /// side : {"right", "left"}
    ///     Where the padding goes.
    /// multiple_of : int, optional
    ///     The width is rounded up to a multiple of it.
    /// pad_id : int, optional
    ///     Id of the padding; the one the tokenizer's file states where left out.
    ///
    /// Returns
    /// -------
    /// ids : ndarray of uint32, shape (n_texts, width)
    /// mask : ndarray of bool, shape (n_texts, width)
    ///     True where a token stands, False where padding does.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If a text is longer than ``length``, or neither the caller nor the file names a pad id.
    #[pyo3(
        signature = (*args, **options),
        text_signature = "(self, length=None, side=\"right\", multiple_of=None, pad_id=None)"
    )]
    fn pad<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, of_batch) = (slf.py(), PyTuple::new(slf.py(), [slf])?);
        let all = of_batch.as_sequence().concat(args.as_sequence())?.to_tuple()?;
        py.import("bukva.padding")?.getattr("pad")?.call(all, options)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, batch) = (slf.py(), slf.get());
        let arguments = (batch.ids.array(py), batch.offsets.array(py), batch.pad_id).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments))
    }

    fn __repr__(&self) -> String {
        format!("Batch({} texts, {} tokens)", self.texts(), self.ids.len)
    }
}

/// The texts of a batch, one after another.
#[pyclass(module = "bukva._core", frozen)]
pub struct Texts {
    batch: Py<Batch>,
    next: AtomicUsize,
}

#[pymethods]
impl Texts {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let batch = self.batch.get();
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        if at < batch.texts() { batch.text(py, at).map(Some) } else { Ok(None) }
    }
}
