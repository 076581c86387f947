//! The native module `bukva._core`: thin wrappers around the engine.
//!
//! Text comes in as `str`, ids go out as lists or NumPy buffers. Long work runs detached from the interpreter
//! ([`enter`]), and errors are mapped in one place ([`errors`]).

mod batch;
mod checks;
mod cooccurrence;
mod corpus;
mod decoding;
mod documents;
mod embed;
mod enter;
mod errors;
mod explain;
mod files;
mod hf;
mod hf_encoding;
mod ids;
mod nearest;
mod ngrams;
mod pieces;
mod ppmi;
mod sampling;
mod scatter;
mod shards;
mod short;
mod special;
mod stream;
mod text;
mod tokenizer;
mod training;
mod vectors;
mod word_tree;

use pyo3::prelude::*;

/// The engine of bukva. Use the package `bukva`; this module is its private half.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::cooccurrence::{CooccurrenceCounts, count_cooccurrences, glove_memory, train_glove};
    #[pymodule_export]
    use crate::documents::iter_documents;
    #[pymodule_export]
    use crate::embed::{VectorCorpus, read_vector_corpus, train_vectors, vectors_memory};
    #[pymodule_export]
    use crate::files::{encoding_for_model, encoding_names, load, load_image, load_ranks, openai_models};
    #[pymodule_export]
    use crate::hf::{HfEncoder, read_hf_json};
    #[pymodule_export]
    use crate::hf_encoding::Encoding;
    #[pymodule_export]
    use crate::nearest::NearCodes;
    #[pymodule_export]
    use crate::ngrams::{WordNgrams, ngram_buckets};
    #[pymodule_export]
    use crate::ppmi::PpmiMatrix;
    #[pymodule_export]
    use crate::scatter::scatter_add;
    #[pymodule_export]
    use crate::shards::{encode_shards, hash_bytes};
    #[pymodule_export]
    use crate::stream::StreamDecoder;
    #[pymodule_export]
    use crate::text::{find_all, graphemes, pattern_names, pretokenize};
    #[pymodule_export]
    use crate::tokenizer::Tokenizer;
    #[pymodule_export]
    use crate::training::{train_bpe, train_wordlevel};
    #[pymodule_export]
    use crate::vectors::{read_text_vectors, write_text_vectors};
    #[pymodule_export]
    use crate::word_tree::{WordTree, grow_tree};
}
