//! The one common representation of a tokenizer: what every reader produces and every writer consumes.
//!
//! A [`Spec`] is data. It says what each stage does, never how. It is lossless: merges are kept with their ranks
//! apart from their ids, ids may have gaps, two names may share an id, two ids may spell the same bytes, and
//! fields that a reader did not know are carried along. [`Spec::validate`] checks the named invariants.

mod added;
mod base64_bytes;
mod decoder;
mod entries;
mod invariants;
mod model;
mod normalizer;
mod options;
mod postprocessor;
mod pretokenizer;
mod unicode;
mod vocab;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use added::AddedToken;
pub use decoder::Decoder;
pub use invariants::INVARIANTS;
pub use model::{Alphabet, Bpe, EndOfWord, Merge, Model, PieceKind, Pieces, Unigram, WordLevel, WordPiece};
pub use normalizer::{Form, Normalizer};
pub use options::{Padding, Side, Truncation, TruncationStrategy};
pub use postprocessor::{Postprocessor, Template, TemplateItem};
pub use pretokenizer::{Behavior, NamedPattern, Pattern, PrependScheme, Pretokenizer};
pub use unicode::{UnicodeVersion, UnicodeVersions};
pub use vocab::{Vocab, VocabEntry};

/// A whole tokenizer, stage by stage in the order in which text passes through it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Text → text. `None` leaves the text as it is.
    pub normalizer: Option<Normalizer>,
    /// Text → pre-tokens. `None` makes the whole text one pre-token.
    pub pretokenizer: Option<Pretokenizer>,
    /// Pre-token → ids.
    pub model: Model,
    /// Tokens that are matched in the text before normalisation and pre-tokenization, special ones among them.
    pub added_tokens: Vec<AddedToken>,
    /// Ids → ids with the control tokens of a template.
    pub postprocessor: Option<Postprocessor>,
    /// Ids → text.
    pub decoder: Option<Decoder>,
    /// How to cut long sequences, applied only when asked.
    pub truncation: Option<Truncation>,
    /// How to fill short sequences, applied only when asked.
    pub padding: Option<Padding>,
    /// Whose Unicode tables each stage uses.
    pub unicode: UnicodeVersions,
    /// Fields of the file that this version does not know, by their path in the file.
    pub unknown_fields: BTreeMap<String, serde_json::Value>,
}

impl Spec {
    /// A specification with the given model and nothing else.
    pub fn new(model: Model) -> Self {
        Spec {
            normalizer: None,
            pretokenizer: None,
            model,
            added_tokens: Vec::new(),
            postprocessor: None,
            decoder: None,
            truncation: None,
            padding: None,
            unicode: UnicodeVersions::default(),
            unknown_fields: BTreeMap::new(),
        }
    }

    /// Added tokens that are special (control) tokens.
    pub fn special_tokens(&self) -> impl Iterator<Item = &AddedToken> {
        self.added_tokens.iter().filter(|token| token.special)
    }
}
