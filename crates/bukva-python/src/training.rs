//! Training: the options of the Python layer, the run, and the facts of it.

use std::sync::PoisonError;

use bukva::corpus::{Cuts, Input, Options, Reader};
use bukva::normalize::{Normalizer, names};
use bukva::pretokenize::{Splitter, pretokenizer_of};
use bukva::spec::{self, Alphabet, Spec};
use bukva::train::count::{CountReport, count};
use bukva::train::wordlevel::{WordLevelOptions, train_wordlevel as train_words};
use bukva::train::{self, BpeOptions, Limit, StopReason, TieBreak, Words, assemble};
use bukva::{Error, Kind, Monitor};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::corpus::{Raised, inputs, one_of};
use crate::enter::{PyMonitor, threads};
use crate::errors::IntoPython;
use crate::tokenizer::Tokenizer;

/// Everything that turns a corpus into weighted pre-tokens.
struct Plan {
    inputs: Vec<Input<'static>>,
    options: Options,
    normalizer: Option<spec::Normalizer>,
    pretokenizer: Option<spec::Pretokenizer>,
    threads: usize,
    raised: Raised,
}

/// What the Python layer says of a corpus, still unchecked.
struct Request<'a, 'py> {
    sources: Vec<Bound<'py, PyAny>>,
    pattern: Option<&'a str>,
    normalizer: Vec<String>,
    unit: &'a str,
    invalid: &'a str,
    threads: Option<usize>,
}

impl Plan {
    fn new(py: Python<'_>, request: Request<'_, '_>) -> PyResult<Plan> {
        let raised = Raised::default();
        let (inputs, options) = inputs(py, &request.sources, request.unit, request.invalid, &raised)?;
        Ok(Plan {
            inputs,
            options,
            normalizer: names::from_names(&request.normalizer).into_python(py)?,
            pretokenizer: request.pattern.map(pretokenizer_of).transpose().into_python(py)?,
            threads: threads(py, request.threads)?,
            raised,
        })
    }

    /// Counts, then trains; both detached and under `progress`.
    fn run<T: Send>(
        self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        train: impl FnOnce(Words, &mut dyn Monitor) -> bukva::Result<(Spec, T)> + Send,
    ) -> PyResult<(Tokenizer, Report, T)> {
        let Plan { inputs, options, normalizer, pretokenizer, threads, raised } = self;
        let mut monitor = PyMonitor::new(progress);
        let result = py.detach(|| {
            let compiled = normalizer.as_ref().map(Normalizer::compile).transpose()?;
            let splitter = Splitter::compile(pretokenizer.as_ref())?;
            let reader = Reader::new(inputs, options, Cuts::new(compiled.as_ref(), &splitter));
            let counted = count(reader, compiled.as_ref(), &splitter, threads, &mut monitor)?;
            let words = counted.table.into_words_by_place();
            let report = Report { count: counted.report, types: words.len() };
            let (mut spec, facts) = train(words, &mut monitor)?;
            (spec.normalizer, spec.pretokenizer) = (normalizer, pretokenizer);
            Ok((Tokenizer::wrap(bukva::pipeline::Tokenizer::new(spec)?), report, facts))
        });
        let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        match raised {
            Some(raised) => Err(raised),
            None => monitor.outcome(py, result),
        }
    }
}

/// What was counted.
struct Report {
    count: CountReport,
    types: usize,
}

impl Report {
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        facts.set_item("documents", self.count.documents)?;
        facts.set_item("bytes", self.count.bytes)?;
        facts.set_item("replaced_bytes", self.count.replaced_bytes)?;
        facts.set_item("pretokens", self.count.pre_tokens)?;
        facts.set_item("pretoken_types", self.types)?;
        Ok(facts)
    }
}

/// Trains BPE and returns the tokenizer with the facts of the run.
#[pyfunction]
#[pyo3(signature = (sources, *, vocab_size, num_merges, alphabet, pattern, normalizer, tie_break, end_of_word,
    min_frequency, special_tokens, unk_token, max_token_length, unit, invalid, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of the trainer")]
