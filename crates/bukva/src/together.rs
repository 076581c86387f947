//! Two pieces of work at once.

use std::panic::resume_unwind;
use std::thread;

/// Runs both, at once where there are two processors; the results are the same either way. About 50 µs for the
/// second thread.
///
/// # Panics
/// If one of them does.
pub(crate) fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    if thread::available_parallelism().map_or(1, usize::from) < 2 {
        return (first(), second());
    }
    thread::scope(|scope| {
        let other = thread::Builder::new().spawn_scoped(scope, &second);
        let first = first();
        match other {
            Ok(other) => (first, other.join().unwrap_or_else(|panic| resume_unwind(panic))),
            // The system has no thread left.
            Err(_) => (first, second()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_results_come_back() {
        let items: Vec<u32> = (0..101).collect();
        let (first, second) = items.split_at(50);
        let sums = both(|| first.iter().sum::<u32>(), || second.iter().sum::<u32>());
        assert_eq!(sums.0 + sums.1, 5050);
    }
}
