//! What becomes of ids that are found: they are kept, or counted.

use super::Memoized;
use super::misses::Misses;
use crate::error::Result;

/// Takes ids.
pub(super) trait Output {
    /// Takes `ids`, but for the last: it is their number.
    fn put<const N: usize>(&mut self, ids: &[u32; N]);

    /// Takes all of `ids`.
    fn put_all(&mut self, ids: &[u32]);

    /// How many ids there are.
    fn count(&self) -> usize;

    /// Drops all ids after the first `count`.
    fn cut(&mut self, count: usize);

    /// Takes the ids of misses to their places among those that were taken since the first of them.
    fn put_between(&mut self, misses: &Misses);

    /// Takes what a model makes of a piece that is in no table.
    fn put_new<M: Memoized>(&mut self, model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<()>;
}

/// Keeps ids behind those of a list. The list is longer than what is kept, until this is dropped.
pub(super) struct Kept<'a> {
    list: &'a mut Vec<u32>,
    count: usize,
}

/// By how much the list is longer, at the least and at the most.
const LEAST: usize = 8;
const ROOM: usize = 256;

impl<'a> Kept<'a> {
    pub(super) fn behind(list: &'a mut Vec<u32>) -> Self {
        Kept { count: list.len(), list }
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.list.truncate(self.count);
    }
}

impl Output for Kept<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, ids: &[u32; N]) {
        const { assert!(N <= LEAST) };
        if self.list.len() < self.count + LEAST {
            self.list.resize(self.count + ROOM, 0);
        }
        // To copy all and count some takes no decision that depends on the text.
        self.list[self.count..self.count + N].copy_from_slice(ids);
        self.count += ids[N - 1] as usize;
    }

    fn put_all(&mut self, ids: &[u32]) {
        self.list.truncate(self.count);
        self.list.extend_from_slice(ids);
        self.count = self.list.len();
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    fn cut(&mut self, count: usize) {
        self.count = count;
    }

    fn put_between(&mut self, misses: &Misses) {
        let count = self.count + misses.count();
        if self.list.len() < count + LEAST {
            self.list.resize(count + ROOM, 0);
        }
        misses.splice(self.list, self.count);
        self.count = count;
    }

    fn put_new<M: Memoized>(&mut self, model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<()> {
        self.list.truncate(self.count);
        let done = model.encode_new(piece, scratch, self.list);
        self.count = self.list.len();
        done
    }
}

/// Counts and keeps nothing.
pub(super) struct Counted(pub usize);

impl Output for Counted {
    #[inline(always)]
    fn put<const N: usize>(&mut self, ids: &[u32; N]) {
        self.0 += ids[N - 1] as usize;
    }

    fn put_all(&mut self, ids: &[u32]) {
        self.0 += ids.len();
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.0
    }

    fn cut(&mut self, count: usize) {
        self.0 = count;
    }

    fn put_between(&mut self, misses: &Misses) {
        self.0 += misses.count();
    }

    fn put_new<M: Memoized>(&mut self, model: &M, piece: &[u8], scratch: &mut M::Scratch) -> Result<()> {
        self.0 += model.count_new(piece, scratch)?;
        Ok(())
    }
}
