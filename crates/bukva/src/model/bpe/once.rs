//! Parts of a text that whoever asks has learned already, or learns by other bytes.

use super::{BpeEncoder, Scratch};
use crate::error::Result;
use crate::model::lookup;

impl BpeEncoder {
    /// As [`BpeEncoder::encode`], learning nothing.
    ///
    /// # Errors
    /// As [`BpeEncoder::encode`].
    pub(in crate::model) fn encode_once(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        scratch.serve(self);
        if let Some(id) = self.whole.get(piece) {
            out.push(id);
            return Ok(());
        }
        if self.leaves_out(scratch) || self.rules.divide(piece) {
            return lookup::encode(self, piece, scratch, out);
        }
        self.merge_met(piece, scratch, out)
    }

    /// Whether a text falls apart wherever no token holds two characters side by side: nothing but merges joins them, and
    /// no text is without symbols.
    pub(crate) fn falls_apart(&self) -> bool {
        self.rules.only_merge() && self.symbols.spell_everything()
    }
}
