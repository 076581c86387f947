//! Pre-tokens with the places that the `tokenizers` library gives them.

use super::steps::Step;
use super::{Pretokenizer, Splitter};
use crate::align::AlignedText;
use crate::error::Result;
use crate::unicode::byte_chars::char_of;

impl Pretokenizer {
    /// The pre-tokens of a piece of text, with the alignments that the library's `PreTokenizedString` has. The texts
    /// are those of [`Pretokenizer::run`]: where the model sees bytes, the last ByteLevel maps nothing, and the places
    /// of the bytes are those of the characters that the library puts for them. O(n) a step.
    ///
    /// # Errors
    /// [`crate::Kind::Pattern`] if the backtracking engine gives up on the text.
    pub fn split_hf<'t>(&self, text: AlignedText<'t>) -> Result<Vec<AlignedText<'t>>> {
        let (cut, steps) = self.parts();
        let mut pieces = Vec::new();
        cut_piece(cut, text, &mut pieces)?;
        for step in steps {
            let mut next = Vec::with_capacity(pieces.len());
            for piece in pieces {
                step.split_hf(piece, &mut next)?;
            }
            pieces = next;
        }
        Ok(pieces)
    }
}

impl Step {
    fn split_hf<'t>(&self, mut piece: AlignedText<'t>, pieces: &mut Vec<AlignedText<'t>>) -> Result<()> {
        match self {
            Step::Cut(splitter) => return cut_piece(splitter, piece, pieces),
            Step::Metaspace(metaspace) => metaspace.split_hf(piece, pieces),
            Step::PrefixSpace => {
                if !piece.text().starts_with(' ') {
                    piece.prepend(" ");
                }
                pieces.push(piece);
            }
            Step::MapBytes => {
                piece.expand(|character| {
                    let mut bytes = [0; 4];
                    let length = character.encode_utf8(&mut bytes).len();
                    bytes.into_iter().take(length).map(char_of)
                });
                pieces.push(piece);
            }
        }
        Ok(())
    }
}

fn cut_piece<'t>(splitter: &Splitter, piece: AlignedText<'t>, pieces: &mut Vec<AlignedText<'t>>) -> Result<()> {
    match splitter {
        Splitter::Whole if piece.is_empty() => Ok(()),
        Splitter::Whole => {
            pieces.push(piece);
            Ok(())
        }
        splitter => splitter.for_each(piece.text(), |from, to| pieces.push(piece.slice(from..to))),
    }
}
