//! The files of Hugging Face: `tokenizer.json`, its folder, and `vocab.json` with `merges.txt`.
//!
//! `docs/formats/tokenizer-json.md` and `docs/formats/vocab-merges.md` describe them. One file here for each kind of
//! component, reader and writer together: [`normalizer`], [`pretokenizer`], [`postprocessor`], [`decoder`],
//! [`options`]; [`raw`] parses the file, with [`scan`] for the usual shape, into [`texts`] and [`merge_texts`]; [`model`]
//! and [`bpe`] read the tables, by [`index`]; [`write`] puts all together.

mod bpe;
pub(super) mod classes;
pub(super) mod config;
mod decoder;
mod end_of_word;
mod fields;
mod folder;
#[cfg(test)]
mod folder_tests;
#[cfg(test)]
mod forms;
mod index;
mod merge_texts;
mod metaspace;
mod model;
mod normalizer;
mod numbering;
mod oniguruma;
mod oniguruma_class;
mod oniguruma_flags;
mod options;
mod pattern;
mod postprocessor;
mod pretokenizer;
pub(super) mod raw;
mod read;
mod scan;
mod stages;
#[cfg(test)]
mod tests;
pub(super) mod texts;
mod tokens;
mod unicode;
mod vocab_merges;
pub(super) mod vocab_txt;
mod write;
mod write_model;

pub use crate::unicode::byte_chars as byte_level;
pub use folder::{SIDE_FILE, write_folder};
pub(super) use folder::{SIDE_FILES, TEMPLATES, is_template, own_side_file};
pub use read::read_tokenizer_json;
pub use vocab_merges::{Spelling, read_vocab_merges, write_vocab_merges};
pub use vocab_txt::{Bert, read_vocab_txt};
pub use write::write_tokenizer_json;
