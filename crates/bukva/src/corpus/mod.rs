//! Corpora: documents from files, standard input and memory, read block by block.
//!
//! - [`Source`]: a file or standard input, what it holds and how it is compressed; [`Input`]: a source, or texts in
//!   memory;
//! - [`Reader`]: inputs in order → [`Block`]s of about a megabyte, cut only where [`Cuts`] proves it harmless;
//! - [`Documents`]: the same inputs, document by document.
//!
//! Text is taken as it is: CRLF stays CRLF, and a byte order mark is text. The one exception is a byte order mark at
//! the start of a JSON Lines file, which is no part of any document and is skipped. A file may be larger than memory
//! unless its pattern proves no cut: then each document is held whole.

mod block;
mod cut;
mod documents;
mod feed;
mod jsonl;
mod open;
mod packer;
mod reader;
mod source;
mod text_file;
mod utf8;

pub use block::{Block, Pieces};
pub(crate) use cut::char_floor;
pub use cut::{Cuts, Cutter, Uncut};
pub use documents::Documents;
pub(crate) use feed::Feed;
pub use reader::{BLOCK_BYTES, Input, Options, Reader, Texts};
pub use source::{Compression, Content, Location, Source, Unit};
pub use utf8::OnInvalid;

#[cfg(test)]
mod tests;
