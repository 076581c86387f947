//! Added tokens: found in the text before any other stage sees it.

use serde::{Deserialize, Serialize};

/// A token that is matched in the text as it stands, before pre-tokenization.
///
/// Several added tokens may share an id (aliases). Its text may also be an entry of the model's vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddedToken {
    /// Its id.
    pub id: u32,
    /// Its text.
    pub content: String,
    /// A control token: its text in an input is an error unless the caller allows it.
    pub special: bool,
    /// Matched in the normalised text instead of the original.
    pub normalized: bool,
    /// Takes the white space before it.
    pub lstrip: bool,
    /// Takes the white space after it.
    pub rstrip: bool,
    /// Matched only between word boundaries.
    pub single_word: bool,
}

impl AddedToken {
    /// A special token with no white-space rules.
    pub fn special(content: impl Into<String>, id: u32) -> Self {
        AddedToken {
            id,
            content: content.into(),
            special: true,
            normalized: false,
            lstrip: false,
            rstrip: false,
            single_word: false,
        }
    }
}
