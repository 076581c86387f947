//! The facts of an explanation as dictionaries; `bukva.explain` gives them their form.

use bukva::explain::{Explanation, PretokenFacts};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An explanation as plain Python objects.
pub fn facts<'py>(py: Python<'py>, found: &Explanation) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("ids", &found.ids)?;
    facts.set_item("byte_spans", &found.byte_spans)?;
    facts.set_item("char_spans", &found.char_spans)?;
    facts.set_item("normalized", &found.normalized)?;
    let edits = found.edits.iter().map(|edit| {
        let (original, normalized) = (&edit.original, &edit.normalized);
        (original.start, original.end, normalized.start, normalized.end)
    });
    facts.set_item("edits", edits.collect::<Vec<_>>())?;
    facts.set_item("dropped", &found.dropped)?;
    let pretokens =
        found.pretokens.iter().map(|pretoken| pretoken_facts(py, pretoken)).collect::<PyResult<Vec<_>>>()?;
    facts.set_item("pretokens", PyList::new(py, pretokens)?)?;
    Ok(facts)
}

fn pretoken_facts<'py>(py: Python<'py>, pretoken: &PretokenFacts) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("span", pretoken.span)?;
    facts.set_item("text", &pretoken.text)?;
    facts.set_item("token_range", pretoken.token_range)?;
    facts.set_item("symbols", &pretoken.symbols)?;
    facts.set_item("whole", pretoken.whole)?;
    facts.set_item("added", pretoken.added)?;
    let steps = PyList::empty(py);
    for step in &pretoken.steps {
        let fact = PyDict::new(py);
        fact.set_item("rank", step.rank)?;
        fact.set_item("left", step.left)?;
        fact.set_item("right", step.right)?;
        fact.set_item("product", step.product)?;
        fact.set_item("position", step.position)?;
        steps.append(fact)?;
    }
    facts.set_item("steps", steps)?;
    Ok(facts)
}
