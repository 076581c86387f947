//! Rank files of tiktoken: one token a line, in base64, with its rank.
//!
//! `docs/formats/tiktoken.md` describes the format and what it cannot hold. The rank is the id and the priority of
//! the token at once: two neighbours merge whenever their bytes joined are a token, the lowest rank first.

mod read;
pub(super) mod same_ids;
#[cfg(test)]
mod tests;
mod write;

pub use read::{read_ranks, read_tiktoken};
pub use write::write_tiktoken;
