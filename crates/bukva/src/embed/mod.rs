//! Vectors: the numeric kernels of tables of embeddings, and tables as text.

mod scatter;
pub mod text;

pub use scatter::{Number, scatter_add};
