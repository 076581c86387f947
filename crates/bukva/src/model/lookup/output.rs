//! What becomes of ids that are found: they are kept, or counted.

use super::Memoized;
use crate::error::Result;

/// Takes ids.
pub(super) trait Output {
    /// Takes the first `count` of `ids`.
    fn put<const N: usize>(&mut self, ids: &[u32; N], count: u32);

    /// Takes all of `ids`.
    fn put_all(&mut self, ids: &[u32]);

    /// Takes what a model makes of a piece that is in no table.
    fn put_new<M: Memoized>(&mut self, model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<()>;
}

impl Output for Vec<u32> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, ids: &[u32; N], count: u32) {
        // To copy all and drop some takes no decision that depends on the text.
        let end = self.len() + count as usize;
        self.extend_from_slice(ids);
        self.truncate(end);
    }

    fn put_all(&mut self, ids: &[u32]) {
        self.extend_from_slice(ids);
    }

    fn put_new<M: Memoized>(&mut self, model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<()> {
        model.encode_new(piece, scratch, self)
    }
}

/// Counts and keeps nothing.
pub(super) struct Counted(pub usize);

impl Output for Counted {
    #[inline(always)]
    fn put<const N: usize>(&mut self, _: &[u32; N], count: u32) {
        self.0 += count as usize;
    }

    fn put_all(&mut self, ids: &[u32]) {
        self.0 += ids.len();
    }

    fn put_new<M: Memoized>(&mut self, model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<()> {
        self.0 += model.count_new(piece, scratch)?;
        Ok(())
    }
}
