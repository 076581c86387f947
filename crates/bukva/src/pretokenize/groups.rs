//! Pre-tokens in groups.

use super::Splitter;
use crate::error::Result;
use crate::model::Span;

/// Pre-tokens handed on at a time: enough to find new ones that can be encoded together, few enough to stay near the
/// processor.
pub(crate) const MANY: usize = 1024;
/// The same for short texts, one byte each.
const FEW: usize = 32;
/// The same for lines.
const LINE: usize = 64;
/// The longest of them, in bytes.
const LINE_BYTES: usize = 192;
/// The same for texts between.
const SOME: usize = 192;
/// The longest of them, in bytes.
const MIDDLING: usize = 2048;

/// The most pre-tokens that come at once.
const AT_ONCE: usize = 64;
/// Those that are written between two decisions.
const STEP: usize = 8;

impl Splitter {
    /// Calls `step` with groups of the pre-tokens of `text`, one at least, until it fails.
    ///
    /// # Errors
    /// As [`Splitter::for_each`], and what `step` answers.
    #[inline]
    pub(crate) fn in_groups(&self, text: &str, step: &mut impl FnMut(&[Span]) -> Result<()>) -> Result<()> {
        in_groups(text.len(), step, |groups| self.give(text, groups))
    }
}

/// Calls `step` with groups of what `fill` emits of a text of so many bytes, one at least, until one of them fails.
///
/// # Errors
/// That of `fill`, and what `step` answers.
#[inline]
pub(crate) fn in_groups<S: FnMut(&[Span]) -> Result<()>>(
    length: usize,
    step: &mut S,
    fill: impl FnOnce(&mut Groups<S>) -> Result<()>,
) -> Result<()> {
    // To clear the large one takes longer than to encode a word.
    match length {
        length if length <= FEW => by_group(&mut [(0, 0); FEW], step, fill),
        length if length <= LINE_BYTES => by_group(&mut [(0, 0); LINE], step, fill),
        length if length <= MIDDLING => by_group(&mut [(0, 0); SOME], step, fill),
        _ => by_group(&mut [(0, 0); MANY], step, fill),
    }
}

fn by_group<S: FnMut(&[Span]) -> Result<()>>(
    group: &mut [Span],
    step: &mut S,
    fill: impl FnOnce(&mut Groups<S>) -> Result<()>,
) -> Result<()> {
    let mut groups = Groups { group, filled: 0, step, outcome: Ok(()) };
    fill(&mut groups)?;
    groups.outcome.and_then(|()| (groups.step)(&groups.group[..groups.filled]))
}

/// A group that is being filled.
pub(crate) struct Groups<'g, S> {
    group: &'g mut [Span],
    filled: usize,
    step: &'g mut S,
    outcome: Result<()>,
}

impl<S: FnMut(&[Span]) -> Result<()>> Groups<'_, S> {
    /// Adds a pre-token.
    #[inline(always)]
    pub(super) fn push(&mut self, span: Span) {
        self.group[self.filled] = span;
        self.filled += 1;
        if self.filled == self.group.len() {
            self.hand_on();
        }
    }

    /// Adds many: see [`super::Emit::many`]. How many there are is decided by eights, for nothing foretells it.
    #[inline(always)]
    pub(super) fn push_all(&mut self, mut ends: u64, base: usize, mut open: usize) -> usize {
        let count = ends.count_ones() as usize;
        if self.filled + AT_ONCE >= self.group.len() {
            self.hand_on();
        }
        let Some(room) = self.group.get_mut(self.filled..self.filled + AT_ONCE) else {
            return super::emit::one_by_one(self, ends, base, open);
        };
        for eight in room.as_chunks_mut::<STEP>().0 {
            for span in eight {
                let end = base + ends.trailing_zeros() as usize;
                *span = (open, end);
                // Behind the last one nothing is taken.
                open = if ends == 0 { open } else { end };
                ends &= ends.wrapping_sub(1);
            }
            if ends == 0 {
                break;
            }
        }
        self.filled += count;
        open
    }

    fn hand_on(&mut self) {
        if self.outcome.is_ok() {
            self.outcome = (self.step)(&self.group[..self.filled]);
        }
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::spec::NamedPattern;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn groups_hold_what_comes_one_by_one(
            words in prop::collection::vec(prop::sample::select(&["a", " b", "…", " длинное", "?!", "12", "\n"][..]), 0..9000),
            fail_at in 0..12_usize,
        ) {
            let text = words.concat();
            let splitter = Splitter::named(NamedPattern::O200k);
            let (mut single, mut grouped, mut groups) = (Vec::new(), Vec::new(), 0);
            splitter.for_each(&text, |from, to| single.push((from, to))).unwrap();
            let stopped = splitter.in_groups(&text, &mut |spans| {
                groups += 1;
                grouped.extend_from_slice(spans);
                let stop = crate::Error::new(crate::Kind::Cancelled, "enough");
                if groups == fail_at { Err(stop) } else { Ok(()) }
            });
            prop_assert_eq!(stopped.is_err(), fail_at > 0 && groups == fail_at);
            prop_assert_eq!(&single[..grouped.len()], &grouped[..]);
            prop_assert!(stopped.is_err() || single.len() == grouped.len());
        }
    }
}
