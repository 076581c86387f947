//! Truncation and padding as a file states them: kept, and applied only when asked.

use serde::{Deserialize, Serialize};

/// An end of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The start.
    Left,
    /// The end.
    Right,
}

/// Which text of a pair is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TruncationStrategy {
    /// The longer one, token by token.
    LongestFirst,
    /// The first.
    OnlyFirst,
    /// The second.
    OnlySecond,
}

/// How to cut long sequences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truncation {
    /// Tokens that remain.
    pub max_length: usize,
    /// Tokens that a window shares with the one before.
    pub stride: usize,
    /// Which text of a pair is cut.
    pub strategy: TruncationStrategy,
    /// Which end is cut.
    pub side: Side,
}

/// How to fill short sequences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Padding {
    /// Tokens after filling; `None` is the longest of the batch.
    pub length: Option<usize>,
    /// Which end is filled.
    pub side: Side,
    /// Lengths are rounded up to a multiple of this.
    pub multiple_of: Option<usize>,
    /// The id to fill with.
    pub pad_id: u32,
    /// Its segment number.
    pub pad_type_id: u32,
    /// Its token.
    pub pad_token: String,
}
