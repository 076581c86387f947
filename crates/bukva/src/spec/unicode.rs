//! Whose Unicode tables a stage uses.

use serde::{Deserialize, Serialize};

use super::Normalizer;

/// The Unicode version whose tables a stage uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnicodeVersion {
    /// Major version: 16 in Unicode 16.0.
    pub major: u8,
    /// Minor version.
    pub minor: u8,
}

impl UnicodeVersion {
    /// Unicode 8.0: the general categories of `tokenizers`.
    pub const V8: UnicodeVersion = UnicodeVersion { major: 8, minor: 0 };
    /// Unicode 9.0: the normalisation forms of `tokenizers`.
    pub const V9: UnicodeVersion = UnicodeVersion { major: 9, minor: 0 };
    /// Unicode 16.0: the tables of tiktoken 0.14, and the default of everything new.
    pub const V16: UnicodeVersion = UnicodeVersion { major: 16, minor: 0 };
    /// Unicode 17.0: lower case and grapheme clusters of `tokenizers`.
    pub const V17: UnicodeVersion = UnicodeVersion { major: 17, minor: 0 };
}

/// The Unicode version of each component that consults Unicode tables. White space has been the same since 6.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnicodeVersions {
    /// Tables of NFC, NFD, NFKC and NFKD, and of the marks that strip accents removes.
    pub forms: UnicodeVersion,
    /// Tables of lower case.
    pub lowercase: UnicodeVersion,
    /// Tables of BERT's stages: control characters, marks, punctuation.
    pub categories: UnicodeVersion,
    /// Tables of the grapheme clusters that a compiled character map is applied to.
    pub graphemes: UnicodeVersion,
    /// Tables of the pre-tokenizer's classes.
    pub pretokenizer: UnicodeVersion,
}

impl UnicodeVersions {
    /// The versions of Hugging Face's `tokenizers` 0.23.3, found by experiment over every code point.
    pub const fn tokenizers() -> Self {
        UnicodeVersions {
            forms: UnicodeVersion::V9,
            lowercase: UnicodeVersion::V17,
            categories: UnicodeVersion::V8,
            graphemes: UnicodeVersion::V17,
            pretokenizer: UnicodeVersion::V16,
        }
    }

    /// These versions for the tables that `normalizer` and the pre-tokenizer consult, Unicode 16 for all others: a
    /// table that no stage reads makes no difference between two tokenizers.
    #[must_use]
    pub fn consulted_by(self, normalizer: Option<&Normalizer>) -> Self {
        let mut consulted = UnicodeVersions { pretokenizer: self.pretokenizer, ..Self::default() };
        if let Some(normalizer) = normalizer {
            self.consult(normalizer, &mut consulted);
        }
        consulted
    }

    fn consult(&self, normalizer: &Normalizer, consulted: &mut Self) {
        match normalizer {
            Normalizer::Unicode { .. } | Normalizer::StripAccents => consulted.forms = self.forms,
            Normalizer::Lowercase => consulted.lowercase = self.lowercase,
            Normalizer::Precompiled { .. } => consulted.graphemes = self.graphemes,
            Normalizer::Bert { .. } => {
                let UnicodeVersions { graphemes, pretokenizer, .. } = *consulted;
                *consulted = UnicodeVersions { graphemes, pretokenizer, ..*self };
            }
            Normalizer::Sequence { items } => items.iter().for_each(|item| self.consult(item, consulted)),
            _ => {}
        }
    }
}

impl Default for UnicodeVersions {
    fn default() -> Self {
        let version = UnicodeVersion::V16;
        UnicodeVersions {
            forms: version,
            lowercase: version,
            categories: version,
            graphemes: version,
            pretokenizer: version,
        }
    }
}
