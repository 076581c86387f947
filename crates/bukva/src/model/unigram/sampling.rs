//! Segmentations other than the best one.

use super::UnigramEncoder;
use super::best::{Best, Step};
use super::lattice::Lattice;
use crate::error::Result;
use crate::model::check_length;
use crate::model::random::Random;

impl UnigramEncoder {
    /// At most `n` segmentations of a pre-token with the highest sums of scores, the highest first. As SentencePiece's
    /// `NBestEncode`, also where sums are equal. A list of one is what encoding gives.
    ///
    /// # Errors
    /// As [`UnigramEncoder::encode_spans`].
    pub fn nbest(&self, piece: &[u8], n: usize) -> Result<Vec<(Vec<u32>, f64)>> {
        check_length(piece)?;
        if piece.is_empty() {
            return Ok(vec![(Vec::new(), 0.0)]);
        }
        if n == 1 {
            let mut best = Best::default();
            let sum = best.search(&self.entries, piece, 0.0);
            return Ok(vec![(self.ids_of(piece, &best.path)?, sum)]);
        }
        let found = Lattice::new(&self.entries, piece).best(n);
        found.into_iter().map(|(path, sum)| Ok((self.ids_of(piece, &path)?, sum))).collect()
    }

    /// Appends the ids of a segmentation drawn with probability in proportion to exp(`alpha` × sum of scores), of all
    /// (`n_best` `None`) or of the `n_best` highest. Source: Kudo 2018.
    ///
    /// # Errors
    /// As [`UnigramEncoder::encode_spans`].
    pub fn sample(
        &self,
        piece: &[u8],
        alpha: f64,
        n_best: Option<usize>,
        random: &mut Random,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        check_length(piece)?;
        if piece.is_empty() {
            return Ok(());
        }
        let lattice = Lattice::new(&self.entries, piece);
        let path = match n_best {
            None => lattice.sample(alpha, random),
            Some(n) => {
                let mut found = lattice.best(n.max(1));
                let highest = found.first().map_or(0.0, |path| path.1);
                let weights: Vec<f64> = found.iter().map(|path| (alpha * (path.1 - highest)).exp()).collect();
                found.swap_remove(random.next_index(&weights)).0
            }
        };
        out.extend(self.ids_of(piece, &path)?);
        Ok(())
    }

    fn ids_of(&self, piece: &[u8], path: &[Step]) -> Result<Vec<u32>> {
        let (mut ids, mut run) = (Vec::new(), None);
        let mut emit = |token: crate::model::TokenSpan| ids.push(token.id);
        self.entries.spell(piece, path, 0, &mut run, &mut emit)?;
        self.entries.close(piece, &mut run, &mut emit)?;
        Ok(ids)
    }
}
