//! Vectors: the numeric kernels of tables of embeddings.

mod scatter;

pub use scatter::{Number, scatter_add};
