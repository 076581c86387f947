//! The vocabulary: token bytes and ids, with gaps and aliases.

use serde::{Deserialize, Serialize};

use super::entries::Entries;
use crate::block::Block;
use crate::error::{Error, Kind, Result};

/// One token with its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VocabEntry<'a> {
    /// The id.
    pub id: u32,
    /// The token's bytes.
    pub bytes: &'a [u8],
}

/// Tokens and their ids in one flat block, in the order in which they were added.
///
/// Ids need not be dense or in order, and two ids may spell the same bytes. 12 bytes an entry and the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vocab {
    ids: Block<u32>,
    /// End of each entry's bytes in `bytes`.
    ends: Block<u64>,
    bytes: Block<u8>,
}

impl Vocab {
    /// An empty vocabulary.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry at the end. O(bytes).
    pub fn push(&mut self, id: u32, bytes: &[u8]) {
        self.ids.push(id);
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u64);
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The entry at `index`, in the order of adding. O(1).
    ///
    /// # Panics
    /// If `index` is not below [`Vocab::len`].
    #[inline]
    pub fn entry(&self, index: usize) -> VocabEntry<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        VocabEntry { id: self.ids[index], bytes: &self.bytes[start..self.ends[index] as usize] }
    }

    /// All entries in the order of adding.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = VocabEntry<'_>> + Clone {
        let (bytes, mut start) = (&self.bytes[..], 0);
        self.ids.iter().zip(&self.ends).map(move |(&id, &end)| {
            let bytes = &bytes[start..end as usize];
            start = end as usize;
            VocabEntry { id, bytes }
        })
    }

    /// The first two entries that share an id. O(entries).
    pub fn repeated_id(&self) -> Option<(usize, usize)> {
        Entries::of(self).1
    }

    /// Ids of all entries, entry by entry.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Bytes of all entries, joined.
    pub fn joined_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// End of each entry in [`Vocab::joined_bytes`].
    pub fn ends(&self) -> &[u64] {
        &self.ends
    }

    /// A vocabulary of joined tokens, with an id and the end of each. O(1).
    ///
    /// # Panics
    /// If there are not as many ids as ends (in debug builds). The ends rise, and the last is the length of `bytes`.
    pub(crate) fn of_parts(ids: Vec<u32>, ends: Vec<u64>, bytes: Vec<u8>) -> Self {
        debug_assert!(
            ids.len() == ends.len() && ends.is_sorted() && ends.last().is_none_or(|&end| end == bytes.len() as u64)
        );
        Vocab { ids: ids.into(), ends: ends.into(), bytes: bytes.into() }
    }

    /// Rebuilds a vocabulary from its three blocks, as an image file holds them. O(entries).
    ///
    /// # Errors
    /// [`Kind::Format`] if the blocks do not fit together.
    pub fn from_blocks(ids: Block<u32>, ends: Block<u64>, bytes: Block<u8>) -> Result<Self> {
        let ordered = ends.windows(2).all(|pair| pair[0] <= pair[1]);
        if ids.len() != ends.len() || !ordered || ends.last().copied().unwrap_or(0) != bytes.len() as u64 {
            let message = format!(
                "vocabulary blocks do not fit together: {} ids, {} ends, {} bytes",
                ids.len(),
                ends.len(),
                bytes.len()
            );
            return Err(Error::new(Kind::Format, message));
        }
        Ok(Vocab { ids, ends, bytes })
    }
}

impl<'a> FromIterator<(u32, &'a [u8])> for Vocab {
    fn from_iter<I: IntoIterator<Item = (u32, &'a [u8])>>(entries: I) -> Self {
        let (mut ids, mut ends, mut joined) = (Vec::new(), Vec::new(), Vec::new());
        for (id, bytes) in entries {
            ids.push(id);
            joined.extend_from_slice(bytes);
            ends.push(joined.len() as u64);
        }
        Vocab::of_parts(ids, ends, joined)
    }
}
