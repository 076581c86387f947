//! One file that grows: under a temporary name, hashed as it is written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::error::Result;
use crate::formats::save::refused;

/// Bytes of a header of NumPy: room for any length.
const HEADER: usize = 128;
/// Bytes held until they are written.
const BUFFER: usize = 1 << 20;
/// Bytes that the system is told to bring to the disk at a time.
const STRETCH: u64 = 4 << 20;

/// An open file. Removed when dropped, unless it was renamed.
pub(super) struct Part {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
    header: usize,
    /// Bytes behind the header, held ones too.
    length: u64,
    /// Bytes of the file that are on their way to the disk.
    begun: u64,
    hash: Xxh3,
}

/// A length to which a file can go back.
#[derive(Clone)]
pub(super) struct Mark {
    length: u64,
    hash: Xxh3,
}

impl Part {
    /// Makes the file, or empties one that an earlier run left.
    pub(super) fn create(path: PathBuf, with_header: bool) -> Result<Self> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = opened.map_err(|error| refused(&path, "making the file", &error))?;
        let header = if with_header { HEADER } else { 0 };
        let mut part = Part { path, file, buffer: vec![0; header], header, length: 0, begun: 0, hash: Xxh3::new() };
        part.flush()?;
        Ok(part)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends bytes. They are hashed now and written when there are many.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        if self.buffer.len() + bytes.len() < BUFFER {
            self.buffer.extend_from_slice(bytes);
            return Ok(());
        }
        self.flush()?;
        self.put(bytes)?;
        self.begin_to_sync();
        Ok(())
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { length: self.length, hash: self.hash.clone() }
    }

    /// Moves everything behind `mark` to the end of `target`. Reads it back piece by piece.
    pub(super) fn move_tail(&mut self, mark: Mark, target: &mut Part) -> Result<()> {
        self.flush()?;
        let start = self.header as u64 + mark.length;
        let failed = |error: io::Error| refused(&self.path, "moving a document to the next shard", &error);
        self.file.seek(SeekFrom::Start(start)).map_err(failed)?;
        let mut piece = vec![0; BUFFER];
        loop {
            match self.file.read(&mut piece).map_err(failed)? {
                0 => break,
                read => target.write(&piece[..read])?,
            }
        }
        self.file.set_len(start).and_then(|()| self.file.seek(SeekFrom::Start(start))).map_err(failed)?;
        (self.length, self.hash) = (mark.length, mark.hash);
        self.begun = self.begun.min(start);
        Ok(())
    }

    /// Writes the header, if there is one, and brings all to the disk. Gives the hash of what lies behind the header.
    pub(super) fn seal(&mut self, dtype: &str, item_bytes: u64) -> Result<u128> {
        self.flush()?;
        let header = if self.header > 0 { npy_header(dtype, self.length / item_bytes) } else { Vec::new() };
        let written =
            self.file.rewind().and_then(|()| self.file.write_all(&header)).and_then(|()| self.file.sync_all());
        written.map_err(|error| refused(&self.path, "writing the last bytes", &error))?;
        Ok(self.hash.digest128())
    }

    fn flush(&mut self) -> Result<()> {
        self.put(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    fn put(&self, bytes: &[u8]) -> Result<()> {
        let written = (&self.file).write_all(bytes);
        written.map_err(|error| refused(&self.path, &format!("writing {} bytes", bytes.len()), &error))
    }

    /// Lets the system begin to bring what was written to the disk, while more is made: all at the end takes a sixth of
    /// the time that encoding 8 MB of English takes. Only [`Part::seal`] makes sure of it, and hears of errors.
    fn begin_to_sync(&mut self) {
        let end = self.header as u64 + self.length;
        if end - self.begun < STRETCH {
            return;
        }
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd;
            let (from, bytes) = (self.begun as i64, (end - self.begun) as i64);
            // SAFETY: the descriptor is open, and the call touches no memory of this process.
            unsafe { libc::sync_file_range(self.file.as_raw_fd(), from, bytes, libc::SYNC_FILE_RANGE_WRITE) };
        }
        self.begun = end;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Nothing is there after a rename, and a failure here is not the one to report.
        let _ = fs::remove_file(&self.path);
    }
}

/// The header of a one-dimensional array, version 1.0 of the format: `numpy.lib.format`.
fn npy_header(dtype: &str, length: u64) -> Vec<u8> {
    let facts = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({length},), }}");
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend(((HEADER - header.len() - 2) as u16).to_le_bytes());
    header.extend(facts.as_bytes());
    header.resize(HEADER - 1, b' ');
    header.push(b'\n');
    header
}
