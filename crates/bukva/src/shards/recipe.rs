//! Block of text → ids of its documents.

use super::order::Work;
use crate::added::{Recognise, SpecialPolicy};
use crate::error::{Error, Result};
use crate::model::Scratch;
use crate::pipeline::{Tick, Tokenizer};

/// What becomes of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// What to do with added tokens in the text; without it none is recognised.
    pub policy: Option<SpecialPolicy>,
    /// Put the control tokens of the template around each document.
    pub with_frame: bool,
    /// Ids behind each document.
    pub append: Vec<u32>,
}

/// Ids of a block.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) ids: Vec<u32>,
    pub(super) pieces: Vec<Piece>,
    /// Why the piece behind the last of `pieces` has no ids; its offset counts from the start of that piece.
    pub(super) failure: Option<Error>,
    /// Number of the input that all of it is from.
    pub(super) input: usize,
    /// Bytes that were replaced in all inputs before that one.
    pub(super) replaced_before: u64,
}

/// A document, or a part of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Where its ids end.
    pub(super) end: usize,
    /// Bytes of its text.
    pub(super) bytes: u64,
    /// Whether it starts a document.
    pub(super) starts: bool,
    /// Whether it ends a document.
    pub(super) ends: bool,
}

impl Recipe {
    /// Whether the ids of a document are those of its parts, one after the other, with others around.
    pub(super) fn allows_parts(&self, tokenizer: &Tokenizer) -> bool {
        !self.with_frame || tokenizer.frame().around_single().is_some()
    }

    /// The recipe for one tokenizer.
    pub(super) fn with<'r>(&'r self, tokenizer: &'r Tokenizer) -> Kitchen<'r> {
        let frame = if self.with_frame { tokenizer.frame().around_single() } else { Some(Default::default()) };
        let around = frame.map(|(before, behind)| (before, [&behind[..], &self.append].concat()));
        Kitchen { tokenizer, recipe: self, around }
    }
}

/// A tokenizer and what to make with it.
pub(super) struct Kitchen<'r> {
    pub(super) tokenizer: &'r Tokenizer,
    recipe: &'r Recipe,
    /// Ids before and behind a document; none where the template has no such form.
    around: Option<(Vec<u32>, Vec<u32>)>,
}

impl Kitchen<'_> {
    /// Encodes the pieces of a block up to the first that fails. `tick` may end the work.
    pub(super) fn encode(&self, work: &Work, scratch: &mut Scratch, tick: &mut Tick) -> Encoded {
        let Work { block, input, replaced_before, .. } = work;
        let (input, replaced_before) = (*input, *replaced_before);
        // About as many as prose has.
        let ids = Vec::with_capacity(block.text.len() / 4);
        let mut encoded = Encoded { ids, pieces: Vec::new(), failure: None, input, replaced_before };
        let mut starts = block.starts_document;
        let mut pieces = block.pieces().peekable();
        while let Some(range) = pieces.next() {
            let ends = pieces.peek().is_some() || block.ends_document;
            let piece = Piece { end: 0, bytes: range.len() as u64, starts, ends };
            if let Err(error) = self.piece(&block.text[range], piece, scratch, tick, &mut encoded.ids) {
                encoded.failure = Some(error);
                break;
            }
            encoded.pieces.push(Piece { end: encoded.ids.len(), ..piece });
            starts = true;
        }
        encoded
    }

    fn piece(
        &self,
        text: &str,
        piece: Piece,
        scratch: &mut Scratch,
        tick: &mut Tick,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let (tokenizer, start) = (self.tokenizer, out.len());
        if let Some((before, _)) = self.around.as_ref().filter(|_| piece.starts) {
            out.extend(before);
        }
        let recognise = self.recipe.policy.as_ref().map(Recognise::Policy);
        tokenizer.encode_as(text, recognise, tokenizer.encoder(), scratch, tick, out)?;
        match &self.around {
            Some((_, behind)) if piece.ends => out.extend(behind),
            Some(_) => {}
            None => {
                let framed = tokenizer.frame().apply(&out[start..], None);
                out.truncate(start);
                out.extend(framed);
                out.extend(&self.recipe.append);
            }
        }
        Ok(())
    }
}
