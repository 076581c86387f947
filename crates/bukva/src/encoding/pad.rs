//! Filling encodings up to a length.

use super::{FullEncoding, Label};
use crate::error::{Error, Kind, Result};
use crate::spec::{Padding, Side};

impl FullEncoding {
    /// Fills up to `length` tokens, the overflowing windows too. Longer ones stay. O(tokens).
    pub fn pad(&mut self, length: usize, padding: &Padding) {
        self.overflowing.iter_mut().for_each(|window| window.pad(length, padding));
        let missing = length.saturating_sub(self.len());
        if missing == 0 {
            return;
        }
        let side = padding.side;
        fill(&mut self.ids, missing, padding.pad_id, side);
        fill(&mut self.type_ids, missing, padding.pad_type_id, side);
        fill(&mut self.labels, missing, Label::Text(padding.pad_token.as_str().into()), side);
        fill(&mut self.words, missing, None, side);
        fill(&mut self.offsets, missing, (0, 0), side);
        fill(&mut self.special_tokens_mask, missing, 1, side);
        fill(&mut self.attention_mask, missing, 0, side);
        if side == Side::Left {
            self.sequences.values_mut().for_each(|range| *range = range.start + missing..range.end + missing);
        }
    }
}

fn fill<T: Clone>(list: &mut Vec<T>, missing: usize, value: T, side: Side) {
    let at = if side == Side::Left { 0 } else { list.len() };
    list.splice(at..at, std::iter::repeat_n(value, missing));
}

/// Tokens that an encoding is filled up to at most.
const MOST: usize = 1 << 28;

/// Fills all encodings up to the length that `padding` names, or to that of the longest. O(tokens).
///
/// # Errors
/// [`Kind::Argument`] for a length above 2^28.
pub fn pad_all(encodings: &mut [FullEncoding], padding: &Padding) -> Result<()> {
    let longest = encodings.iter().map(FullEncoding::len).max().unwrap_or(0);
    let length = padding.length.unwrap_or(longest);
    let length = match padding.multiple_of {
        Some(multiple) if multiple > 0 && !encodings.is_empty() => length.div_ceil(multiple).saturating_mul(multiple),
        _ => length,
    };
    if length > MOST.max(longest) {
        let message = format!("padding to {length} tokens: at most {MOST} are filled up to; give a smaller length");
        return Err(Error::new(Kind::Argument, message));
    }
    encodings.iter_mut().for_each(|encoding| encoding.pad(length, padding));
    Ok(())
}
