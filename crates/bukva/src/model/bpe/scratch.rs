//! What one thread needs while encoding: its learned cache and its work arrays.

use super::BpeEncoder;
use super::lockstep::Lockstep;
use super::long::LongWork;
use super::short::Work;
use crate::model::Missing;
use crate::model::lookup::Memory;

/// The memory of one thread. Making one is cheap: everything large is allocated at its first use. It remembers the
/// ids of one encoder, and starts anew when another one uses it.
#[derive(Debug)]
pub struct Scratch {
    pub(in crate::model) memory: Memory,
    pub(super) work: Work,
    pub(super) long: LongWork,
    pub(super) lockstep: Lockstep,
    pub(super) symbols: Vec<u32>,
    /// The part of `symbols` that a long merge works on.
    pub(super) list: Vec<u32>,
    /// What becomes of a character without a token.
    pub(in crate::model) missing: Missing,
    /// Whether one was left out since this was last set.
    pub(super) left_out: bool,
}

impl Scratch {
    /// Memory for one thread to use `encoder`. O(1), under 1 KB.
    pub fn new(encoder: &BpeEncoder) -> Self {
        Scratch {
            memory: Memory::of(encoder.serial),
            work: Work::default(),
            long: LongWork::default(),
            lockstep: Lockstep::default(),
            symbols: Vec::new(),
            list: Vec::new(),
            missing: Missing::Refused,
            left_out: false,
        }
    }

    /// Forgets what another encoder learned.
    #[inline]
    pub(super) fn serve(&mut self, encoder: &BpeEncoder) {
        if !self.memory.is_of(encoder.serial) {
            let memory = self.memory.anew(encoder.serial);
            *self = Scratch { missing: self.missing, memory, ..Scratch::new(encoder) };
        }
    }
}
