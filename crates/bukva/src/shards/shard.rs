//! The shard that is being written: ids, and where documents begin.

use std::path::{Path, PathBuf};

use super::part::{Mark, Part};
use super::{Options, Position, Width};
use crate::error::{Error, Kind, Result};

/// A shard whose two files are on the disk under temporary names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its number.
    pub number: u64,
    /// The file of ids.
    pub ids: PathBuf,
    /// The file of offsets: an array of NumPy, int64, one more than there are documents.
    pub offsets: PathBuf,
    /// How many ids it has.
    pub tokens: u64,
    /// How many documents, or parts of documents.
    pub documents: u64,
    /// Whether its first document begins in it.
    pub starts_document: bool,
    /// Whether its last document ends in it.
    pub ends_document: bool,
    /// XXH3, 128 bits, of the ids as they lie in the file, without header.
    pub ids_hash: u128,
    /// The same of the offsets.
    pub offsets_hash: u128,
    /// Where to go on.
    pub next: Position,
}

/// An open shard.
pub(super) struct Shard {
    number: u64,
    ids: Part,
    offsets: Part,
    width: Width,
    narrow: Vec<u16>,
    starts_document: bool,
    pub(super) tokens: u64,
    documents: u64,
}

impl Shard {
    pub(super) fn create(options: &Options, number: u64, starts_document: bool) -> Result<Self> {
        let path = |name: &str| options.folder.join(format!("{name}-{number:05}.part"));
        let mut offsets = Part::create(path("offsets"), true)?;
        offsets.write(&0i64.to_le_bytes())?;
        Ok(Shard {
            number,
            ids: Part::create(path("shard"), options.with_header)?,
            offsets,
            width: options.width,
            narrow: Vec::new(),
            starts_document,
            tokens: 0,
            documents: 0,
        })
    }

    pub(super) fn write(&mut self, ids: &[u32]) -> Result<()> {
        self.tokens += ids.len() as u64;
        match self.width {
            Width::U32 if cfg!(target_endian = "little") => self.ids.write(bytemuck::cast_slice(ids)),
            Width::U32 => ids.iter().try_for_each(|id| self.ids.write(&id.to_le_bytes())),
            Width::U16 => self.write_narrow(ids),
        }
    }

    fn write_narrow(&mut self, ids: &[u32]) -> Result<()> {
        if let Some(id) = ids.iter().max().filter(|&&id| id > u32::from(u16::MAX)) {
            let message = format!("the id {id} does not fit into two bytes, whose largest is 65535; use uint32");
            return Err(Error::new(Kind::Argument, message));
        }
        self.narrow.clear();
        self.narrow.extend(ids.iter().map(|&id| (id as u16).to_le()));
        self.ids.write(bytemuck::cast_slice(&self.narrow))
    }

    /// Ends a document, or the part of it that lies here.
    pub(super) fn end_document(&mut self) -> Result<()> {
        self.documents += 1;
        self.offsets.write(&(self.tokens as i64).to_le_bytes())
    }

    pub(super) fn mark(&self) -> Mark {
        self.ids.mark()
    }

    /// Moves the open document, which began at `mark` behind `start` ids, into a new shard.
    pub(super) fn move_open_document(&mut self, mark: Mark, start: u64, options: &Options) -> Result<Shard> {
        let mut next = Shard::create(options, self.number + 1, true)?;
        self.ids.move_tail(mark, &mut next.ids)?;
        next.tokens = self.tokens - start;
        self.tokens = start;
        Ok(next)
    }

    /// Brings both files to the disk.
    pub(super) fn seal(&mut self, ends_document: bool, next: Position) -> Result<Sealed> {
        let (dtype, bytes) = match self.width {
            Width::U16 => ("<u2", 2),
            Width::U32 => ("<u4", 4),
        };
        Ok(Sealed {
            number: self.number,
            ids_hash: self.ids.seal(dtype, bytes)?,
            offsets_hash: self.offsets.seal("<i8", 8)?,
            ids: path_of(&self.ids),
            offsets: path_of(&self.offsets),
            tokens: self.tokens,
            documents: self.documents,
            starts_document: self.starts_document,
            ends_document,
            next,
        })
    }
}

fn path_of(part: &Part) -> PathBuf {
    Path::to_owned(part.path())
}
