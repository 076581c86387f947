//! Ids → bytes → text.
//!
//! [`TextDecoder`] is a compiled [`crate::spec::Decoder`]; [`StreamDecoder`] takes ids one at a time. Decoders that only
//! join tokens are a loop over a table; all others go through a compiled chain, the same for both ways.

mod batch;
mod chain;
mod each;
mod flow;
mod replace;
mod rows;
mod sentencepiece;
mod stream;
mod table;
mod texts;

pub use batch::Spelled;
pub use stream::StreamDecoder;
pub use table::TokenTable;

use std::borrow::Cow;
use std::sync::OnceLock;

use chain::{Chain, ChainState};
use flow::Broken;
use sentencepiece::{SentencePiece, SentencePieceState};
use texts::View;

use crate::error::{Error, Kind, Result};
use crate::spec::{Decoder, Spec};
use crate::unicode::byte_chars;

/// What to do with bytes that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Invalid {
    /// An error that names the byte.
    #[default]
    Strict,
    /// U+FFFD for each maximal invalid part, as Python's `errors="replace"`.
    Replace,
}

/// What a decoder is compiled to.
#[derive(Debug)]
enum Plan {
    /// Bytes of tokens, one after the other; of the table, or of another one where added tokens differ.
    Plain(Option<TokenTable>),
    Chain(Chain),
    SentencePiece(SentencePiece),
}

/// How far a text has come on its way through a plan.
#[derive(Debug, Default)]
struct Progress {
    chain: ChainState,
    sentencepiece: SentencePieceState,
}

/// A compiled decoder with the bytes of every id.
#[derive(Debug)]
pub struct TextDecoder {
    table: TokenTable,
    plan: Plan,
    special_ids: Vec<u32>,
    skipped_ids: Vec<u32>,
    /// Made when first asked for.
    texts: OnceLock<TokenTable>,
}

impl TextDecoder {
    /// Compiles the decoder of a specification. O(bytes of all tokens).
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for a kind that this version does not run, [`Kind::Pattern`] for a pattern that is none.
    pub fn compile(spec: &Spec) -> Result<Self> {
        Self::with_table(spec, TokenTable::new(spec))
    }

