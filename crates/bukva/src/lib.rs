//! The engine of bukva: text → normalize → pretokenize → model → ids, and back.
//!
//! The modules follow the path of a text:
//!
//! - [`spec`]: what a tokenizer is, as data; every reader makes one, every writer takes one;
//! - [`normalize`], [`pretokenize`], [`model`], [`decode`]: the stages, compiled from a spec;
//! - [`pipeline`]: a compiled spec, from text to ids and back; [`batch`]: the same for many texts;
//! - [`encoding`]: tokens with offsets, words, windows and padding, as `tokenizers` gives them;
//! - [`explain`]: what each stage did to one text; [`align`]: places in the original as `tokenizers` reports them;
//! - [`block`]: flat tables, owned or in a mapped file;
//! - [`corpus`]: documents from files, block by block; [`train`]: documents → weighted pre-tokens → a spec;
//! - [`formats`]: bytes ↔ spec;
//! - [`embed`]: the numeric kernels of tables of vectors, and tables as text;
//! - [`unicode`]: the character tables that the stages share.
//!
//! No Python, no printing, no network. Everything fallible returns [`Error`].

pub mod added;
pub mod align;
pub mod audit;
pub mod batch;
pub mod block;
pub mod corpus;
pub mod decode;
pub mod embed;
pub mod encoding;
pub mod error;
pub mod explain;
mod finder;
pub mod formats;
mod huge;
pub mod model;
pub mod monitor;
pub mod normalize;
mod parts;
pub mod paths;
pub mod pieces_hf;
pub mod pipeline;
pub mod postprocess;
mod prefetch;
pub mod pretokenize;
mod sampling;
pub mod shards;
pub mod spec;
mod together;
pub mod train;
pub mod unicode;
mod words;

pub use error::{Error, Kind, Place, Result};
pub use monitor::{Monitor, Progress, Stage};
pub use spec::Spec;
