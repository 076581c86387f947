//! Measuring a vocabulary: counts only; what they mean is said elsewhere.

mod merge_histogram;

pub use merge_histogram::MergeHistogram;
