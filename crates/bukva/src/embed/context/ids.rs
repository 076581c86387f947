//! A corpus as numbers: one for each word, by falling frequency.

use std::collections::BTreeMap;

/// The mark of the end of a document. Windows do not reach over it.
pub(in crate::embed) const END: u32 = u32::MAX;
/// The mark of a word that is left out.
pub(super) const DROPPED: u32 = u32::MAX - 1;

/// Ids of a segment at most: 32 MB, which allocators take from the system and give back to it.
const SEGMENT: usize = 1 << 23;

/// The ids of all words of a corpus with [`END`] after each document. 4 bytes a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::embed) struct Ids {
    segments: Vec<Vec<u32>>,
}

impl Ids {
    /// Ids in segments.
    #[cfg(test)]
    pub(in crate::embed) fn of(segments: &[&[u32]]) -> Self {
        Ids { segments: segments.iter().map(|segment| segment.to_vec()).collect() }
    }

    /// Ids, marks among them.
    pub(in crate::embed) fn len(&self) -> usize {
        self.segments.iter().map(Vec::len).sum()
    }

    /// The parts that it is kept in. Documents may go on from one to the next.
    pub(in crate::embed) fn segments(&self) -> &[Vec<u32>] {
        &self.segments
    }

    /// What stands before a place in a segment, backwards.
    pub(in crate::embed) fn before(&self, segment: usize, at: usize) -> impl Iterator<Item = u32> {
        let earlier = self.segments[..segment].iter().rev().flat_map(|ids| ids.iter().rev());
        self.segments[segment][..at].iter().rev().chain(earlier).copied()
    }

    /// What stands at a place in a segment and behind it.
    pub(in crate::embed) fn after(&self, segment: usize, at: usize) -> impl Iterator<Item = u32> {
        self.segments[segment][at..].iter().chain(self.segments[segment + 1..].iter().flatten()).copied()
    }

    fn extend(&mut self, mut ids: &[u32]) {
        while !ids.is_empty() {
            let full = self.segments.last().is_none_or(|last| last.len() == SEGMENT);
            if full {
                self.segments.push(Vec::with_capacity(SEGMENT));
            }
            let Some(last) = self.segments.last_mut() else { return };
            let (now, later) = ids.split_at(ids.len().min(SEGMENT - last.len()));
            last.extend_from_slice(now);
            ids = later;
        }
    }
}

/// Puts blocks of numbers together that come out of order, from threads that number words each in its own way.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    ids: Ids,
    /// Who numbered the words of each block, and where the block ends.
    runs: Vec<(usize, usize)>,
    /// Blocks that came early.
    waiting: BTreeMap<u64, (usize, Vec<u32>)>,
    length: usize,
}

impl Assembly {
    /// Takes the numbers of block `index`, counted from 0 without a gap.
    pub(super) fn push(&mut self, index: u64, thread: usize, numbers: Vec<u32>) {
        self.waiting.insert(index, (thread, numbers));
        while let Some((thread, numbers)) = self.waiting.remove(&(self.runs.len() as u64)) {
            self.ids.extend(&numbers);
            self.length += numbers.len();
            self.runs.push((thread, self.length));
        }
    }

    /// Gives every number its final id by the map of its thread, and leaves out what maps to [`DROPPED`]. O(words), in
    /// place.
    pub(super) fn finish(mut self, maps: &[Vec<u32>]) -> Ids {
        let mut runs = self.runs.iter();
        let mut run = runs.next();
        let mut place = 0;
        for segment in &mut self.ids.segments {
            let (mut from, mut to) = (0, 0);
            while let Some(&(thread, end)) = run.filter(|_| from < segment.len()) {
                let until = segment.len().min(from + (end - place));
                to = renumber(segment, from..until, to, &maps[thread]);
                place += until - from;
                from = until;
                if place == end {
                    run = runs.next();
                }
            }
            segment.truncate(to);
        }
        self.ids
    }
}

/// Maps the ids of a range and moves those that stay to `to`. Gives where they end.
fn renumber(ids: &mut [u32], range: std::ops::Range<usize>, mut to: usize, map: &[u32]) -> usize {
    for from in range {
        let number = ids[from];
        let id = if number == END { END } else { map[number as usize] };
        ids[to] = id;
        to += usize::from(id != DROPPED);
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_put_in_order_and_renumbered() {
        let mut assembly = Assembly::default();
        assembly.push(1, 1, vec![0, 1, END]);
        assembly.push(2, 0, vec![1, 1]);
        assembly.push(0, 0, vec![0, 1, END, 2]);
        let ids = assembly.finish(&[vec![7, DROPPED, 8], vec![8, 7]]);
        assert_eq!(ids, Ids::of(&[&[7, END, 8, 8, 7, END]]));
    }

    #[test]
    fn segments_are_one_text() {
        let ids = Ids::of(&[&[1, 2], &[], &[3, 4], &[5]]);
        assert_eq!(ids.before(2, 1).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(ids.after(2, 1).collect::<Vec<_>>(), [4, 5]);
        assert_eq!((ids.len(), ids.segments().len()), (5, 4));
    }

    #[test]
    fn long_corpora_have_several_segments() {
        let mut assembly = Assembly::default();
        let block: Vec<u32> = (0..1_000_003).collect();
        (0..9).for_each(|index| assembly.push(index, 0, block.clone()));
        let ids =
            assembly.finish(&[(0..1_000_003).map(|number| if number % 2 == 0 { number } else { DROPPED }).collect()]);
        assert_eq!(ids.segments().len(), 2);
        let expected = (0..9).flat_map(|_| (0..1_000_003).step_by(2));
        assert!(ids.after(0, 0).eq(expected));
    }
}
