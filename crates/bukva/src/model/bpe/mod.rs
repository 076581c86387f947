//! Byte-pair encoding by rank: among all neighbouring pairs the one of the lowest rank merges first, the leftmost
//! among equals, until no pair is left. Source: Sennrich, Haddow, Birch 2016, arXiv 1508.07909.
//!
//! From the model to tables: `canonical` (by `spines`) keeps the merges that can happen, `number` numbers symbols, `pairs` and
//! `symbols` are the tables, `whole` and `characters` (with `edges`) the proven shortcuts. From a piece to ids:
//! `encoder` (`spans` for many pieces) asks `whole` and `cache`, and merges what is new, `short` or `long` (with
//! `queue`). `tables` takes compiled tables from an image; `trace` shows the steps; `ranks` makes merges of a rank file.

mod cache;
mod canonical;
mod characters;
mod edges;
mod encoder;
mod key;
mod long;
mod number;
mod pairs;
mod prefetch;
mod queue;
mod ranks;
mod scratch;
mod short;
mod spans;
mod spines;
mod symbols;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod trace;
mod units;
mod whole;

use cache::Cache;
pub use canonical::canonical_pairs;
pub use encoder::BpeEncoder;
pub use ranks::{all_pairs_by_order, all_pairs_by_rank};
pub use scratch::Scratch;
pub use trace::{Step, Trace};
