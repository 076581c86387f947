//! pretokenize
