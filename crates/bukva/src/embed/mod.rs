//! Vectors: the numeric kernels of tables of embeddings, training by context and by counts, and tables as text.

pub mod context;
pub mod cooccurrence;
pub mod glove;

pub mod nearest;
pub mod ppmi;
mod scatter;
pub mod subword;
pub mod text;

pub use scatter::{Number, scatter_add};
