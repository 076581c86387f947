//! Byte-pair encoding by rank: among all neighbouring pairs the one of the lowest rank merges first, the leftmost
//! among equals, until no pair is left. Source: Sennrich, Haddow, Birch 2016, arXiv 1508.07909.
//!
//! From the model to tables: `canonical` (by `spines`) keeps the merges that can happen, `number` numbers symbols,
//! `outward` gives their ids, `pairs` and `symbols` are the tables. `characters` (with `edges` and `compact`) and `joints`
//! are the proven shortcuts, made by `shortcuts`.
//!
//! From a piece to ids: `encoder` asks the tables of [`super::lookup`], and merges what is new, by `few`, `short`, `long`
//! (with `queue`) or `runs`, and many pieces in turns by `lockstep`. `rules` cuts long pieces, and `general` merges what
//! the tables do not serve.
//!
//! `tables` takes compiled tables from an image; `trace` shows the steps; `apart` takes excluded tokens apart; `dropout`
//! samples; `once` encodes what is learned elsewhere; `forced` takes other ways for tests; `ranks` makes merges of a rank
//! file.

mod apart;
mod canonical;
mod characters;
mod compact;
mod dropout;
mod edges;
mod encoder;
mod few;
mod forced;
mod general;
mod joints;
mod lockstep;
mod long;
mod number;
mod once;
mod outward;
mod pairs;
mod queue;
mod ranks;
mod rules;
mod runs;
mod scratch;
mod short;
mod shortcuts;
mod spines;
mod symbols;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod trace;
mod units;

pub use canonical::canonical_pairs;
pub use dropout::BpeSampler;
pub use encoder::BpeEncoder;
pub use ranks::{all_pairs_by_order, all_pairs_by_rank};
pub use scratch::Scratch;
pub use trace::{Step, Trace};
