//! Byte-pair encoding by rank: among all neighbouring pairs the one of the lowest rank merges first, the leftmost
//! among equals, until no pair is left. Source: Sennrich, Haddow, Birch 2016, arXiv 1508.07909.

mod cache;
mod canonical;
mod characters;
mod edges;
mod encoder;
mod key;
mod long;
mod number;
mod pairs;
mod queue;
mod ranks;
mod scratch;
mod short;
mod symbols;
#[cfg(test)]
mod tests;
mod trace;
mod units;
mod whole;

use cache::Cache;
pub use canonical::canonical_pairs;
pub use encoder::BpeEncoder;
pub use ranks::all_pairs_by_rank;
pub use scratch::Scratch;
pub use trace::{Step, Trace};
