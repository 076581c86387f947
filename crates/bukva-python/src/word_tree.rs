//! The tree of hierarchical softmax.

use std::sync::Arc;

use bukva::embed::context::{self, Tree};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::IntoPython;

/// The path of each word.
#[pyclass(module = "bukva._core", frozen)]
pub struct WordTree {
    tree: Arc<Tree>,
}

impl WordTree {
    /// The paths, to be used without the interpreter.
    pub fn shared(&self) -> Arc<Tree> {
        self.tree.clone()
    }
}

#[pymethods]
impl WordTree {
    /// Paths from what words and nodes hang on: twice the number of the node above, plus 1 on its second branch, or -1.
    #[new]
    fn new(py: Python<'_>, words: PyReadonlyArray1<'_, i64>, nodes: PyReadonlyArray1<'_, i64>) -> PyResult<WordTree> {
        let tree = Tree::new(&words.to_vec()?, &nodes.to_vec()?).into_python(py)?;
        Ok(WordTree { tree: Arc::new(tree) })
    }

    /// Nodes of the tree.
    #[getter]
    fn nodes(&self) -> usize {
        self.tree.nodes()
    }

    /// Nodes of all paths together.
    #[getter]
    fn path_nodes(&self) -> usize {
        self.tree.path_nodes()
    }
}

type Links<'py> = Bound<'py, PyArray1<i64>>;

/// Huffman's tree of words with `counts`, in which the tree that is there is one leaf with the count `total`.
#[pyfunction]
pub fn grow_tree<'py>(
    py: Python<'py>,
    words: PyReadonlyArray1<'py, i64>,
    nodes: PyReadonlyArray1<'py, i64>,
    total: u64,
    counts: Vec<u64>,
) -> PyResult<(Links<'py>, Links<'py>)> {
    let (words, nodes) = context::grow(&words.to_vec()?, &nodes.to_vec()?, total, &counts).into_python(py)?;
    Ok((words.into_pyarray(py), nodes.into_pyarray(py)))
}