    /// As [`TextDecoder::compile`], with the bytes of every id as they are.
    ///
    /// # Errors
    /// As [`TextDecoder::compile`].
    pub fn with_table(spec: &Spec, table: TokenTable) -> Result<Self> {
        let plan = match &spec.decoder {
            None => Plan::Plain(None),
            Some(Decoder::Fuse) => Plan::Plain(texts::differing(spec, View::Raw, &table)?),
            Some(Decoder::ByteLevel) if texts::is_byte_level(&spec.model) => {
                Plan::Plain(texts::differing(spec, View::Unmapped, &table)?)
            }
            Some(decoder) => match SentencePiece::compile(spec, decoder)? {
                Some(compiled) => Plan::SentencePiece(compiled),
                None => Plan::Chain(Chain::compile(spec, decoder, &table)?),
            },
        };
        let sorted = |mut ids: Vec<u32>| {
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let texts = texts::added_texts(spec)?;
        // The library knows special tokens by the text that it decodes: one that its normalizer changes is not skipped.
        let unchanged = spec.added_tokens.iter().zip(&texts).filter(|(token, text)| token.content == **text);
        let skipped = unchanged.filter(|(token, _)| token.special).map(|(token, _)| token.id).collect();
        Ok(TextDecoder {
            table,
            plan,
            special_ids: sorted(spec.special_tokens().map(|token| token.id).collect()),
            skipped_ids: sorted(skipped),
            texts: OnceLock::new(),
        })
    }

    /// The bytes of every id.
    pub fn table(&self) -> &TokenTable {
        &self.table
    }

    /// The text of every id as a `tokenizer.json` has it, of the specification that this was compiled from: bytes of a
    /// byte-level vocabulary as the characters that stand for them. O(bytes of all tokens) the first time.
    ///
    /// # Errors
    /// Those of the normalizer, for the text of an added token.
    pub fn texts(&self, spec: &Spec) -> Result<&TokenTable> {
        if let Some(made) = self.texts.get() {
            return Ok(made);
        }
        let made = texts::table(spec, View::Mapped)?;
        Ok(self.texts.get_or_init(|| made))
    }

    /// Whether the id is a special token's.
    pub fn is_special(&self, id: u32) -> bool {
        self.special_ids.binary_search(&id).is_ok()
    }

    /// Whether `skip_special` leaves the id out: a special token's, unless the normalizer changes the token's text,
    /// as in `tokenizers`.
    pub fn is_skipped(&self, id: u32) -> bool {
        self.skipped_ids.binary_search(&id).is_ok()
    }

    /// The bytes that ids spell: the decoded text before bytes that are not UTF-8 are replaced. O(bytes).
    ///
    /// # Errors
    /// [`Kind::UnknownId`] for an id that no token has; it names the id, its position and the range.
    /// [`Kind::Pattern`] if a regular expression gives up.
    pub fn bytes(&self, ids: &[u32], skip_special: bool) -> Result<Vec<u8>> {
        self.joined(ids, skip_special, Broken::Keep)
    }

    /// The text that ids spell. O(bytes). With [`Invalid::Replace`] it is what the reference library gives: byte
    /// fallback replaces every byte of a run that is not UTF-8, SentencePiece every byte at fault, all others every
    /// maximal invalid part.
    ///
    /// # Errors
    /// As [`TextDecoder::bytes`], and [`Kind::Encoding`] if the bytes are not UTF-8 and `invalid` is strict.
    pub fn text(&self, ids: &[u32], invalid: Invalid, skip_special: bool) -> Result<String> {
        text_of(self.unchecked_text(ids, invalid, skip_special)?, invalid)
    }

    /// The bytes of [`TextDecoder::text`] before [`text_of`], for who checks them anyway. O(bytes).
    ///
    /// # Errors
    /// As [`TextDecoder::bytes`].
    pub fn unchecked_text(&self, ids: &[u32], invalid: Invalid, skip_special: bool) -> Result<Vec<u8>> {
        self.joined(ids, skip_special, Broken::of(invalid))
    }

    /// The text that many ids spell in UTF-16, the low byte first, where that is a shorter way to a string of another
    /// language than the bytes are: no check of UTF-8, and characters of one size. `None` for all else, errors included:
    /// ask [`TextDecoder::unchecked_text`] then. O(bytes).
    pub fn utf16_le(&self, ids: &[u32], skip_special: bool) -> Option<Vec<u8>> {
        match &self.plan {
            Plan::Plain(None) if skip_special => self.table.join_utf16(&self.without_skipped(ids)),
            Plan::Plain(None) => self.table.join_utf16(ids),
            _ => None,
        }
    }

    /// The bytes of one id as they stand in the vocabulary. O(1).
    ///
    /// # Errors
    /// [`Kind::UnknownId`] for an id that no token has.
    pub fn token(&self, id: u32) -> Result<&[u8]> {
        self.table.get(id).ok_or_else(|| {
            let message = format!("id {id} is not defined: ids of this tokenizer lie in 0..{}", self.table.range());
            Error::new(Kind::UnknownId, message)
        })
    }

    fn joined(&self, ids: &[u32], skip_special: bool, broken: Broken) -> Result<Vec<u8>> {
        if let Plan::Plain(None) = &self.plan {
            let ids = if skip_special { self.without_skipped(ids) } else { Cow::Borrowed(ids) };
            if let Ok(bytes) = self.table.join(&ids) {
                return Ok(bytes);
            }
        }
        let mut out = Vec::with_capacity(ids.len() * 4);
        let mut progress = Progress::default();
        for (position, &id) in ids.iter().enumerate() {
            self.token(id).map_err(|error| error.in_source(number(position)))?;
            if skip_special && self.is_skipped(id) {
                continue;
            }
            self.push(&mut progress, id, broken, &mut out)?;
        }
        self.end(&mut progress, broken, &mut out)?;
        Ok(out)
    }

    fn without_skipped<'i>(&self, ids: &'i [u32]) -> Cow<'i, [u32]> {
        let (Some(&first), Some(&last)) = (self.skipped_ids.first(), self.skipped_ids.last()) else {
            return Cow::Borrowed(ids);
        };
        let stays = |&&id: &&u32| !(first..=last).contains(&id) || !self.is_skipped(id);
        if ids.iter().all(|id| stays(&id)) { ids.into() } else { ids.iter().filter(stays).copied().collect() }
    }

    /// Takes one id that the table has, and appends what is certain now.
    fn push(&self, progress: &mut Progress, id: u32, broken: Broken, out: &mut Vec<u8>) -> Result<()> {
        match &self.plan {
            Plan::Plain(other) => {
                out.extend_from_slice(other.as_ref().unwrap_or(&self.table).get(id).unwrap_or_default());
                Ok(())
            }
            Plan::Chain(chain) => chain.push(&self.table, &mut progress.chain, id, broken, out),
            Plan::SentencePiece(decoder) => {
                decoder.push(&self.table, &mut progress.sentencepiece, id, broken, out);
                Ok(())
            }
        }
    }

    /// Appends what was held back.
    fn end(&self, progress: &mut Progress, broken: Broken, out: &mut Vec<u8>) -> Result<()> {
        match &self.plan {
            Plan::Plain(_) => Ok(()),
            Plan::Chain(chain) => chain.finish(&self.table, &mut progress.chain, broken, out),
            Plan::SentencePiece(decoder) => decoder.finish(&mut progress.sentencepiece, broken, out),
        }
    }
}

impl Broken {
    fn of(invalid: Invalid) -> Broken {
        match invalid {
            Invalid::Strict => Broken::Keep,
            Invalid::Replace => Broken::Replace,
        }
    }
}

/// The text of decoded bytes. O(bytes).
///
/// # Errors
/// [`Kind::Encoding`] if they are not UTF-8 and `invalid` is strict.
pub fn text_of(bytes: Vec<u8>, invalid: Invalid) -> Result<String> {
    match (String::from_utf8(bytes), invalid) {
        (Ok(text), _) => Ok(text),
        (Err(error), Invalid::Replace) => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        (Err(error), Invalid::Strict) => Err(not_utf8(error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

/// How an error names the place of an id.
fn number(position: usize) -> String {
    format!("id number {position}")
}

/// The characters that stand for the bytes of a text in a byte-level vocabulary. O(bytes).
pub fn mapped_text(text: &str) -> String {
    let mut mapped = String::with_capacity(text.len() * 2);
    byte_chars::push_text(text.as_bytes(), &mut mapped);
    mapped
}

pub(crate) fn not_utf8(bytes: &[u8], at: usize) -> Error {
    let message = format!(
        "the ids do not spell valid UTF-8: byte 0x{:02x} at {at} of {} bytes; pass errors=\"replace\", or use decode_bytes",
        bytes[at],
        bytes.len()
    );
    Error::new(Kind::Encoding, message).at_byte(at as u64)
}

#[cfg(test)]
mod tests;
