//! Many texts at once: in order, on as many threads as asked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::added::SpecialPolicy;
use crate::error::Result;
use crate::huge;
use crate::model::Scratch;
use crate::monitor::{Monitor, Progress, Stage, Ticker};
use crate::parts::Part;
use crate::pipeline::Tokenizer;

/// Ids of many texts in one block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Ids of all texts, one after the other.
    pub ids: Vec<u32>,
    /// Start of each text's ids, and the end of the last: one more than there are texts.
    pub offsets: Vec<i64>,
}

impl Batch {
    /// No text, with room for as many texts and ids.
    fn with_room(texts: usize, ids: usize) -> Self {
        let mut offsets = Vec::with_capacity(texts + 1);
        offsets.push(0);
        Batch { ids: huge::with_capacity(ids), offsets }
    }
}

/// Bytes of text for which one id has room at first: as many as in English. Memory that is not used costs nothing.
const BYTES_AN_ID: usize = 4;

/// Bytes of text that one turn of a worker takes, at least: enough to make the hand-over cost nothing.
const TURN: usize = 64 * 1024;

impl Tokenizer {
    /// Encodes every text. The result does not depend on `threads`; `with_frame` adds the template's control tokens.
    /// With several threads a large text is cut where that is proven to change nothing.
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
        let around = if with_frame { self.frame().around_single() } else { Some(Default::default()) };
        if let (true, Some(around)) = (threads > 1, around)
            && let Some(parts) = self.parts(texts)?
        {
            let ids = self.each_part(&parts, threads, monitor, |text, scratch| {
                let mut ids = Vec::new();
                self.encode_with(text, policy, scratch, &mut |_| Ok(()), &mut ids).map(|()| ids)
            })?;
            return Ok(of_parts(&parts, ids, &around));
        }
        let encode = |scratch: &mut Scratch, first: usize, texts: &[&str], batch: &mut Batch| {
            for (index, text) in texts.iter().enumerate() {
                self.encode_one(text, policy, with_frame, scratch, &mut batch.ids)
                    .map_err(|error| error.in_source(format!("text number {}", first + index)))?;
                batch.offsets.push(batch.ids.len() as i64);
            }
            Ok(())
        };
        if threads <= 1 {
            return self.encode_in_order(texts, monitor, encode);
        }
        let parts = self.each_turn(texts, threads, monitor, |scratch, turn, texts| {
            let mut part = Batch { ids: Vec::new(), offsets: Vec::with_capacity(texts.len()) };
            encode(scratch, turn, texts, &mut part).map(|()| part)
        })?;
        Ok(joined(parts))
    }

    /// Encodes on this thread alone, into one block.
    fn encode_in_order(
        &self,
        texts: &[&str],
        monitor: &mut dyn Monitor,
        encode: impl Fn(&mut Scratch, usize, &[&str], &mut Batch) -> Result<()>,
    ) -> Result<Batch> {
        let mut batch = Batch::with_room(texts.len(), texts.iter().map(|text| text.len()).sum::<usize>() / BYTES_AN_ID);
        let mut report = Report::new(texts, monitor);
        self.with_scratch(|scratch| {
            turns(texts).into_iter().try_for_each(|turn| {
                encode(scratch, turn.0, &texts[turn.0..turn.1], &mut batch)?;
                report.after(turn)
            })
        })?;
        Ok(batch)
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
        self.encode_with(text, policy, scratch, &mut |_| Ok(()), out)?;
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
        if threads > 1
            && let Some(parts) = self.parts(texts)?
        {
            let mut counts = vec![more as i64; texts.len()];
            let found =
                self.each_part(&parts, threads, monitor, |text, scratch| self.count_with(text, policy, scratch))?;
            parts.iter().zip(found).for_each(|(part, count)| counts[part.number] += count as i64);
            return Ok(counts);
        }
        let parts = self.each_turn(texts, threads, monitor, |scratch, turn, texts| {
            let count = |(index, text): (usize, &&str)| match self.count_with(text, policy, scratch) {
                Ok(count) => Ok((count + more) as i64),
                Err(error) => Err(error.in_source(format!("text number {}", turn + index))),
            };
            texts.iter().enumerate().map(count).collect::<Result<Vec<i64>>>()
        })?;
        Ok(parts.concat())
    }

    /// Has `work` done for every part; an error names the text and the place in it.
    fn each_part<T: Send>(
        &self,
        parts: &[Part],
        threads: usize,
        monitor: &mut dyn Monitor,
        work: impl Fn(&str, &mut Scratch) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
        let done = self.each_turn(&texts, threads, monitor, |scratch, turn, texts| {
            let of_part = |part: &Part| {
                let done = work(part.text, scratch);
                done.map_err(|error| error.moved_by(part.start).in_source(format!("text number {}", part.number)))
            };
            parts[turn..turn + texts.len()].iter().map(of_part).collect::<Result<Vec<T>>>()
        })?;
        Ok(done.into_iter().flatten().collect())
    }

    /// Cuts the texts into turns and has `work` done for each, in order of the turns in the result. The calling
    /// thread works too, and reports after each of its turns.
    fn each_turn<T: Send>(
        &self,
        texts: &[&str],
        threads: usize,
        monitor: &mut dyn Monitor,
        work: impl Fn(&mut Scratch, usize, &[&str]) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let turns = turns(texts);
        let queue = Queue { turns: &turns, next: AtomicUsize::new(0), stop: AtomicBool::new(false) };
        let one = |scratch: &mut Scratch, (from, to): Turn| work(scratch, from, &texts[from..to]);
        let mut report = Report::new(texts, monitor);
        let mut done = std::thread::scope(|scope| {
            let spawn = |_| scope.spawn(|| self.work_off(&queue, &one, &mut |_| Ok(())));
            let helpers: Vec<_> = (1..threads.min(turns.len())).map(spawn).collect();
            let mut done = self.work_off(&queue, &one, &mut |turn| report.after(turn))?;
            for helper in helpers {
                done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(done)
        })?;
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// Does turns of the queue until it is empty, or until a turn fails anywhere. The failed turn is among the
    /// results; an error of `after` is the error of all.
    fn work_off<T>(
        &self,
        queue: &Queue,
        work: &impl Fn(&mut Scratch, Turn) -> Result<T>,
        after: &mut dyn FnMut(Turn) -> Result<()>,
    ) -> Result<Vec<(usize, Result<T>)>> {
        let mut scratch = self.take_scratch();
        let mut results = Vec::new();
        while let Some((number, turn)) = queue.take() {
            let result = work(&mut scratch, turn);
            let stop = result.is_err();
            results.push((number, result));
            let outcome = after(turn);
            queue.stop.fetch_or(stop || outcome.is_err(), Ordering::Relaxed);
            outcome?;
        }
        self.give_back(scratch);
        Ok(results)
    }
}

/// Tells a monitor how far the work is.
struct Report<'m> {
    ticker: Ticker<'m>,
    texts: u64,
    bytes: u64,
}

