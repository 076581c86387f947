//! Many encodings at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{FullEncoding, Input, Options, pad_all};
use crate::error::Result;
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::pipeline::Tokenizer;

/// A text, or a pair.
pub type Inputs<'t> = (Input<'t>, Option<Input<'t>>);

/// Inputs that a thread takes at a time.
const TURN: usize = 16;

impl Tokenizer {
    /// Encodes many texts, in order, and fills all up to one length if asked. The result does not depend on `threads`.
    ///
    /// # Errors
    /// The error of the first input that fails, with its number; or what the monitor answers.
    pub fn encode_full_batch(
        &self,
        inputs: &[Inputs],
        options: &Options,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<FullEncoding>> {
        let one = |(number, (text, pair)): (usize, &Inputs)| {
            let encoded = self.encode_full(text, pair.as_ref(), options);
            encoded.map_err(|error| error.in_source(format!("text number {number}")))
        };
        let mut encodings = in_turns(inputs, threads, monitor, &one)?;
        if let Some(padding) = &options.padding {
            pad_all(&mut encodings, padding)?;
        }
        Ok(encodings)
    }
}

type Done<T> = Vec<(usize, Result<Vec<T>>)>;

/// Calls `one` with every input and its number, [`TURN`] at a time on a thread; the results in order. The calling thread
/// works too, and reports after each of its turns.
pub(crate) fn in_turns<I: Sync, T: Send>(
    inputs: &[I],
    threads: usize,
    monitor: &mut dyn Monitor,
    one: &(impl Fn((usize, &I)) -> Result<T> + Sync),
) -> Result<Vec<T>> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |after: &mut dyn FnMut(usize) -> Result<()>| -> Result<Done<T>> {
        let mut done = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(TURN, Ordering::Relaxed);
            let Some(turn) = inputs.get(from..inputs.len().min(from + TURN)).filter(|turn| !turn.is_empty()) else {
                break;
            };
            let result: Result<Vec<T>> =
                turn.iter().enumerate().map(|(index, input)| one((from + index, input))).collect();
            let outcome = after(from + turn.len());
            stop.fetch_or(result.is_err() || outcome.is_err(), Ordering::Relaxed);
            done.push((from, result));
            outcome?;
        }
        Ok(done)
    };
    let mut ticker = Ticker::new(monitor);
    let total = Some(inputs.len() as u64);
    let mut report = |done: usize| ticker.tick(Progress { stage: Stage::Encode, done: done as u64, total });
    let mut done = std::thread::scope(|scope| {
        let helpers = threads.min(inputs.len().div_ceil(TURN));
        let helpers: Vec<_> = (1..helpers).map(|_| scope.spawn(|| work(&mut |_| Ok(())))).collect();
        let mut done = work(&mut report)?;
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(done)
    })?;
    done.sort_by_key(|(from, _)| *from);
    let done = done.into_iter().map(|(_, result)| result).collect::<Result<Vec<Vec<T>>>>()?;
    Ok(done.into_iter().flatten().collect())
}
