//! Pieces that need no work: tables that the models share.
//!
//! `whole` holds pieces that are certainly one token, `cache` what a thread learned, in its `memory` of a model. `key`
//! makes short byte strings into whole numbers, `group` looks up many pieces together, and asks the model only for what
//! neither table knows; `output` keeps the ids or counts them.

mod cache;
mod group;
mod key;
mod memory;
mod misses;
mod output;
mod whole;

pub(in crate::model) use cache::Cache;
pub(in crate::model) use group::{
    Memoized, count, count_spans, encode, encode_miss, encode_one_by_one, encode_spans, find_again,
};
pub(in crate::model) use key::{MediumKey, ShortKey};
pub(in crate::model) use memory::{Memory, NOBODY, next_serial};
pub(in crate::model) use misses::{Failed, Misses};
pub(in crate::model) use whole::Whole;
