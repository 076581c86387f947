//! Parts of words: the n-grams of a word's characters, by the numbers of buckets that they are hashed to.
//!
//! - [`Scheme`]: a word → the buckets of its n-grams, as fastText or floret number them;
//! - [`WordNgrams`]: the rows of a table whose mean is the vector of each word of a vocabulary.

mod hash;
mod index;
mod scheme;

pub use index::WordNgrams;
pub use scheme::{Hashing, MOST_CHARS, MOST_HASHES, Scheme};
