//! Many texts at once: in order, on as many threads as asked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::added::SpecialPolicy;
use crate::error::Result;
use crate::model::Scratch;
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::pipeline::Tokenizer;

/// Ids of many texts in one block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Ids of all texts, one after the other.
    pub ids: Vec<u32>,
    /// Start of each text's ids, and the end of the last: one more than there are texts.
    pub offsets: Vec<i64>,
}

/// Bytes of text that one turn of a worker takes, at least: enough to make the hand-over cost nothing.
const TURN: usize = 64 * 1024;

impl Tokenizer {
    /// Encodes every text. The result does not depend on `threads`; `with_frame` adds the template's control tokens.
    ///
    /// # Errors
    /// The error of the first text that fails, with its number; or what the monitor answers.
    pub fn encode_batch(
        &self,
        texts: &[&str],
        policy: &SpecialPolicy,
        with_frame: bool,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Batch> {
        let parts = self.each_turn(texts, threads, monitor, |scratch, turn, texts| {
            let mut part = Batch::default();
            for (index, text) in texts.iter().enumerate() {
                self.encode_one(text, policy, with_frame, scratch, &mut part.ids)
                    .map_err(|error| error.in_source(format!("text number {}", turn + index)))?;
                part.offsets.push(part.ids.len() as i64);
            }
            Ok(part)
        })?;
        Ok(joined(parts))
    }

    fn encode_one(
        &self,
        text: &str,
        policy: &SpecialPolicy,
        with_frame: bool,
        scratch: &mut Scratch,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let start = out.len();
        self.encode_with(text, policy, scratch, out)?;
        if with_frame {
            let framed = self.frame().apply(&out[start..], None);
            out.truncate(start);
            out.extend(framed);
        }
        Ok(())
    }

    /// Counts the ids of every text. As [`Tokenizer::encode_batch`].
    ///
    /// # Errors
    /// As [`Tokenizer::encode_batch`].
    pub fn count_batch(
        &self,
        texts: &[&str],
        policy: &SpecialPolicy,
        with_frame: bool,
        threads: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<i64>> {
        let more = if with_frame { self.frame().added_to_single() } else { 0 };
        let parts = self.each_turn(texts, threads, monitor, |scratch, turn, texts| {
            let count = |(index, text): (usize, &&str)| match self.count_with(text, policy, scratch) {
                Ok(count) => Ok((count + more) as i64),
                Err(error) => Err(error.in_source(format!("text number {}", turn + index))),
            };
            texts.iter().enumerate().map(count).collect::<Result<Vec<i64>>>()
        })?;
        Ok(parts.concat())
    }

    /// Cuts the texts into turns and has `work` done for each, in order of the turns in the result.
    fn each_turn<T: Send>(
        &self,
        texts: &[&str],
        threads: usize,
        monitor: &mut dyn Monitor,
        work: impl Fn(&mut Scratch, usize, &[&str]) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let turns = turns(texts);
        let workers = threads.clamp(1, turns.len().max(1));
        let shared = Shared { next: AtomicUsize::new(0), stop: AtomicBool::new(false) };
        let total = texts.iter().map(|text| text.len() as u64).sum();
        let mut ticker = Ticker::new(monitor);
        let mut done: Vec<(usize, Result<T>)> = Vec::with_capacity(turns.len());
        let run = |tick: &mut dyn FnMut(u64) -> Result<()>| {
            let mut scratch = self.take_scratch();
            let mut results = Vec::new();
            let mut outcome = Ok(());
            while let Some((number, &(from, to))) = shared.take(&turns) {
                let result = work(&mut scratch, from, &texts[from..to]);
                shared.stop.fetch_or(result.is_err(), Ordering::Relaxed);
                results.push((number, result));
                outcome = tick(texts[from..to].iter().map(|text| text.len() as u64).sum());
                if outcome.is_err() {
                    shared.stop.store(true, Ordering::Relaxed);
                    break;
                }
            }
            self.give_back(scratch);
            (results, outcome)
        };
        let outcome = std::thread::scope(|scope| {
            let run = &run;
            let helpers: Vec<_> = (1..workers).map(|_| scope.spawn(move || run(&mut |_| Ok(())).0)).collect();
            let mut bytes = 0;
            let (own, outcome) = run(&mut |n| {
                bytes += n;
                ticker.tick(Progress { stage: Stage::Encode, done: bytes, total: Some(total) })
            });
            done.extend(own);
            for helper in helpers {
                match helper.join() {
                    Ok(results) => done.extend(results),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            outcome
        });
        outcome?;
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

/// What the workers share: the next turn, and whether to go on.
struct Shared {
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Shared {
    fn take<'t>(&self, turns: &'t [(usize, usize)]) -> Option<(usize, &'t (usize, usize))> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        turns.get(number).map(|turn| (number, turn))
    }
}

/// Ranges of texts with at least [`TURN`] bytes each, but for the last.
fn turns(texts: &[&str]) -> Vec<(usize, usize)> {
    let (mut turns, mut from, mut bytes) = (Vec::new(), 0, 0);
    for (index, text) in texts.iter().enumerate() {
        bytes += text.len() + 1;
        if bytes >= TURN {
            turns.push((from, index + 1));
            (from, bytes) = (index + 1, 0);
        }
    }
    if from < texts.len() {
        turns.push((from, texts.len()));
    }
    turns
}

fn joined(parts: Vec<Batch>) -> Batch {
    let mut whole = Batch { ids: Vec::with_capacity(parts.iter().map(|part| part.ids.len()).sum()), offsets: vec![0] };
    for part in parts {
        let base = whole.ids.len() as i64;
        whole.offsets.extend(part.offsets.iter().map(|offset| base + offset));
        whole.ids.extend(part.ids);
    }
    whole
}
