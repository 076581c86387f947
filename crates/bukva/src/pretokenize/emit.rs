//! What takes pre-tokens: any function, or what can take many at once.

use super::groups::Groups;
use crate::error::Result;
use crate::model::Span;

/// Takes the pre-tokens of a text, in order.
pub(crate) trait Emit {
    /// Takes the pre-token at `start..end`.
    fn one(&mut self, start: usize, end: usize);

    /// Takes the pre-tokens that end where `ends` has a bit, the lowest for the byte `base`; the first begins at `open`,
    /// each of the others where the one before ends. Returns the end of the last.
    #[inline(always)]
    fn many(&mut self, ends: u64, base: usize, open: usize) -> usize {
        one_by_one(self, ends, base, open)
    }
}

/// Takes many pre-tokens one after the other.
#[inline(always)]
pub(super) fn one_by_one<E: Emit + ?Sized>(emit: &mut E, mut ends: u64, base: usize, mut open: usize) -> usize {
    while ends != 0 {
        let end = base + ends.trailing_zeros() as usize;
        emit.one(open, end);
        open = end;
        ends &= ends - 1;
    }
    open
}

impl<F: FnMut(usize, usize)> Emit for F {
    #[inline(always)]
    fn one(&mut self, start: usize, end: usize) {
        self(start, end);
    }
}

impl<S: FnMut(&[Span]) -> Result<()>> Emit for Groups<'_, S> {
    #[inline(always)]
    fn one(&mut self, start: usize, end: usize) {
        self.push((start, end));
    }

    #[inline(always)]
    fn many(&mut self, ends: u64, base: usize, open: usize) -> usize {
        self.push_all(ends, base, open)
    }
}
