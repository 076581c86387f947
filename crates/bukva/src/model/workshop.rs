//! A model with the work spaces of the threads that use it.

use std::sync::{Arc, Mutex};

use super::{Encoder, Scratch};

/// Work spaces kept between calls: one for each thread that commonly works at once.
const MOST_SPARE: usize = 64;

/// A compiled model and its spare work spaces. Shared freely between threads, and safe to fork.
#[derive(Debug)]
pub(crate) struct Workshop {
    pub(crate) encoder: Arc<Encoder>,
    spare: Mutex<Vec<Scratch>>,
    /// Whether work spaces remember what they met.
    learns: bool,
}

impl Workshop {
    pub(crate) fn of(encoder: Arc<Encoder>, learns: bool) -> Self {
        Workshop { encoder, spare: Mutex::new(Vec::new()), learns }
    }

    /// Never waits: a lock that is held, or was held when the process forked, is passed by.
    pub(crate) fn take_scratch(&self) -> Scratch {
        let spare = self.spare.try_lock().ok().and_then(|mut spare| spare.pop());
        spare.unwrap_or_else(|| self.new_scratch())
    }

    fn new_scratch(&self) -> Scratch {
        let mut scratch = self.encoder.scratch();
        if !self.learns {
            scratch.stop_learning();
        }
        scratch
    }

    pub(crate) fn give_back(&self, scratch: Scratch) {
        if let Ok(mut spare) = self.spare.try_lock()
            && spare.len() < MOST_SPARE
        {
            spare.push(scratch);
        }
    }
}
