//! The native module `bukva._core`: thin wrappers around the engine.

use pyo3::prelude::*;

/// The engine of bukva. Use the package `bukva`; this module is its private half.
#[pymodule]
mod _core {}
