//! The bytes of an image: a mapped file, or memory.

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// Bytes that never change, at an address that is a multiple of 8.
///
/// A mapped file must not be written to or shortened while it is used: files are replaced by renaming another one
/// into their place, which leaves the mapped one as it is. Where a file is shortened in place the system ends the
/// process with a bus error as soon as it reads behind the new end.
#[derive(Debug)]
pub struct Map(Kind);

#[derive(Debug)]
enum Kind {
    File(Mmap),
    Memory { words: Box<[u64]>, len: usize },
}

impl Map {
    /// Maps a file. O(1): its pages are read when they are first used.
    ///
    /// # Errors
    /// Those of the system; an empty file cannot be mapped.
    pub fn of_file(file: &File) -> io::Result<Self> {
        // SAFETY: the map is only read. Nothing here writes to the file, and `save` replaces files by renaming; what
        // other programs must not do is said above and in `docs/formats/image.md`.
        let map = unsafe { MmapOptions::new().map(file) }?;
        Ok(Map(Kind::File(map)))
    }

    /// Copies bytes. O(size).
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; bytes.len().div_ceil(8)].into_boxed_slice();
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Map(Kind::Memory { words, len: bytes.len() })
    }

    /// Tells the system that these bytes will not be used soon: they leave the memory of this process and are read
    /// again from the file when they are. An image of o200k has 7 MB of merges, of 33.
    pub(crate) fn release(&self, range: std::ops::Range<usize>) {
        #[cfg(unix)]
        if let Kind::File(map) = &self.0 {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: the map shows a file and is never written to, so the pages that are dropped come back from the
            // file as they were. Where the system refuses, nothing happens.
            let _ = unsafe { map.unchecked_advise_range(advice, range.start, range.len()) };
        }
        #[cfg(not(unix))]
        let _ = range;
    }

    /// All bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Kind::File(map) => map,
            Kind::Memory { words, len } => &bytemuck::cast_slice(words)[..*len],
        }
    }
}
