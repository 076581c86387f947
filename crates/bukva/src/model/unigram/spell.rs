//! From a path to ids: runs of unknown characters, and byte pieces in their place.

use super::best::Step;
use super::entries::Entries;
use crate::error::{Error, Kind, Result, shown};
use crate::model::TokenSpan;

/// A run of unknown characters that may go on: its first byte, and the byte behind its last.
pub(super) type Run = Option<(usize, usize)>;

impl Entries {
    /// Tells `emit` the tokens of a path through `text` whose first byte is `base` of the steps' places; `run` is
    /// carried from path to path and closed by [`Entries::close`].
    ///
    /// # Errors
    /// As [`Entries::close`].
    pub(super) fn spell(
        &self,
        text: &[u8],
        path: &[Step],
        base: usize,
        run: &mut Run,
        emit: &mut impl FnMut(TokenSpan),
    ) -> Result<()> {
        for step in path {
            let (start, end) = (base + step.start as usize, base + step.end as usize);
            if !self.is_unknown(step.entry) {
                self.close(text, run, emit)?;
                emit(token(self.ids[step.entry as usize], start, end));
            } else if self.sentencepiece && self.bytes.is_some() {
                self.emit_bytes(text, (start, end), emit)?;
            } else {
                *run = Some((run.map_or(start, |run| run.0), end));
            }
        }
        Ok(())
    }

    /// Tells `emit` what a run of unknown characters becomes.
    ///
    /// # Errors
    /// [`Kind::UnknownCharacter`] if it has no token and the model no unknown token.
    #[inline]
    pub(super) fn close(&self, text: &[u8], run: &mut Run, emit: &mut impl FnMut(TokenSpan)) -> Result<()> {
        match run.take() {
            Some(run) => self.emit_unknown(text, run, emit),
            None => Ok(()),
        }
    }

    fn emit_unknown(&self, text: &[u8], run: (usize, usize), emit: &mut impl FnMut(TokenSpan)) -> Result<()> {
        let piece = &text[run.0..run.1];
        // `tokenizers` looks the whole run up again: high scores of single characters can make it an entry.
        if let Some(entry) = self.trie.get(piece).filter(|_| !self.sentencepiece) {
            emit(token(self.ids[entry as usize], run.0, run.1));
            return Ok(());
        }
        if self.bytes.as_ref().is_some_and(|ids| piece.iter().all(|&byte| ids[usize::from(byte)].is_some())) {
            return self.emit_bytes(text, run, emit);
        }
        emit(token(self.unknown_id(piece, run.0)?, run.0, run.1));
        Ok(())
    }

    /// Spells a place in byte pieces. With SentencePiece's rules the last one has the place, and the others an empty
    /// one before it; in `tokenizers` each has all of it.
    fn emit_bytes(&self, text: &[u8], place: (usize, usize), emit: &mut impl FnMut(TokenSpan)) -> Result<()> {
        let Some(ids) = &self.bytes else { return Ok(()) };
        let piece = &text[place.0..place.1];
        for (index, &byte) in (1..).zip(piece) {
            let id = match ids[usize::from(byte)] {
                Some(id) => id,
                None => self.unknown_id(piece, place.0)?,
            };
            let end = if self.sentencepiece && index < piece.len() { place.0 } else { place.1 };
            emit(token(id, place.0, end));
        }
        Ok(())
    }

    fn unknown_id(&self, piece: &[u8], at: usize) -> Result<u32> {
        self.unk.ok_or_else(|| {
            let message = format!("{} has no token, and the model has no unknown token to stand for it", shown(piece));
            Error::new(Kind::UnknownCharacter, message).at_byte(at as u64)
        })
    }
}

fn token(id: u32, start: usize, end: usize) -> TokenSpan {
    TokenSpan { id, start: start as u32, end: end as u32 }
}
