//! Vectors: the numeric kernels of tables of embeddings, and tables as text.

pub mod nearest;
mod scatter;
pub mod text;

pub use scatter::{Number, scatter_add};
