//! Normalizers: text → text.

use serde::{Deserialize, Serialize};

use super::Pattern;

/// A Unicode normalisation form. Source: Unicode Standard Annex #15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility composition.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// What is done to text before it is split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Normalizer {
    /// A Unicode normalisation form.
    Unicode {
        /// Which form.
        form: Form,
    },
    /// Every character to its lower case.
    Lowercase,
    /// Every run of white space becomes one U+0020.
    CollapseWhitespace,
    /// White space is removed at the ends of the text.
    Strip {
        /// At the start.
        left: bool,
        /// At the end.
        right: bool,
    },
    /// Marks (`\p{M}`) are removed.
    StripAccents,
    /// Every match becomes `content`.
    Replace {
        /// What to look for.
        pattern: Pattern,
        /// What to put there.
        content: String,
    },
    /// `content` is put before a text that is not empty.
    Prepend {
        /// What to put there.
        content: String,
    },
    /// Bytes become the printable characters of GPT-2's table, as in `tokenizers`' `ByteLevel` normalizer.
    ByteLevel,
    /// BERT's cleaning, as in `tokenizers`' `BertNormalizer`.
    Bert {
        /// Control characters out, white space to U+0020.
        clean_text: bool,
        /// Spaces around CJK characters.
        handle_chinese_chars: bool,
        /// Accents out; `None` follows `lowercase`.
        strip_accents: Option<bool>,
        /// Lower case.
        lowercase: bool,
    },
    /// The `tokenizers` library's `Nmt` normalizer.
    Nmt,
    /// A compiled character map of SentencePiece.
    Precompiled {
        /// The map as it stands in the file.
        #[serde(with = "super::base64_bytes")]
        charsmap: Vec<u8>,
    },
    /// The whole normalizer of a SentencePiece model: map, white space, marks. User-defined pieces (added tokens that
    /// are matched in normalized text) pass through it unchanged.
    SentencePiece {
        /// The compiled character map; empty for identity.
        #[serde(with = "super::base64_bytes")]
        charsmap: Vec<u8>,
        /// Puts a space before the text.
        add_dummy_prefix: bool,
        /// White space is removed at the ends, and a run of it becomes one space.
        remove_extra_whitespaces: bool,
        /// A space becomes U+2581.
        escape_whitespaces: bool,
        /// The dummy space stands behind the text instead: `treat_whitespace_as_suffix`.
        whitespace_as_suffix: bool,
    },
    /// Each in turn.
    Sequence {
        /// The normalizers in order.
        items: Vec<Normalizer>,
    },
}
