//! Ids → bytes → text.
//!
//! [`TextDecoder`] is a compiled [`crate::spec::Decoder`]; [`StreamDecoder`] takes ids one at a time.

mod stream;
mod table;

pub use stream::StreamDecoder;
pub use table::TokenTable;

use crate::error::{Error, Kind, Result};
use crate::spec::{Decoder, Spec};

/// What to do with bytes that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Invalid {
    /// An error that names the byte.
    #[default]
    Strict,
    /// U+FFFD for each maximal invalid part, as Python's `errors="replace"`.
    Replace,
}

/// How token bytes are joined.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Joiner {
    /// As they are.
    Plain,
    /// The marker becomes a space, and nothing in the last token.
    EndOfWord(Vec<u8>),
    /// A space follows every token but the last.
    SpaceBetween,
}

/// A compiled decoder with the bytes of every id.
#[derive(Debug)]
pub struct TextDecoder {
    table: TokenTable,
    joiner: Joiner,
    special_ids: Vec<u32>,
}

impl TextDecoder {
    /// Compiles the decoder of a specification.
    ///
    /// # Errors
    /// [`Kind::Unsupported`] for a kind that this version does not run.
    pub fn compile(spec: &Spec) -> Result<Self> {
        Self::with_table(spec, TokenTable::new(spec))
    }

    /// As [`TextDecoder::compile`], with the bytes of every id as they are.
    ///
    /// # Errors
    /// As [`TextDecoder::compile`].
    pub fn with_table(spec: &Spec, table: TokenTable) -> Result<Self> {
        let joiner = match &spec.decoder {
            None | Some(Decoder::ByteLevel | Decoder::Fuse) => Joiner::Plain,
            Some(Decoder::SpaceBetween) => Joiner::SpaceBetween,
            Some(Decoder::EndOfWord { suffix }) => Joiner::EndOfWord(suffix.clone().into_bytes()),
            Some(other) => {
                return Err(Error::new(
                    Kind::Unsupported,
                    format!("the decoder {other:?} is not supported by this version"),
                ));
            }
        };
        let mut special_ids: Vec<u32> = spec.special_tokens().map(|token| token.id).collect();
        special_ids.sort_unstable();
        special_ids.dedup();
        Ok(TextDecoder { table, joiner, special_ids })
    }

    /// The bytes of every id.
    pub fn table(&self) -> &TokenTable {
        &self.table
    }

    /// Whether the id is a special token's.
    pub fn is_special(&self, id: u32) -> bool {
        self.special_ids.binary_search(&id).is_ok()
    }

    /// The bytes that ids spell. O(bytes).
    ///
    /// # Errors
    /// [`Kind::UnknownId`] for an id that no token has; it names the id, its position and the range.
    pub fn bytes(&self, ids: &[u32], skip_special: bool) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(ids.len() * 4);
        let last = ids.iter().rposition(|&id| !(skip_special && self.is_special(id)));
        for (position, &id) in ids.iter().enumerate() {
            let token = self.token(id).map_err(|error| error.in_source(format!("id number {position}")))?;
            if !(skip_special && self.is_special(id)) {
                self.join(token, Some(position) == last, &mut out);
            }
        }
        Ok(out)
    }

    /// The text that ids spell. O(bytes).
    ///
    /// # Errors
    /// As [`TextDecoder::bytes`], and [`Kind::Encoding`] if the bytes are not UTF-8 and `invalid` is strict.
    pub fn text(&self, ids: &[u32], invalid: Invalid, skip_special: bool) -> Result<String> {
        let bytes = self.bytes(ids, skip_special)?;
        match (String::from_utf8(bytes), invalid) {
            (Ok(text), _) => Ok(text),
            (Err(error), Invalid::Replace) => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            (Err(error), Invalid::Strict) => Err(not_utf8(error.as_bytes(), error.utf8_error().valid_up_to())),
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

    fn join(&self, token: &[u8], is_last: bool, out: &mut Vec<u8>) {
        match &self.joiner {
            Joiner::Plain => out.extend_from_slice(token),
            Joiner::SpaceBetween => {
                out.extend_from_slice(token);
                if !is_last {
                    out.push(b' ');
                }
            }
            Joiner::EndOfWord(marker) => {
                let mut from = 0;
                for at in memchr::memmem::find_iter(token, marker) {
                    out.extend_from_slice(&token[from..at]);
                    if !is_last {
                        out.push(b' ');
                    }
                    from = at + marker.len();
                }
                out.extend_from_slice(&token[from..]);
            }
        }
    }

    /// Whether a token's text depends on there being another one after it.
    fn looks_ahead(&self) -> bool {
        self.joiner != Joiner::Plain
    }
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
