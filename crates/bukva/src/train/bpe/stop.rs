//! Why training ended.

use std::fmt;

/// Why training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The limit is reached.
    Reached,
    /// No pair of neighbours is left that may be merged: as a rule, every pre-token is one token.
    NoPairLeft,
    /// The best pair occurs less often than `min_frequency`.
    BelowMinFrequency {
        /// The limit.
        min_frequency: u64,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Reached => f.write_str("the limit is reached"),
            StopReason::NoPairLeft => f.write_str("no pair is left to merge"),
            StopReason::BelowMinFrequency { min_frequency } => {
                write!(f, "every pair that is left occurs fewer than {min_frequency} times (min_frequency)")
            }
        }
    }
}
