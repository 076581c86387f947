//! normalize
