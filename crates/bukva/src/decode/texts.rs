//! The texts of tokens: what the decoder of a `tokenizer.json` sees.

use std::borrow::Cow;

use super::TokenTable;
use crate::error::Result;
use crate::normalize::Normalizer;
use crate::spec::{AddedToken, Alphabet, Model, Normalizer as NormalizerSpec, Spec};
use crate::unicode::byte_chars;

/// How the bytes of a byte-level vocabulary are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// As they are.
    Raw,
    /// As the characters that stand for them in GPT-2's map.
    Mapped,
    /// As they are; added tokens that spell characters of the map only become the bytes these stand for.
    Unmapped,
}

/// Whether the vocabulary holds bytes, where the file holds characters that stand for them.
pub(super) fn is_byte_level(model: &Model) -> bool {
    matches!(model, Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes)
}

/// The text of every id, as bytes. An added token's own text, normalized where it is matched in normalized text, stands
/// before the vocabulary's. O(bytes of all tokens).
///
/// # Errors
/// Those of the normalizer.
pub(super) fn table(spec: &Spec, view: View) -> Result<TokenTable> {
    let mapped = view == View::Mapped && is_byte_level(&spec.model);
    let mut entries = Vec::with_capacity(spec.model.vocab().len() + spec.added_tokens.len());
    for (token, text) in spec.added_tokens.iter().zip(added_texts(spec)?) {
        let bytes = if view == View::Unmapped { unmapped(text.as_bytes()) } else { Cow::Owned(text.into_bytes()) };
        entries.push((token.id, Cow::Owned(bytes.into_owned())));
    }
    for entry in spec.model.vocab().iter() {
        let bytes = if mapped { Cow::Owned(to_chars(entry.bytes)) } else { Cow::Borrowed(entry.bytes) };
        entries.push((entry.id, bytes));
    }
    Ok(TokenTable::of(entries))
}

/// The table of a view, unless it is `table`, that of the tokens as they are. O(added tokens) where it is.
///
/// # Errors
/// Those of the normalizer.
pub(super) fn differing(spec: &Spec, view: View, table: &TokenTable) -> Result<Option<TokenTable>> {
    let texts = added_texts(spec)?;
    let same = |(token, text): (&AddedToken, &String)| {
        let text = if view == View::Unmapped { unmapped(text.as_bytes()) } else { text.as_bytes().into() };
        table.get(token.id).unwrap_or_default() == &*text
    };
    let mapped = view == View::Mapped && is_byte_level(&spec.model);
    if !mapped && spec.added_tokens.iter().zip(&texts).all(same) { Ok(None) } else { self::table(spec, view).map(Some) }
}

/// Added tokens as a decoder sees them, in order.
///
/// # Errors
/// Those of the normalizer.
pub(super) fn added_texts(spec: &Spec) -> Result<Vec<String>> {
    let rewrites =
        |token: &AddedToken| token.normalized && !matches!(spec.normalizer, Some(NormalizerSpec::SentencePiece { .. }));
    let normalizer = if spec.added_tokens.iter().any(rewrites) { Normalizer::of_spec(spec)? } else { None };
    let text = |token: &AddedToken| match &normalizer {
        Some(normalizer) if rewrites(token) => normalizer.apply(&token.content).map(Cow::into_owned),
        _ => Ok(token.content.clone()),
    };
    spec.added_tokens.iter().map(text).collect()
}

/// Bytes as the characters that stand for them.
pub(super) fn to_chars(bytes: &[u8]) -> Vec<u8> {
    let mut text = String::with_capacity(bytes.len() * 2);
    byte_chars::push_text(bytes, &mut text);
    text.into_bytes()
}

/// The bytes that a piece of characters of the map stands for; a piece with any other character stays.
pub(super) fn unmapped(piece: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(piece) else { return Cow::Borrowed(piece) };
    let mut bytes = Vec::with_capacity(piece.len());
    match byte_chars::push_bytes(text, &mut bytes) {
        Ok(()) => Cow::Owned(bytes),
        Err(_) => Cow::Borrowed(piece),
    }
}
