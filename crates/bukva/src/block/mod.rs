//! Flat tables that are owned, or lie in a mapped file and are used from there.
//!
//! [`Block`] is what a compiled table is made of; [`Map`] holds the bytes of an image; [`Sections`] finds the blocks
//! in it by name.

mod map;
mod sections;

use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;

use bytemuck::Pod;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use map::Map;
pub(crate) use sections::damaged;
pub use sections::{Bytes, Sections};

/// A list of plain numbers: a vector, or a part of a [`Map`] that it keeps alive. Reading is as fast as reading a
/// slice, whichever it is. A clone of a vector copies it, a clone of a part of a map does not.
pub struct Block<T> {
    start: NonNull<T>,
    len: usize,
    owner: Owner<T>,
}

enum Owner<T> {
    Vec(Vec<T>),
    Map(Arc<Map>),
}

// SAFETY: a block is a shared slice and its owner, both of which may go to other threads where `T` may.
unsafe impl<T: Send> Send for Block<T> {}
// SAFETY: as above; nothing is changed through a shared block.
unsafe impl<T: Sync> Sync for Block<T> {}

impl<T> Block<T> {
    /// Changes the items. O(1) beside the change for a vector; a part of a map is copied first.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R
    where
        T: Clone,
    {
        let mut items = self.take();
        let result = change(&mut items);
        *self = items.into();
        result
    }

    /// Adds an item at the end.
    #[inline]
    pub fn push(&mut self, item: T)
    where
        T: Clone,
    {
        self.edit(|items| items.push(item));
    }

    /// Adds items at the end.
    #[inline]
    pub fn extend_from_slice(&mut self, more: &[T])
    where
        T: Clone,
    {
        self.edit(|items| items.extend_from_slice(more));
    }

    /// The items as a vector, and an empty block in their place.
    fn take(&mut self) -> Vec<T>
    where
        T: Clone,
    {
        match std::mem::take(self) {
            Block { owner: Owner::Vec(items), .. } => items,
            mapped => mapped.to_vec(),
        }
    }
}

impl<T: Pod> Block<T> {
    /// The items that lie in `bytes`, a part of `map`; `None` where their size or place does not fit.
    pub(crate) fn in_map(map: &Arc<Map>, range: std::ops::Range<usize>) -> Option<Self> {
        let items: &[T] = bytemuck::try_cast_slice(map.bytes().get(range)?).ok()?;
        Some(Block { start: NonNull::from(items).cast(), len: items.len(), owner: Owner::Map(map.clone()) })
    }
}

impl<T> Deref for Block<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` and `len` are those of a slice of valid items that `owner` keeps alive: the buffer of a
        // vector, which stays where it is while the vector moves and is changed only with `self` borrowed mutably
        // (`edit` takes `start` anew), or a part of a map, which is never changed. Measured: deciding between the
        // two owners at each look-up costs a tenth of the encoding speed.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> From<Vec<T>> for Block<T> {
    #[inline]
    fn from(items: Vec<T>) -> Self {
        let slice = NonNull::from(items.as_slice());
        Block { start: slice.cast(), len: slice.len(), owner: Owner::Vec(items) }
    }
}

impl<T> FromIterator<T> for Block<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Clone> Clone for Block<T> {
    fn clone(&self) -> Self {
        match &self.owner {
            Owner::Vec(items) => items.clone().into(),
            Owner::Map(map) => Block { start: self.start, len: self.len, owner: Owner::Map(map.clone()) },
        }
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Block<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self[..].fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Block<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for Block<T> {}

impl<'a, T> IntoIterator for &'a Block<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Serialize> Serialize for Block<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Block<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Block::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owned_and_mapped_blocks_are_alike() {
        let map = Arc::new(Map::of_bytes(&[1, 0, 0, 0, 2, 0, 0, 0]));
        let mut mapped: Block<u32> = Block::in_map(&map, 0..8).unwrap();
        let owned = Block::from(vec![1_u32, 2]);
        assert_eq!(mapped, owned);
        drop(map);
        let before = mapped.clone();
        mapped.push(3);
        mapped.edit(|items| items.remove(0));
        assert_eq!((&mapped[..], &before[..]), (&[2, 3][..], &[1, 2][..]));
    }

    #[test]
    fn what_does_not_fit_is_no_block() {
        let map = Arc::new(Map::of_bytes(&[0; 8]));
        assert!(Block::<u32>::in_map(&map, 0..6).is_none());
        assert!(Block::<u32>::in_map(&map, 1..5).is_none());
        assert!(Block::<u32>::in_map(&map, 4..12).is_none());
        assert_eq!(Block::<u32>::in_map(&map, 8..8).unwrap().len(), 0);
    }
}