impl<'m> Report<'m> {
    fn new(texts: &[&str], monitor: &'m mut dyn Monitor) -> Self {
        let bytes = texts.iter().map(|text| text.len() as u64).sum();
        Report { ticker: Ticker::new(monitor), texts: texts.len().max(1) as u64, bytes }
    }

    fn after(&mut self, (_, to): Turn) -> Result<()> {
        let done = self.bytes * to as u64 / self.texts;
        self.ticker.tick(Progress { stage: Stage::Encode, done, total: Some(self.bytes) })
    }
}

/// A range of texts.
type Turn = (usize, usize);

/// What the workers share: the next turn, and whether to go on.
struct Queue<'t> {
    turns: &'t [Turn],
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Queue<'_> {
    fn take(&self) -> Option<(usize, Turn)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.turns.get(number).map(|&turn| (number, turn))
    }
}

/// Ranges of texts with at least [`TURN`] bytes each, but for the last.
fn turns(texts: &[&str]) -> Vec<Turn> {
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

/// The batch of the texts whose parts have `ids`, with ids around each text.
fn of_parts(parts: &[Part], ids: Vec<Vec<u32>>, (before, behind): &(Vec<u32>, Vec<u32>)) -> Batch {
    let mut whole = Batch::with_room(parts.len(), ids.iter().map(Vec::len).sum());
    for (index, (part, ids)) in parts.iter().zip(ids).enumerate() {
        if part.start == 0 {
            whole.ids.extend_from_slice(before);
        }
        whole.ids.extend(ids);
        if parts.get(index + 1).is_none_or(|next| next.number != part.number) {
            whole.ids.extend_from_slice(behind);
            whole.offsets.push(whole.ids.len() as i64);
        }
    }
    whole
}

fn joined(parts: Vec<Batch>) -> Batch {
    let texts = parts.iter().map(|part| part.offsets.len()).sum();
    let mut whole = Batch::with_room(texts, parts.iter().map(|part| part.ids.len()).sum());
    for part in parts {
        let base = whole.ids.len() as i64;
        whole.offsets.extend(part.offsets.iter().map(|offset| base + offset));
        whole.ids.extend(part.ids);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::added::Names;
    use crate::spec::{AddedToken, Model, Pretokenizer, Spec, Vocab, WordLevel};
    use crate::{Kind, Progress};

    fn tokenizer() -> Tokenizer {
        let vocab: Vocab = [(0, &b"a"[..]), (1, b"b")].into_iter().collect();
        let mut spec = Spec::new(Model::WordLevel(WordLevel { vocab, unk: None, pieces: None }));
        spec.pretokenizer = Some(Pretokenizer::Whitespace);
        Tokenizer::new(spec).unwrap()
    }

    /// Texts that make several turns, empty ones among them.
    fn texts() -> Vec<String> {
        (0..300).map(|n| if n % 7 == 0 { String::new() } else { "a b ".repeat(n * 3) }).collect()
    }

    #[test]
    fn any_number_of_threads_gives_each_text_its_ids() {
        let (tokenizer, texts, policy) = (tokenizer(), texts(), SpecialPolicy::default());
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert!(turns(&texts).len() > 3);
        for threads in [1, 2, 5] {
            let batch = tokenizer.encode_batch(&texts, &policy, false, threads, &mut ()).unwrap();
            let counts = tokenizer.count_batch(&texts, &policy, false, threads, &mut ()).unwrap();
            for (index, text) in texts.iter().enumerate() {
                let mut ids = Vec::new();
                tokenizer.encode(text, &policy, &mut ids).unwrap();
                let (from, to) = (batch.offsets[index] as usize, batch.offsets[index + 1] as usize);
                assert_eq!((&batch.ids[from..to], counts[index]), (&ids[..], ids.len() as i64));
            }
        }
    }

    #[test]
    fn a_large_text_is_cut_and_has_the_same_ids() {
        let (mut spec, policy) =
            (tokenizer().spec().clone(), SpecialPolicy { allowed: Names::All, ..Default::default() });
        let special = |id, content: &str| AddedToken::special(content, id);
        spec.added_tokens = vec![special(2, "a b"), special(3, "<>")];
        let tokenizer = Tokenizer::new(spec).unwrap();
        let large = ["b b b a ".repeat(60_000), "b  a b <> b ".repeat(70_000), "a".to_owned(), String::new()].concat();
        let texts = ["b", &large, "", "b b", &large[1..]];
        assert!(tokenizer.parts(&texts).unwrap().unwrap().len() > 8);
        let batch = |threads| tokenizer.encode_batch(&texts, &policy, false, threads, &mut ()).unwrap();
        assert_eq!(batch(2), batch(1));
        let counts = |threads| tokenizer.count_batch(&texts, &policy, false, threads, &mut ()).unwrap();
        assert_eq!(counts(2), counts(1));
        let wrong = large.clone() + "c";
        let error = tokenizer.encode_batch(&["b", &wrong], &policy, false, 2, &mut ()).unwrap_err();
        assert_eq!(error.place.byte_offset, Some(large.len() as u64 - 1));
        assert_eq!(error.place.source.as_deref(), Some("text number 1"));
    }

    #[test]
    fn the_text_that_fails_is_named() {
        let (tokenizer, mut texts) = (tokenizer(), texts());
        texts[200] = "a c".to_owned();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for threads in [1, 3] {
            let policy = SpecialPolicy::default();
            let error = tokenizer.encode_batch(&texts, &policy, false, threads, &mut ()).unwrap_err();
            assert_eq!((error.kind, error.place.byte_offset), (Kind::UnknownCharacter, Some(2)));
            assert_eq!(error.place.source.as_deref(), Some("text number 200"));
        }
    }

    #[test]
    fn the_caller_can_stop_the_work() {
        let (tokenizer, text) = (tokenizer(), "a ".repeat(1 << 16));
        let texts = vec![text.as_str(); 4000];
        let mut stop = |_: Progress| false;
        let stopped = tokenizer.count_batch(&texts, &SpecialPolicy::default(), false, 2, &mut stop);
        assert_eq!(stopped.unwrap_err().kind, Kind::Cancelled);
        let long = "a ".repeat(1 << 24);
        let stopped = tokenizer.encode_watched(&long, &SpecialPolicy::default(), &mut stop, &mut Vec::new());
        assert_eq!(stopped.unwrap_err().kind, Kind::Cancelled);
    }
}
