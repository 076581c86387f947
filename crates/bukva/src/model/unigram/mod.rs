//! Unigram: the segmentation whose pieces have the highest sum of scores. Source: Kudo 2018, arXiv 1804.10959.
//!
//! `entries` is the compiled vocabulary, `best` the search for the best path through a text, `spell` makes ids of a
//! path. `encoder` puts them together: with the rules of the `tokenizers` library each pre-token stands for itself;
//! with SentencePiece's (`sentence`) sums are single and run through the whole text, and `margin` tells where that
//! cannot matter.

mod best;
mod encoder;
mod entries;
mod heap;
mod json_score;
mod lattice;
mod margin;
mod sampling;
mod sentence;
mod spell;
#[cfg(test)]
mod tests;

pub use encoder::{Scratch, UnigramEncoder};
