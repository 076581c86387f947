//! Models: pre-token → ids, compiled from a [`crate::spec::Model`].

pub mod bpe;
mod cuts;
mod excluded;
mod ids;
mod lookup;
mod order;
pub mod random;
pub(crate) mod raw;
pub mod sampler;
mod text;
mod trie;
pub mod unigram;
pub mod wordlevel;
pub mod wordpiece;
mod workshop;

use bpe::BpeEncoder;
pub use excluded::Excluded;
use lookup::{Memory, NOBODY};
use text::{byte_of_token, char_len, check_length};
use unigram::UnigramEncoder;
use wordlevel::WordLevelEncoder;
use wordpiece::WordPieceEncoder;
pub(crate) use workshop::Workshop;

use crate::error::Result;
use crate::paths::Paths;
use crate::spec::Model;

/// A pre-token: its first byte in the text, and the byte behind its last.
pub type Span = (usize, usize);

/// A token and the bytes of its pre-token that it stands for, as the reference library reports them: byte tokens of
/// one character may all have the whole character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenSpan {
    /// The id.
    pub id: u32,
    /// First byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
}

/// What becomes of a character that has no token, where a BPE model has no unknown token to stand for it. The other
/// models always refuse it, in the `tokenizers` library too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// It is an error.
    #[default]
    Refused,
    /// It is left out as if it were not there, as in the `tokenizers` library.
    LeftOut,
}

/// A compiled model: read-only, shared by all threads, each with its own [`Scratch`].
#[derive(Debug)]
pub enum Encoder {
    /// Byte-pair encoding.
    Bpe(Box<BpeEncoder>),
    /// The longest token first.
    WordPiece(Box<WordPieceEncoder>),
    /// The most probable segmentation.
    Unigram(Box<UnigramEncoder>),
    /// Whole pre-tokens only.
    WordLevel(WordLevelEncoder),
}

/// What one thread remembers and works in.
#[derive(Debug)]
pub struct Scratch {
    model: OfModel,
    /// Stretches of text as they stand before any stage.
    raw: Box<Memory>,
}

/// What the model itself remembers.
#[derive(Debug)]
enum OfModel {
    /// For byte-pair encoding.
    Bpe(Box<bpe::Scratch>),
    /// For WordPiece.
    WordPiece(Box<wordpiece::Scratch>),
    /// For Unigram.
    Unigram(Box<unigram::Scratch>),
    /// For models that need nothing.
    Empty,
}

impl Scratch {
    /// Says what becomes of characters without a token from now on. O(1).
    pub fn set_missing(&mut self, missing: Missing) {
        if let OfModel::Bpe(scratch) = &mut self.model {
            scratch.missing = missing;
        }
    }

    /// Whether anything was learned.
    #[cfg(test)]
    pub(crate) fn has_learned(&self) -> bool {
        let model = match &self.model {
            OfModel::Bpe(scratch) => scratch.memory.cache.has_learned(),
            OfModel::WordPiece(scratch) => scratch.memory.cache.has_learned(),
            OfModel::Unigram(scratch) => scratch.memory.cache.has_learned(),
            OfModel::Empty => false,
        };
        model || self.raw.cache.has_learned()
    }

    /// Learns nothing from now on. O(1).
    fn stop_learning(&mut self) {
        self.raw.cache.learns = false;
        match &mut self.model {
            OfModel::Bpe(scratch) => scratch.memory.cache.learns = false,
            OfModel::WordPiece(scratch) => scratch.memory.cache.learns = false,
            OfModel::Unigram(scratch) => scratch.memory.cache.learns = false,
            OfModel::Empty => {}
        }
    }
}

impl Encoder {
    /// Compiles a model that no text makes give `excluded` ids.
    ///
    /// # Errors
    /// Those of the model.
    pub fn compile(model: &Model, excluded: &Excluded) -> Result<Self> {
        match model {
            Model::Bpe(bpe) => BpeEncoder::compile(bpe, excluded).map(|encoder| Encoder::Bpe(Box::new(encoder))),
            Model::WordLevel(model) => Ok(Encoder::WordLevel(WordLevelEncoder::compile(model, excluded))),
            Model::WordPiece(model) => Ok(Encoder::WordPiece(Box::new(WordPieceEncoder::compile(model, excluded)))),
            Model::Unigram(model) => Ok(Encoder::Unigram(Box::new(UnigramEncoder::compile(model, excluded)))),
        }
    }

    /// As [`Encoder::compile`], merging by the ways of `paths`.
    ///
    /// # Errors
    /// Those of the model.
    pub(crate) fn compile_by(model: &Model, excluded: &Excluded, paths: &Paths) -> Result<Self> {
        Ok(match (Self::compile(model, excluded)?, model) {
            (Encoder::Bpe(encoder), Model::Bpe(bpe)) => Encoder::Bpe(Box::new(encoder.by(bpe, excluded, paths))),
            (Encoder::WordPiece(mut encoder), _) if !paths.whole => {
                encoder.forget_whole();
                Encoder::WordPiece(encoder)
            }
            (encoder, _) => encoder,
        })
    }

