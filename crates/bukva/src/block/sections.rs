//! Named parts of a map.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use super::{Block, Map};
use crate::error::{Error, Kind, Result};

/// A named block as bytes, on its way into an image.
pub type Bytes<'a> = (&'static str, Cow<'a, [u8]>);

/// The sections of an image, by name.
#[derive(Debug)]
pub struct Sections {
    map: Arc<Map>,
    entries: Vec<(String, Range<usize>)>,
}

impl Sections {
    /// The parts of `map` that `entries` name; they lie inside it.
    pub(crate) fn new(map: Arc<Map>, entries: Vec<(String, Range<usize>)>) -> Self {
        Sections { map, entries }
    }

    /// Whether there is a section called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.range(name).is_some()
    }

    /// Names in the order of the image.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| name.as_str())
    }

    /// Lets go of the memory of a section that will seldom be read; does nothing where there is none.
    pub(crate) fn release(&self, name: &str) {
        self.range(name).into_iter().for_each(|range| self.map.release(range));
    }

    /// The bytes of a section.
    ///
    /// # Errors
    /// [`Kind::Format`] if it is missing.
    pub fn bytes(&self, name: &str) -> Result<&[u8]> {
        let range = self.range(name).and_then(|range| self.map.bytes().get(range));
        range.ok_or_else(|| damaged(format!("section {name:?} is missing")))
    }

    /// The numbers of a section, used from where they lie. O(1).
    ///
    /// # Errors
    /// [`Kind::Format`] if it is missing or its length is no multiple of a number's.
    pub fn block<T: Pod>(&self, name: &str) -> Result<Block<T>> {
        let length = self.bytes(name)?.len();
        let block = self.range(name).and_then(|range| Block::in_map(&self.map, range));
        block.ok_or_else(|| {
            let size = size_of::<T>();
            damaged(format!("section {name:?} has {length} bytes, which is no multiple of {size}"))
        })
    }

    fn range(&self, name: &str) -> Option<Range<usize>> {
        self.entries.iter().find(|(found, _)| found == name).map(|(_, range)| range.clone())
    }
}

/// An error about a file that is not a whole image.
pub(crate) fn damaged(message: impl Into<String>) -> Error {
    Error::new(Kind::Format, format!("bukva image: {}", message.into()))
}
