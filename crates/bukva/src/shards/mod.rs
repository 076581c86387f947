//! Documents from files → flat ids in files of bounded size.
//!
//! - [`Recipe`]: what is encoded how: added tokens, the template, ids behind each document;
//! - [`encode_shards`]: inputs → shards, on any number of threads; each finished shard is handed to a [`Keeper`];
//! - [`Position`]: where the inputs stood when a shard was finished, from which a later run goes on.
//!
//! A shard is two files: ids, one after the other, and where documents begin. It holds whole documents and at most
//! [`Options::shard_tokens`] ids. A document with more begins a shard of its own and is cut there after each so many
//! ids. This depends on the documents alone: not on threads, on how they are read, or on where a run began.
//!
//! Memory: about three blocks a thread, text and ids; where no cut is proven, the longest document.

mod cabinet;
mod cuts;
mod order;
mod part;
mod position;
mod recipe;
mod shard;
mod writer;

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

pub use position::Position;
pub use recipe::Recipe;
pub use shard::Sealed;

use crate::corpus::{self, Input, Reader};
use crate::error::Result;
use crate::monitor::Monitor;
use crate::pipeline::Tokenizer;
use cabinet::Cabinet;
use order::Source;
use writer::Writer;

/// How wide an id is in a file. Bytes are in little-endian order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Two bytes.
    U16,
    /// Four bytes.
    U32,
}

/// Where shards go and how large they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The folder for the files that are being written.
    pub folder: PathBuf,
    /// Ids of a shard at most; at least 1.
    pub shard_tokens: u64,
    /// Width of an id.
    pub width: Width,
    /// Whether the file of ids begins with a header of NumPy.
    pub with_header: bool,
    /// Number of the first shard.
    pub first_shard: u64,
    /// Where the inputs stand: the start, or where an earlier run finished its last shard.
    pub position: Position,
    /// Threads, the calling one among them.
    pub threads: usize,
}

/// What is read.
pub struct Corpus<'a> {
    /// All inputs, those that are done already too.
    pub inputs: Vec<Input<'a>>,
    /// Their names in messages.
    pub names: &'a [String],
    /// How they are read; `apart` is set here.
    pub reading: corpus::Options,
}

/// Takes each finished shard, in order, on a thread of its own: the disk may take long.
pub trait Keeper {
    /// Puts the files of a shard, which are on the disk, in their place. What is still there afterwards is removed.
    ///
    /// # Errors
    /// Any error ends the work and becomes its result.
    fn keep(&mut self, shard: &Sealed) -> Result<()>;
}

/// Encodes the documents of a corpus into shards. Gives the position at the end, where all replaced bytes are counted.
///
/// O(bytes) beside what the stages take. `monitor` hears of every read.
///
/// # Errors
/// What reading and encoding answer, with input and document; what writing, `keeper` and `monitor` answer. Shards that
/// are finished stay; of the others nothing remains.
pub fn encode_shards(
    tokenizer: &Tokenizer,
    recipe: &Recipe,
    corpus: Corpus<'_>,
    options: &Options,
    monitor: &mut dyn Monitor,
    keeper: &mut (dyn Keeper + Send),
) -> Result<Position> {
    let Corpus { mut inputs, names, reading } = corpus;
    let inputs = inputs.split_off(options.position.input.min(inputs.len()));
    let reading = corpus::Options { apart: true, ..reading };
    let reader = Reader::new(inputs, reading, cuts::cuts(tokenizer, recipe));
    let mut source = Source::new(reader, &options.position, names, monitor);
    let (kitchen, keeper) = (recipe.with(tokenizer), Mutex::new(keeper));
    thread::scope(|scope| {
        let mut writer = Writer::new(options, names, Cabinet::new(scope, &keeper));
        order::in_order(&kitchen, &mut source, options.threads, &mut |encoded| writer.take(encoded))?;
        let replaced_bytes = source.finish()?;
        Ok(Position { replaced_bytes, ..writer.finish()? })
    })
}

#[cfg(test)]
mod tests;