    /// Whether this model, compiled without `excluded` ids, may give other ids than with them. O(vocabulary).
    pub fn lacks(&self, model: &Model, excluded: &Excluded) -> bool {
        match (self, model) {
            (Encoder::Bpe(encoder), Model::Bpe(bpe)) => encoder.lacks(bpe, excluded),
            _ => excluded.touches(model.vocab()),
        }
    }

    /// Work space for one thread. Cheap: memory is taken as it is needed.
    pub fn scratch(&self) -> Scratch {
        let model = match self {
            Encoder::Bpe(encoder) => OfModel::Bpe(Box::new(bpe::Scratch::new(encoder))),
            Encoder::WordPiece(encoder) => OfModel::WordPiece(Box::new(encoder.scratch())),
            Encoder::Unigram(encoder) => OfModel::Unigram(Box::new(encoder.scratch())),
            Encoder::WordLevel(_) => OfModel::Empty,
        };
        Scratch { model, raw: Box::new(Memory::of(NOBODY)) }
    }

    /// Whether characters without a token are left out, so that the tokens need not spell the text. O(1).
    pub fn leaves_out(&self, scratch: &Scratch) -> bool {
        match (self, &scratch.model) {
            (Encoder::Bpe(encoder), OfModel::Bpe(scratch)) => encoder.leaves_out(scratch),
            _ => false,
        }
    }

    /// Appends the ids of the pre-tokens `spans` of `text`, in order.
    ///
    /// # Errors
    /// [`crate::Kind::UnknownCharacter`] for text that has no token where the model has no unknown token; the offset counts
    /// from the start of the text.
    #[inline]
    pub fn encode_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        match (self, &mut scratch.model) {
            (Encoder::Bpe(encoder), OfModel::Bpe(scratch)) => encoder.encode_spans(text, spans, scratch, out),
            (Encoder::WordPiece(encoder), OfModel::WordPiece(scratch)) => {
                encoder.encode_spans(text, spans, scratch, out)
            }
            (Encoder::Unigram(encoder), OfModel::Unigram(scratch)) => encoder.encode_spans(text, spans, scratch, out),
            (Encoder::Bpe(_) | Encoder::WordPiece(_) | Encoder::Unigram(_), _) => {
                *scratch = self.scratch();
                self.encode_spans(text, spans, scratch, out)
            }
            (Encoder::WordLevel(encoder), _) => spans.iter().try_for_each(|&(from, to)| {
                let done = encoder.tokens(&text[from..to], &mut |token| out.push(token.id));
                done.map_err(|error| error.moved_by(from))
            }),
        }
    }

    /// Appends the ids of one pre-token that is not worth learning here.
    ///
    /// # Errors
    /// As [`Encoder::encode_spans`].
    pub(crate) fn encode_once(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) -> Result<()> {
        match (self, &mut scratch.model) {
            (Encoder::Bpe(encoder), OfModel::Bpe(scratch)) => encoder.encode_once(piece, scratch, out),
            _ => self.encode_spans(piece, &[(0, piece.len())], scratch, out),
        }
    }

    /// The number of ids of the pre-tokens `spans` of `text`.
    ///
    /// # Errors
    /// As [`Encoder::encode_spans`].
    #[inline]
    pub fn count_spans(&self, text: &[u8], spans: &[Span], scratch: &mut Scratch) -> Result<usize> {
        match (self, &mut scratch.model) {
            (Encoder::Bpe(encoder), OfModel::Bpe(scratch)) => encoder.count_spans(text, spans, scratch),
            (Encoder::WordPiece(encoder), OfModel::WordPiece(scratch)) => encoder.count_spans(text, spans, scratch),
            (Encoder::Unigram(encoder), OfModel::Unigram(scratch)) => encoder.count_spans(text, spans, scratch),
            (Encoder::Bpe(_) | Encoder::WordPiece(_) | Encoder::Unigram(_), _) => {
                *scratch = self.scratch();
                self.count_spans(text, spans, scratch)
            }
            (Encoder::WordLevel(encoder), _) => {
                let mut count = 0;
                spans.iter().try_for_each(|&(from, to)| {
                    let done = encoder.tokens(&text[from..to], &mut |_| count += 1);
                    done.map_err(|error| error.moved_by(from))
                })?;
                Ok(count)
            }
        }
    }

    /// Appends the tokens of one pre-token with their places. The ids are those of [`Encoder::encode_spans`].
    ///
    /// # Errors
    /// As [`Encoder::encode_spans`], the offset counting from the start of the pre-token.
    pub fn tokens(&self, piece: &[u8], scratch: &mut Scratch, out: &mut Vec<TokenSpan>) -> Result<()> {
        match (self, &mut scratch.model) {
            (Encoder::Bpe(encoder), OfModel::Bpe(scratch)) => encoder.tokens(piece, scratch, out),
            (Encoder::WordPiece(encoder), _) => encoder.tokens(piece, out),
            (Encoder::Unigram(encoder), OfModel::Unigram(scratch)) => encoder.tokens(piece, scratch, out),
            (Encoder::Bpe(_) | Encoder::Unigram(_), _) => {
                *scratch = self.scratch();
                self.tokens(piece, scratch, out)
            }
            (Encoder::WordLevel(encoder), _) => encoder.tokens(piece, &mut |token| out.push(token)),
        }
    }
}
