//! Merging many pieces in turns: each is left as soon as it has asked for memory, and taken up again when the others
//! have done a step.
//!
//! A merge looks at the pairs on both sides of what it made, in a table that no near cache holds, and the next merge
//! waits for both. Alone, a new word waits a dozen times; in turns with others the waits pass together.

use super::BpeEncoder;
use super::Scratch;
use super::characters::Characters;
use super::short::Work;
use crate::model::lookup::{self, Failed, Memoized, Misses};

/// Pieces that are merged in turns.
const LANES: usize = 32;

/// The pieces under way.
#[derive(Debug, Default)]
pub(super) struct Lockstep {
    /// Those in use first; all that were ever needed.
    lanes: Vec<Lane>,
    used: usize,
}

/// One piece under way.
#[derive(Debug, Default)]
struct Lane {
    work: Work,
    /// Which of the misses it is.
    number: usize,
    /// How many first symbols it has.
    count: usize,
    /// Where it joined a pair last.
    place: usize,
}

impl Lockstep {
    /// A free lane.
    #[inline]
    fn next(&mut self) -> &mut Lane {
        if self.used == self.lanes.len() {
            self.lanes.push(Lane::default());
        }
        self.used += 1;
        &mut self.lanes[self.used - 1]
    }

    fn is_full(&self) -> bool {
        self.used == LANES
    }
}

impl BpeEncoder {
    /// Encodes the misses, in turns where they are short enough.
    pub(super) fn encode_in_turns(
        &self,
        characters: &Characters,
        text: &[u8],
        misses: &mut Misses,
        scratch: &mut Scratch,
    ) -> Result<(), Failed> {
        for number in 0..misses.len() {
            if lookup::find_again(self, text, number, misses, scratch) {
                continue;
            }
            let (start, end) = misses.span(number);
            let piece = &text[start..end];
            if piece.len() > self.sizes.turns || self.rules.divide(piece) {
                lookup::encode_miss(self, text, number, misses, scratch)?;
                continue;
            }
            self.begin(characters, piece, number, scratch.lockstep.next());
            if scratch.lockstep.is_full() {
                self.finish_all(text, misses, scratch);
            }
        }
        self.finish_all(text, misses, scratch);
        Ok(())
    }

    /// Writes the first symbols of a piece and asks for their pairs.
    #[inline]
    fn begin(&self, characters: &Characters, piece: &[u8], number: usize, lane: &mut Lane) {
        let count = characters.start(piece, &mut lane.work.symbols);
        (lane.number, lane.count) = (number, count);
        lane.work.prefetch_all(&self.pairs, self.joints.as_ref(), count);
    }

    /// Merges all that are under way.
    fn finish_all(&self, text: &[u8], misses: &mut Misses, scratch: &mut Scratch) {
        let mut lockstep = std::mem::take(&mut scratch.lockstep);
        let mut active = [0_u8; LANES];
        let mut left = 0;
        for at in 0..lockstep.used {
            let lane = &mut lockstep.lanes[at];
            lane.work.rank_joinable(&self.pairs, lane.count);
            active[left] = at as u8;
            left += usize::from(self.step(lane, text, misses, scratch));
        }
        while left > 0 {
            let before = std::mem::take(&mut left);
            for at in 0..before {
                let lane = &mut lockstep.lanes[usize::from(active[at])];
                lane.work.rank_around(&self.pairs, lane.place);
                active[left] = active[at];
                left += usize::from(self.step(lane, text, misses, scratch));
            }
        }
        for lane in lockstep.lanes.iter().take(lockstep.used) {
            let (start, end) = misses.span(lane.number);
            let piece = &text[start..end];
            if !self.is_long_one_off(piece) {
                scratch.memory.cache.learn(piece, misses.ids_of(lane.number));
            }
        }
        lockstep.used = 0;
        scratch.lockstep = lockstep;
    }

    /// Joins one pair and asks for its neighbours; at the end puts the ids where they belong, and says `false`.
    #[inline(always)]
    fn step(&self, lane: &mut Lane, text: &[u8], misses: &mut Misses, scratch: &mut Scratch) -> bool {
        if let Some((_, left, _)) = lane.work.join(&self.pairs) {
            lane.place = left.place as usize;
            lane.work.prefetch_around(&self.pairs, lane.place);
            return true;
        }
        self.end(lane, text, misses, scratch);
        false
    }

    #[inline]
    fn end(&self, lane: &Lane, text: &[u8], misses: &mut Misses, scratch: &Scratch) {
        let ((start, end), first) = (misses.span(lane.number), misses.ids.len());
        misses.ids.extend(lane.work.left().map(|symbol| self.ids.of(symbol)));
        misses.give_from(lane.number, first);
        scratch.memory.cache.prepare(&text[start..end], misses.ids.len() - first);
    }
}
