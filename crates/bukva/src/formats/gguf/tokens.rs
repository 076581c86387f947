//! The table of tokens: text, score and type of each id.

use rustc_hash::FxHashMap;

use super::metadata::{Metadata, utf8};
use super::wire::{Array, Type, Value, bad};
use crate::error::{Result, quoted};
use crate::spec::{AddedToken, PieceKind};

pub(super) const TOKENS: &str = "tokenizer.ggml.tokens";
pub(super) const SCORES: &str = "tokenizer.ggml.scores";
pub(super) const TYPES: &str = "tokenizer.ggml.token_type";

/// One token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) id: u32,
    pub(super) text: &'a str,
    pub(super) score: f32,
    pub(super) kind: PieceKind,
    /// Where its text stands.
    pub(super) at: u64,
}

impl Token<'_> {
    /// The added token that it is: special if it controls the model.
    pub(super) fn added(&self) -> Option<AddedToken> {
        let token = || AddedToken::special(self.text, self.id);
        match self.kind {
            PieceKind::Control | PieceKind::Unknown => Some(token()),
            PieceKind::UserDefined => Some(AddedToken { special: false, ..token() }),
            _ => None,
        }
    }
}

/// The tokens of a file. Ids are places in its list; places that only fill it up to the size of the model have none.
pub(super) struct Tokens<'a> {
    pub(super) list: Vec<Token<'a>>,
    count: u64,
}

impl<'a> Tokens<'a> {
    /// Reads the table. O(bytes of the tokens).
    ///
    /// # Errors
    /// [`crate::Kind::Format`] with the key and the byte: a table of another length, a text that is not UTF-8 or is
    /// there twice, a score that is no number, a type that is not known.
    pub(super) fn read(metadata: &Metadata<'a>) -> Result<Self> {
        let texts = metadata.needed_array(TOKENS)?;
        if texts.of != Type::Text || texts.len > u64::from(u32::MAX) {
            return Err(bad(format!("{TOKENS} must be an array of texts with ids below 2^32"), texts.at));
        }
        let scores = column(metadata, SCORES, texts.len)?;
        let kinds = column(metadata, TYPES, texts.len)?;
        let mut scores = scores.iter().flat_map(Array::values);
        let mut kinds = kinds.iter().flat_map(Array::values);
        let (mut list, mut seen) = (Vec::new(), FxHashMap::default());
        for (id, text) in texts.values().enumerate() {
            let (text, at) = text?;
            let (id, text) = (id as u32, token_text(text, id, at)?);
            let score = scores.next().map_or(Ok(0.0), |value| value.and_then(|(value, at)| score(value, id, at)))?;
            let kind = kinds
                .next()
                .map_or(Ok(PieceKind::Normal), |value| value.and_then(|(value, at)| kind(value, id, at)))?;
            if is_filler(text, id, kind) {
                continue;
            }
            if let Some(first) = seen.insert(text, id) {
                let message = format!("{TOKENS}[{id}] is {}, and so is {TOKENS}[{first}]", quoted(text));
                return Err(bad(message, at));
            }
            list.push(Token { id, text, score, kind, at });
        }
        Ok(Tokens { list, count: texts.len })
    }

    /// The token with this id.
    pub(super) fn get(&self, id: u32) -> Option<&Token<'a>> {
        self.list.binary_search_by_key(&id, |token| token.id).ok().map(|index| &self.list[index])
    }

    /// The token whose id the field `key` gives, if there is such a field.
    ///
    /// # Errors
    /// [`crate::Kind::Format`] if no token has the id.
    pub(super) fn named(&self, metadata: &Metadata<'a>, key: &str) -> Result<Option<&Token<'a>>> {
        let Some(id) = metadata.number(key)? else { return Ok(None) };
        let token = u32::try_from(id).ok().and_then(|id| self.get(id));
        let at = metadata.field(key).map_or(0, |field| field.at);
        let missing = || bad(format!("{key} is {id}, which is no token; there are {}", self.count), at);
        token.map(Some).ok_or_else(missing)
    }

    /// What is added to the vocabulary, in the order of ids.
    pub(super) fn added(&self) -> Vec<AddedToken> {
        self.list.iter().filter_map(Token::added).collect()
    }
}

/// A table beside the tokens, of the same length.
fn column<'a>(metadata: &Metadata<'a>, key: &str, len: u64) -> Result<Option<Array<'a>>> {
    let array = metadata.array(key)?;
    match array {
        Some(array) if array.len != len => {
            Err(bad(format!("{key} has {} values, and {TOKENS} has {len}", array.len), array.at))
        }
        _ => Ok(array),
    }
}

fn token_text<'a>(value: Value<'a>, id: usize, at: u64) -> Result<&'a str> {
    match value {
        Value::Text(bytes) => utf8(bytes, &format!("{TOKENS}[{id}]"), at),
        _ => Err(bad(format!("{TOKENS}[{id}] is {}; it must be a text", value.kind()), at)),
    }
}

fn score(value: Value<'_>, id: u32, at: u64) -> Result<f32> {
    let score = match value {
        Value::Float(score) => score as f32,
        Value::Signed(score) => score as f32,
        _ => return Err(bad(format!("{SCORES}[{id}] is {}; it must be a number", value.kind()), at)),
    };
    if score.is_finite() { Ok(score) } else { Err(bad(format!("{SCORES}[{id}] is {score}, which is no number"), at)) }
}

fn kind(value: Value<'_>, id: u32, at: u64) -> Result<PieceKind> {
    let number = match value {
        Value::Unsigned(number) => i64::try_from(number).unwrap_or(i64::MAX),
        Value::Signed(number) => number,
        _ => return Err(bad(format!("{TYPES}[{id}] is {}; it must be a whole number", value.kind()), at)),
    };
    Ok(match number {
        // Undefined: llama.cpp takes such a token as it takes an ordinary one.
        0 | 1 => PieceKind::Normal,
        2 => PieceKind::Unknown,
        3 => PieceKind::Control,
        4 => PieceKind::UserDefined,
        5 => PieceKind::Unused,
        6 => PieceKind::Byte,
        _ => return Err(bad(format!("{TYPES}[{id}] is {number}; the types are 0 to 6"), at)),
    })
}

/// Converters fill the table up to the model's size with unused `[PAD<id>]`, some with nothing.
fn is_filler(text: &str, id: u32, kind: PieceKind) -> bool {
    let number = || text.strip_prefix("[PAD")?.strip_suffix(']')?.parse().ok();
    text.is_empty() || (kind == PieceKind::Unused && number() == Some(id))
}
