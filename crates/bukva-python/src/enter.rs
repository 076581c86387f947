//! The one way into long work: detached from the interpreter, and stopped by Ctrl-C.

use bukva::{Error, Kind, Monitor, Progress};
use pyo3::marker::Ungil;
use pyo3::prelude::*;

use crate::checks;
use crate::errors::IntoPython;

/// Below this many bytes of text, letting go of the interpreter costs more than the work.
pub const SHORT: usize = 4096;

/// Work on fewer bytes than this is done before a second thread has begun.
const ONE_THREAD: usize = 64 * 1024;

/// Asks the interpreter for signals, and hands progress to a Python callable.
pub struct PyMonitor {
    progress: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl PyMonitor {
    /// A monitor that calls `progress(stage, done, total)`, if there is one.
    pub fn new(progress: Option<Py<PyAny>>) -> Self {
        PyMonitor { progress, raised: None }
    }

    /// The result of the work, or the exception that a signal handler or the callable raised.
    pub fn outcome<T>(self, py: Python<'_>, result: bukva::Result<T>) -> PyResult<T> {
        match self.raised {
            Some(raised) => Err(raised),
            None => result.into_python(py),
        }
    }
}

impl Monitor for PyMonitor {
    fn report(&mut self, progress: Progress) -> bukva::Result<()> {
        let reported = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(callable) => {
                    callable.call1(py, (progress.stage.name(), progress.done, progress.total)).map(|_| ())
                }
                None => Ok(()),
            }
        });
        reported.map_err(|raised| {
            self.raised = Some(raised);
            Error::new(Kind::Cancelled, "stopped")
        })
    }
}

/// Runs long work detached, with a monitor that reports to Python.
pub fn detached<T: Ungil + Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&mut PyMonitor) -> bukva::Result<T> + Ungil + Send,
) -> PyResult<T> {
    let mut monitor = PyMonitor::new(progress);
    let result = py.detach(|| work(&mut monitor));
    monitor.outcome(py, result)
}

/// Threads to use: as asked, else one for each core.
pub fn threads(py: Python<'_>, asked: Option<usize>) -> PyResult<usize> {
    match asked {
        Some(0) => {
            let message = "the 'threads' parameter must be at least 1, or None for all cores; got 0 instead";
            Err(crate::errors::to_python(py, Error::new(Kind::Argument, message)))
        }
        Some(threads) => Ok(threads),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Threads that `caller` is to use: as asked, else one for each core.
pub fn batch_threads(caller: &str, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Threads> {
    checks::optional_integer("threads", caller, asked, 1).map(Threads)
}

/// A number of threads, or one for each core.
#[derive(Clone, Copy, Default)]
pub struct Threads(Option<usize>);

impl Threads {
    /// How many threads `bytes` of work are worth. To count the cores takes longer than to encode a page.
    pub fn of(self, bytes: usize) -> usize {
        match self.0 {
            _ if bytes < ONE_THREAD => 1,
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}