pub fn train_bpe<'py>(
    py: Python<'py>,
    sources: Vec<Bound<'py, PyAny>>,
    vocab_size: Option<u32>,
    num_merges: Option<u32>,
    alphabet: &str,
    pattern: Option<&str>,
    normalizer: Vec<String>,
    tie_break: &str,
    end_of_word: Option<String>,
    min_frequency: u64,
    special_tokens: Vec<String>,
    unk_token: Option<String>,
    max_token_length: Option<u32>,
    unit: &str,
    invalid: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Tokenizer, Bound<'py, PyDict>)> {
    let alphabet = match alphabet {
        "bytes" => Alphabet::Bytes,
        "chars" => Alphabet::Chars,
        other => return Err(one_of("alphabet", &["bytes", "chars"], other)).into_python(py),
    };
    let limit = limit(vocab_size, num_merges).into_python(py)?;
    let tie_break = tie_break_of(tie_break).into_python(py)?;
    let options = BpeOptions {
        alphabet,
        tie_break,
        end_of_word,
        min_frequency,
        special_tokens,
        unk_token,
        max_token_length,
        ..BpeOptions::new(limit)
    };
    let plan = Plan::new(py, Request { sources, pattern, normalizer, unit, invalid, threads })?;
    let (tokenizer, report, (counts, stopped)) = plan.run(py, progress, move |words, monitor| {
        let mut trained = train::train_bpe(words, &options, monitor)?;
        let facts = (std::mem::take(&mut trained.counts), trained.stopped);
        Ok((assemble(trained, &options, None, None), facts))
    })?;
    let facts = report.facts(py)?;
    facts.set_item("stopped", stop_name(stopped))?;
    facts.set_item("message", stop_message(stopped, counts.len(), limit))?;
    facts.set_item("merge_counts", counts)?;
    Ok((tokenizer, facts))
}

fn limit(vocab_size: Option<u32>, num_merges: Option<u32>) -> bukva::Result<Limit> {
    match (vocab_size, num_merges) {
        (Some(size), None) => Ok(Limit::VocabSize(size)),
        (None, Some(merges)) => Ok(Limit::Merges(merges)),
        _ => Err(Error::new(Kind::Argument, "exactly one of vocab_size and num_merges must be given")),
    }
}

fn tie_break_of(name: &str) -> bukva::Result<TieBreak> {
    TieBreak::from_name(name)
        .ok_or_else(|| one_of("tie_break", &["huggingface", "first_seen", "sentencepiece", "raw_bytes"], name))
}

fn stop_name(stopped: StopReason) -> &'static str {
    match stopped {
        StopReason::Reached => "reached",
        StopReason::NoPairLeft => "no pair left",
        StopReason::BelowMinFrequency { .. } => "below min_frequency",
    }
}

fn stop_message(stopped: StopReason, merges: usize, limit: Limit) -> String {
    match (stopped, limit) {
        (StopReason::Reached, _) => format!("training made {merges} merges"),
        (_, Limit::Merges(asked)) => format!("training stopped after {merges} of {asked} merges: {stopped}"),
        (_, Limit::VocabSize(asked)) => {
            format!("training stopped after {merges} merges, short of a vocabulary of {asked}: {stopped}")
        }
    }
}

/// Trains a word-level vocabulary and returns the tokenizer with the facts of the run.
#[pyfunction]
#[pyo3(signature = (sources, *, vocab_size, pattern, normalizer, min_frequency, special_tokens, unk_token, unit,
    invalid, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "one keyword argument for each option of the trainer")]
pub fn train_wordlevel<'py>(
    py: Python<'py>,
    sources: Vec<Bound<'py, PyAny>>,
    vocab_size: Option<u32>,
    pattern: Option<&str>,
    normalizer: Vec<String>,
    min_frequency: u64,
    special_tokens: Vec<String>,
    unk_token: Option<String>,
    unit: &str,
    invalid: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Tokenizer, Bound<'py, PyDict>)> {
    let options = WordLevelOptions { vocab_size, min_frequency, special_tokens, unk_token };
    let plan = Plan::new(py, Request { sources, pattern, normalizer, unit, invalid, threads })?;
    let (tokenizer, report, (words, ids)) = plan.run(py, progress, move |words, _| {
        let spec = train_words(&words, &options)?;
        let kept = spec.model.vocab().len();
        let ids = kept + spec.added_tokens.len();
        Ok((spec, (kept, ids)))
    })?;
    let facts = report.facts(py)?;
    match vocab_size {
        Some(asked) if ids < asked as usize => {
            let message =
                format!("training kept {words} words, short of a vocabulary of {asked}: no other word is left");
            facts.set_item("stopped", "no word left")?;
            facts.set_item("message", message)?;
        }
        _ => {
            facts.set_item("stopped", "reached")?;
            facts.set_item("message", format!("training kept {words} words"))?;
        }
    }
    facts.set_item("merge_counts", Vec::<u64>::new())?;
    Ok((tokenizer, facts))
}
