//! What one thread remembers of one model.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Cache, Misses};

/// The learned pieces of one thread and model, with room to count in.
#[derive(Debug)]
pub(in crate::model) struct Memory {
    pub(in crate::model) cache: Cache,
    /// Ids that are counted and not wanted.
    pub(super) ids: Vec<u32>,
    /// Pieces that are looked up once more.
    pub(super) misses: Misses,
    serial: u64,
}

impl Memory {
    /// An empty memory for the model of this serial number. O(1).
    pub(in crate::model) fn of(serial: u64) -> Self {
        Memory { cache: Cache::new(), ids: Vec::new(), misses: Misses::default(), serial }
    }

    /// The same for the model of another serial number. O(1).
    pub(in crate::model) fn anew(&self, serial: u64) -> Self {
        let mut memory = Memory::of(serial);
        memory.cache.learns = self.cache.learns;
        memory
    }

    /// Whether it belongs to the model of this serial number; what another one taught it is worth nothing.
    #[inline]
    pub(in crate::model) fn is_of(&self, serial: u64) -> bool {
        self.serial == serial
    }
}

/// The number of no model.
pub(in crate::model) const NOBODY: u64 = 0;

/// A number that no other compiled model of this process has.
pub(in crate::model) fn next_serial() -> u64 {
    static SERIAL: AtomicU64 = AtomicU64::new(NOBODY + 1);
    SERIAL.fetch_add(1, Ordering::Relaxed)
}
