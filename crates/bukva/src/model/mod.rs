//! Models: pre-token → ids, compiled from a [`crate::spec::Model`].

pub mod bpe;
