//! Pre-tokens in groups, for the model to look up together.

use crate::error::Result;
use crate::model::Span;
use crate::pipeline::Item;
use crate::pretokenize::Splitter;

/// Calls `step` with groups of the pre-tokens of a text that begins at `start`, until it fails.
#[inline]
pub(crate) fn in_groups(
    splitter: &Splitter,
    text: &str,
    start: usize,
    step: &mut impl FnMut(Item) -> Result<()>,
) -> Result<()> {
    // To clear the large one takes longer than to encode a word.
    if text.len() <= 8 * FEW {
        in_groups_of(&mut [(0, 0); FEW], splitter, text, start, step)
    } else {
        in_groups_of(&mut [(0, 0); GROUP], splitter, text, start, step)
    }
}

#[inline]
fn in_groups_of(
    group: &mut [Span],
    splitter: &Splitter,
    text: &str,
    start: usize,
    step: &mut impl FnMut(Item) -> Result<()>,
) -> Result<()> {
    let (mut filled, mut outcome) = (0, Ok(()));
    let bytes = text.as_bytes();
    splitter.for_each(text, |from, to| {
        group[filled] = (from, to);
        filled += 1;
        if filled == group.len() {
            if outcome.is_ok() {
                outcome = step(Item::Pieces { text: bytes, spans: group, start });
            }
            filled = 0;
        }
    })?;
    outcome.and_then(|()| step(Item::Pieces { text: bytes, spans: &group[..filled], start }))
}

/// Pre-tokens handed to the model at a time: enough to look ahead, few enough to stay in the first-level cache.
pub(crate) const GROUP: usize = 256;
/// The same for short texts.
const FEW: usize = 32;
