//! The words of a part of the corpus, as they are trained: without those that subsampling leaves out.

use std::ops::Range;

use super::ids::{END, Ids};
use super::random::Random;
use super::schedule::Part;
use super::subsample::Subsample;

/// Words of one document, or of that piece of it that lies in a part of the corpus.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    /// The words that are kept, with some of the document before and after the piece, for windows at its edges.
    pub(super) words: Vec<u32>,
    /// Which of them are of the piece itself.
    pub(super) own: Range<usize>,
    /// For each word the place behind its last occurrence among those that a window can hold beside it; 0 for none.
    last: Vec<u32>,
}

impl Piece {
    /// Whether a word may come twice in a range of a window's length: never false where one does.
    #[inline(always)]
    pub(super) fn may_repeat(&self, range: Range<usize>) -> bool {
        let start = range.start as u32;
        self.last[range].iter().fold(0, |last, &place| last.max(place)) > start
    }

    /// Where the word at a place stands before it, if that is within two windows.
    #[inline(always)]
    pub(super) fn earlier(&self, at: usize) -> Option<usize> {
        (self.last[at] as usize).checked_sub(1)
    }

    /// Fills the piece with what follows `at`, up to the end of the document or of `part`; gives where it ends.
    /// `window` words before and after are taken from the same document, if the part cuts it.
    pub(super) fn fill(
        &mut self,
        ids: &Ids,
        part: &Part,
        at: usize,
        window: usize,
        subsample: &Subsample,
        random: &mut Random,
    ) -> usize {
        let Piece { words, own, last } = self;
        words.clear();
        let mut kept = |word: &u32| subsample.keeps(*word, random);
        if at == part.range.start {
            let before = ids.before(part.segment, at).take_while(|&word| word != END);
            words.extend(before.filter(&mut kept).take(window));
            words.reverse();
        }
        own.start = words.len();
        let rest = &ids.segments()[part.segment][at..part.range.end];
        let length = rest.iter().position(|&word| word == END).unwrap_or(rest.len());
        words.extend(rest[..length].iter().copied().filter(&mut kept));
        own.end = words.len();
        if length == rest.len() {
            let after = ids.after(part.segment, part.range.end).take_while(|&word| word != END);
            words.extend(after.filter(&mut kept).take(window));
        }
        last.clear();
        last.extend((0..words.len()).map(|at| {
            let earlier = at.saturating_sub(2 * window);
            let place = words[earlier..at].iter().rposition(|&word| word == words[at]);
            place.map_or(0, |place| (earlier + place) as u32 + 1)
        }));
        at + length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(ids: &Ids, segment: usize, range: Range<usize>, at: usize) -> (Vec<u32>, Vec<u32>, usize) {
        let mut piece = Piece::default();
        let keep_all = Subsample::new(&[1; 20], 0.0);
        let part = Part { segment, range, before: 0 };
        let end = piece.fill(ids, &part, at, 2, &keep_all, &mut Random::new(0, &[]));
        (piece.words[piece.own.clone()].to_vec(), piece.words, end)
    }

    #[test]
    fn windows_reach_over_parts_but_not_over_documents() {
        let ids = Ids::of(&[&[0, 1, 2, 3, 4, 5, 6, END, 8, 9, END, 11]]);
        assert_eq!(filled(&ids, 0, 3..5, 3), (vec![3, 4], vec![1, 2, 3, 4, 5, 6], 5));
        assert_eq!(filled(&ids, 0, 0..3, 0), (vec![0, 1, 2], vec![0, 1, 2, 3, 4], 3));
        assert_eq!(filled(&ids, 0, 5..12, 5), (vec![5, 6], vec![3, 4, 5, 6], 7));
        assert_eq!(filled(&ids, 0, 5..12, 8), (vec![8, 9], vec![8, 9], 10));
        assert_eq!(filled(&ids, 0, 5..12, 11), (vec![11], vec![11], 12));
        assert_eq!(filled(&ids, 0, 6..9, 8), (vec![8], vec![8, 9], 9));
        assert_eq!(filled(&ids, 0, 7..9, 7), (vec![], vec![5, 6], 7));
    }

    #[test]
    fn repetitions_are_seen() {
        let mut piece = Piece::default();
        let ids = Ids::of(&[&[1, 2, 3, 1, 4, 5, 6, 7, 1]]);
        let part = Part { segment: 0, range: 0..9, before: 0 };
        piece.fill(&ids, &part, 0, 2, &Subsample::new(&[1; 9], 0.0), &mut Random::new(0, &[]));
        assert!(piece.may_repeat(0..4) && piece.may_repeat(0..5));
        assert!(!piece.may_repeat(0..3) && !piece.may_repeat(1..5) && !piece.may_repeat(4..9));
    }

    #[test]
    fn documents_go_on_in_the_next_segment() {
        let ids = Ids::of(&[&[0, 1, 2], &[3, 4, END, 6]]);
        assert_eq!(filled(&ids, 0, 2..3, 2), (vec![2], vec![0, 1, 2, 3, 4], 3));
        assert_eq!(filled(&ids, 1, 0..1, 0), (vec![3], vec![1, 2, 3, 4], 1));
    }
}
