//! The words of a part of the corpus, as they are trained: without those that subsampling leaves out.

use std::ops::Range;

use super::random::Random;
use super::subsample::Subsample;

/// The mark of the end of a document in a list of ids. Windows do not reach over it.
pub(super) const END: u32 = u32::MAX;

/// Words of one document, or of that piece of it that lies in a part of the corpus.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    /// The words that are kept, with some of the document before and after the piece, for windows at its edges.
    pub(super) words: Vec<u32>,
    /// Which of them are of the piece itself.
    pub(super) own: Range<usize>,
}

impl Piece {
    /// Fills the piece with what follows `at`, up to the end of the document or of `part`; gives where it ends.
    /// `window` words before and after are taken from the same document, if the part cuts it.
    pub(super) fn fill(
        &mut self,
        ids: &[u32],
        part: &Range<usize>,
        at: usize,
        window: usize,
        subsample: &Subsample,
        random: &mut Random,
    ) -> usize {
        let Piece { words, own } = self;
        words.clear();
        if at == part.start {
            let before = ids[..at].iter().rev().take_while(|&&word| word != END);
            words.extend(before.copied().filter(|&word| subsample.keeps(word, random)).take(window));
            words.reverse();
        }
        own.start = words.len();
        let rest = &ids[at..part.end];
        let length = rest.iter().position(|&word| word == END).unwrap_or(rest.len());
        words.extend(rest[..length].iter().copied().filter(|&word| subsample.keeps(word, random)));
        own.end = words.len();
        if length == rest.len() {
            let after = ids[part.end..].iter().take_while(|&&word| word != END);
            words.extend(after.copied().filter(|&word| subsample.keeps(word, random)).take(window));
        }
        at + length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(ids: &[u32], part: Range<usize>, at: usize) -> (Vec<u32>, Vec<u32>, usize) {
        let mut piece = Piece::default();
        let keep_all = Subsample::new(&[1; 20], 0.0);
        let end = piece.fill(ids, &part, at, 2, &keep_all, &mut Random::new(0, [0, 0]));
        (piece.words[piece.own.clone()].to_vec(), piece.words, end)
    }

    #[test]
    fn windows_reach_over_parts_but_not_over_documents() {
        let ids = [0, 1, 2, 3, 4, 5, 6, END, 8, 9, END, 11];
        assert_eq!(filled(&ids, 3..5, 3), (vec![3, 4], vec![1, 2, 3, 4, 5, 6], 5));
        assert_eq!(filled(&ids, 0..3, 0), (vec![0, 1, 2], vec![0, 1, 2, 3, 4], 3));
        assert_eq!(filled(&ids, 5..12, 5), (vec![5, 6], vec![3, 4, 5, 6], 7));
        assert_eq!(filled(&ids, 5..12, 8), (vec![8, 9], vec![8, 9], 10));
        assert_eq!(filled(&ids, 5..12, 11), (vec![11], vec![11], 12));
        assert_eq!(filled(&ids, 6..9, 8), (vec![8], vec![8, 9], 9));
        assert_eq!(filled(&ids, 7..9, 7), (vec![], vec![5, 6], 7));
    }
}
