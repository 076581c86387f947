//! What comes to the model, with the places that the `tokenizers` library gives it.

use crate::added::Recognise;
use crate::align::AlignedText;
use crate::error::Result;
use crate::pipeline::Tokenizer;

/// A piece of a text after added tokens, normalization and pre-tokenization, as in the library's
/// `PreTokenizedString`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HfPiece<'t> {
    /// An added token, with the white space that its rules take.
    Added {
        /// Its id.
        id: u32,
        /// First byte in the original.
        start: usize,
        /// Byte behind the last.
        end: usize,
        /// Its text: as it stands in the original, or normalized if it is matched so.
        text: String,
    },
    /// A pre-token. Where the model sees bytes, it is the text of those.
    Text(AlignedText<'t>),
}

impl Tokenizer {
    /// The pieces of a text, none empty, with the library's alignments. All added tokens are recognised; without
    /// `with_special` special ones are text, as with the library's `encode_special_tokens`. O(n), some twenty times
    /// slower than [`Tokenizer::encode`].
    ///
    /// # Errors
    /// [`crate::Kind::Argument`] for a text of 4 GiB or more; [`crate::Kind::Pattern`] where an engine gives up.
    pub fn pretokenize_hf<'t>(&self, text: &'t str, with_special: bool) -> Result<Vec<HfPiece<'t>>> {
        let recognise = Recognise::Library { special: with_special };
        let whole = AlignedText::new(text)?;
        let parts = self.added.parts_of_text(text, recognise)?;
        let mut pieces = Vec::new();
        if parts.is_empty() {
            self.normalized_pieces(whole, recognise, &mut pieces)?;
            return Ok(pieces);
        }
        for part in parts {
            let slice = whole.slice(part.start..part.end);
            match part.id {
                Some(id) => pieces.push(added(id, &slice)),
                None => self.normalized_pieces(slice, recognise, &mut pieces)?,
            }
        }
        Ok(pieces)
    }

    fn normalized_pieces<'t>(
        &self,
        mut text: AlignedText<'t>,
        recognise: Recognise,
        pieces: &mut Vec<HfPiece<'t>>,
    ) -> Result<()> {
        if let Some(normalizer) = &self.normalizer {
            normalizer.apply_hf(&mut text)?;
        }
        let parts = self.added.parts_of_normalized(text.text(), recognise)?;
        if parts.is_empty() {
            // The slice begins where its first character comes from, not where the text did.
            let whole = text.slice(0..text.text().len());
            pieces.extend(self.pretokenizer.split_hf(whole)?.into_iter().map(HfPiece::Text));
            return Ok(());
        }
        for part in parts {
            let slice = text.slice(part.start..part.end);
            match part.id {
                Some(id) => pieces.push(added(id, &slice)),
                None => pieces.extend(self.pretokenizer.split_hf(slice)?.into_iter().map(HfPiece::Text)),
            }
        }
        Ok(())
    }
}

fn added<'t>(id: u32, text: &AlignedText<'_>) -> HfPiece<'t> {
    let origin = text.origin();
    HfPiece::Added { id, start: origin.start, end: origin.end, text: text.text().to_owned() }
}

#[cfg(test)]
mod tests;
