//! Cutting encodings into windows.

use std::ops::Range;

use super::FullEncoding;
use crate::error::{Error, Kind, Result};
use crate::spec::{Side, Truncation, TruncationStrategy};

/// The windows of a sequence of `len` tokens, the one that is kept first: each has at most `max_length` tokens and
/// shares `stride` with its neighbour. From the right the last one may be shorter, from the left the first. O(windows).
///
/// # Errors
/// [`Kind::Argument`] unless `stride` is less than `max_length`.
pub fn window_ranges(len: usize, max_length: usize, stride: usize, side: Side) -> Result<Vec<Range<usize>>> {
    let Some(step) = max_length.checked_sub(stride).filter(|step| *step > 0) else {
        let message = format!(
            "stride {stride} must be less than the window of {max_length} tokens (its length without control tokens)"
        );
        return Err(Error::new(Kind::Argument, message));
    };
    let (mut windows, mut begin) = (Vec::new(), 0);
    while begin < len {
        let end = begin.saturating_add(max_length).min(len);
        windows.push(match side {
            Side::Right => begin..end,
            Side::Left => len - end..len - begin,
        });
        if end == len {
            break;
        }
        begin += step;
    }
    Ok(windows)
}

impl FullEncoding {
    /// Keeps the first window; the others become the overflowing ones. With `max_length` 0 all tokens overflow at
    /// once. O(tokens of all windows).
    ///
    /// # Errors
    /// As [`window_ranges`].
    pub fn truncate(&mut self, max_length: usize, stride: usize, side: Side) -> Result<()> {
        if max_length >= self.len() {
            return Ok(());
        }
        if max_length == 0 {
            let whole = std::mem::take(self);
            self.overflowing.push(whole);
            return Ok(());
        }
        let mut windows =
            window_ranges(self.len(), max_length, stride, side)?.into_iter().map(|range| self.part(range));
        let mut kept = windows.next().unwrap_or_default();
        kept.overflowing = windows.collect();
        *self = kept;
        Ok(())
    }
}

/// Cuts a text, or a pair, to the length that `truncation` names.
///
/// # Errors
/// [`Kind::Argument`] if the strategy asks for a second text that is not there, or for a text that is too short to be
/// cut so much; and as [`window_ranges`].
pub fn truncate(first: &mut FullEncoding, second: Option<&mut FullEncoding>, truncation: &Truncation) -> Result<()> {
    let Truncation { max_length, stride, strategy, side } = *truncation;
    if max_length == 0 {
        first.truncate(0, stride, side)?;
        return second.map_or(Ok(()), |second| second.truncate(0, stride, side));
    }
    let total = first.len() + second.as_ref().map_or(0, |second| second.len());
    if total <= max_length {
        return Ok(());
    }
    match (strategy, second) {
        (TruncationStrategy::LongestFirst, None) => first.truncate(max_length, stride, side),
        (TruncationStrategy::LongestFirst, Some(second)) => {
            let (shorter, longer) = shares(first.len().min(second.len()), max_length);
            let (of_first, of_second) = if first.len() > second.len() { (longer, shorter) } else { (shorter, longer) };
            first.truncate(of_first, stride, side)?;
            second.truncate(of_second, stride, side)
        }
        (TruncationStrategy::OnlyFirst, _) => cut_by(first, total - max_length, truncation),
        (TruncationStrategy::OnlySecond, Some(second)) => cut_by(second, total - max_length, truncation),
        (TruncationStrategy::OnlySecond, None) => {
            Err(Error::new(Kind::Argument, "Truncation error: Second sequence not provided"))
        }
    }
}

/// How many tokens the shorter text of a pair keeps, and the longer one.
fn shares(shorter: usize, max_length: usize) -> (usize, usize) {
    let longer = shorter.max(max_length.saturating_sub(shorter));
    if shorter + longer > max_length { (max_length / 2, max_length / 2 + max_length % 2) } else { (shorter, longer) }
}

fn cut_by(encoding: &mut FullEncoding, excess: usize, truncation: &Truncation) -> Result<()> {
    if encoding.len() <= excess {
        let message = "Truncation error: Sequence to truncate too short to respect the provided max_length";
        return Err(Error::new(Kind::Argument, message));
    }
    encoding.truncate(encoding.len() - excess, truncation.stride, truncation.side)
}
