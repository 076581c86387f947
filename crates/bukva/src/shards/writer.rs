//! Ids in order → shards.

use super::cabinet::Cabinet;
use super::part::Mark;
use super::position::changed;
use super::recipe::{Encoded, Piece};
use super::shard::Shard;
use super::{Options, Position};
use crate::error::Result;

/// Divides documents into shards.
pub(super) struct Writer<'a, 's, 'e, 'k> {
    options: &'a Options,
    names: &'a [String],
    cabinet: Cabinet<'s, 'e, 'k>,
    shard: Option<Shard>,
    /// Number of the next shard to be made.
    number: u64,
    /// Where the piece begins that comes next.
    position: Position,
    /// The document that is open, if any.
    open: Option<Open>,
    /// Ids of the next piece that an earlier run has written.
    skip: u64,
}

/// A document that began and has not ended.
struct Open {
    /// Ids before it in its shard: 0 too where it began in an earlier one.
    start: u64,
    /// Where it began, if that is in this shard.
    began: Option<(Mark, Position)>,
}

impl<'a, 's, 'e, 'k> Writer<'a, 's, 'e, 'k> {
    pub(super) fn new(options: &'a Options, names: &'a [String], cabinet: Cabinet<'s, 'e, 'k>) -> Self {
        let position = options.position;
        Writer {
            options,
            names,
            cabinet,
            shard: None,
            number: options.first_shard,
            position,
            open: position.is_inside().then_some(Open { start: 0, began: None }),
            skip: position.tokens,
        }
    }

    /// Writes the ids of a block.
    pub(super) fn take(&mut self, encoded: Encoded) -> Result<()> {
        let Encoded { ids, pieces, failure, input, replaced_before } = encoded;
        self.cabinet.check()?;
        self.enter(input, replaced_before);
        let mut start = 0;
        for piece in pieces {
            self.piece(&ids[start..piece.end], piece)?;
            start = piece.end;
        }
        match failure {
            None => Ok(()),
            Some(error) => {
                let name = self.names.get(input).map_or("the input", String::as_str);
                let place = format!("{name}, document {}", self.position.documents);
                Err(error.moved_by(self.position.bytes as usize).in_source(place))
            }
        }
    }

    /// Finishes the last shard.
    pub(super) fn finish(mut self) -> Result<Position> {
        if let Some(shard) = self.shard.take() {
            self.cabinet.put(shard, true, self.position)?;
        }
        self.cabinet.settle()?;
        Ok(self.position)
    }

    fn enter(&mut self, input: usize, replaced_bytes: u64) {
        if input != self.position.input {
            let text_bytes = self.position.text_bytes;
            self.position = Position { input, text_bytes, replaced_bytes, ..Position::default() };
        }
    }

    fn piece(&mut self, ids: &[u32], piece: Piece) -> Result<()> {
        let limit = self.options.shard_tokens;
        let skipped = self.skip.min(ids.len() as u64);
        self.skip -= skipped;
        if piece.ends && self.skip > 0 {
            return Err(changed());
        }
        let ids = &ids[skipped as usize..];
        let tokens = self.shard.as_ref().map_or(0, |shard| shard.tokens);
        let fits = tokens + ids.len() as u64 <= limit;
        let starts = piece.starts && self.open.is_none();
        if starts {
            self.start_document(fits || tokens == 0, piece)?;
        } else if !fits && let Some(Open { start: 1.., began: Some(_) }) = self.open {
            self.move_open_document()?;
        }
        self.write(ids, skipped)?;
        if piece.ends {
            self.shard()?.end_document()?;
            self.open = None;
        }
        self.advance(piece);
        Ok(())
    }

    /// A document that does not fit goes into the next shard.
    fn start_document(&mut self, fits: bool, piece: Piece) -> Result<()> {
        if !fits && let Some(shard) = self.shard.take() {
            self.cabinet.put(shard, true, self.position)?;
        }
        let position = self.position;
        let shard = self.shard()?;
        let began = (!piece.ends).then(|| (shard.mark(), position));
        self.open = Some(Open { start: shard.tokens, began });
        Ok(())
    }

    /// One that began in this shard and turns out too long moves to the next.
    fn move_open_document(&mut self) -> Result<()> {
        let Some(Open { start, began: Some((mark, position)) }) = self.open.take() else { return Ok(()) };
        let Some(mut shard) = self.shard.take() else { return Ok(()) };
        let next = shard.move_open_document(mark, start, self.options)?;
        self.cabinet.put(shard, true, position)?;
        self.shard = Some(next);
        self.number += 1;
        self.open = Some(Open { start: 0, began: None });
        Ok(())
    }

    /// Writes ids of the open document, cut where a shard is full. `done` ids of the piece were written before.
    fn write(&mut self, mut ids: &[u32], mut done: u64) -> Result<()> {
        loop {
            let limit = self.options.shard_tokens;
            let shard = self.shard()?;
            let room = limit.saturating_sub(shard.tokens);
            if ids.len() as u64 <= room {
                return shard.write(ids);
            }
            let (head, rest) = ids.split_at(room as usize);
            shard.write(head)?;
            shard.end_document()?;
            done += room;
            let next = Position { tokens: done, ..self.position };
            self.open = Some(Open { start: 0, began: None });
            if let Some(shard) = self.shard.take() {
                self.cabinet.put(shard, false, next)?;
            }
            ids = rest;
        }
    }

    /// The open shard, or a new one.
    fn shard(&mut self) -> Result<&mut Shard> {
        let shard = match self.shard.take() {
            Some(shard) => shard,
            None => {
                let starts_document = self.open.is_none();
                self.number += 1;
                Shard::create(self.options, self.number - 1, starts_document)?
            }
        };
        Ok(self.shard.insert(shard))
    }

    fn advance(&mut self, piece: Piece) {
        let position = &mut self.position;
        position.tokens = 0;
        position.text_bytes += piece.bytes;
        if piece.ends {
            (position.documents, position.bytes) = (position.documents + 1, 0);
        } else {
            position.bytes += piece.bytes;
        }
    }
}
