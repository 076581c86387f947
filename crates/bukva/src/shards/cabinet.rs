//! Finished shards on their way to the disk, while the next is written.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::shard::Shard;
use super::{Keeper, Position};
use crate::error::Result;

/// A keeper, shared with the thread that seals.
type Shared<'k> = Mutex<&'k mut (dyn Keeper + Send)>;

/// Seals shards and hands them to the keeper, one at a time.
pub(super) struct Cabinet<'s, 'e, 'k> {
    scope: &'s Scope<'s, 'e>,
    keeper: &'e Shared<'k>,
    sealing: Option<ScopedJoinHandle<'s, Result<()>>>,
}

impl<'s, 'e, 'k> Cabinet<'s, 'e, 'k> {
    /// The shard that is under way when the scope ends is kept.
    pub(super) fn new(scope: &'s Scope<'s, 'e>, keeper: &'e Shared<'k>) -> Self {
        Cabinet { scope, keeper, sealing: None }
    }

    /// Takes a shard when the one before is in its place.
    pub(super) fn put(&mut self, shard: Shard, ends_document: bool, next: Position) -> Result<()> {
        self.settle()?;
        let shard = Arc::new(Mutex::new(shard));
        let (own, keeper) = (shard.clone(), self.keeper);
        let work = move || keep(&own, ends_document, next, keeper);
        match thread::Builder::new().spawn_scoped(self.scope, work) {
            Ok(sealing) => self.sealing = Some(sealing),
            // The system has no thread left.
            Err(_) => keep(&shard, ends_document, next, self.keeper)?,
        }
        Ok(())
    }

    /// The error of a shard that could not be kept, as soon as it is known.
    pub(super) fn check(&mut self) -> Result<()> {
        let is_done = self.sealing.as_ref().is_some_and(ScopedJoinHandle::is_finished);
        if is_done { self.settle() } else { Ok(()) }
    }

    /// Waits until all shards are in their place.
    pub(super) fn settle(&mut self) -> Result<()> {
        match self.sealing.take() {
            Some(sealing) => sealing.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => Ok(()),
        }
    }
}

fn keep(shard: &Mutex<Shard>, ends_document: bool, next: Position, keeper: &Shared) -> Result<()> {
    let sealed = shard.lock().unwrap_or_else(PoisonError::into_inner).seal(ends_document, next)?;
    keeper.lock().unwrap_or_else(PoisonError::into_inner).keep(&sealed)
}
