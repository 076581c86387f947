//! Encodings with everything that the `tokenizers` library tells of a text: tokens, offsets, words, sequences, masks,
//! and the windows that truncation cut off.
//!
//! [`FullEncoding`] is the record; [`crate::pipeline::Tokenizer::encode_full`] makes one. [`truncate`] cuts one or a
//! pair into windows, [`process`] puts a template's control tokens around them, [`FullEncoding::pad`] fills them up.
//! All follow the library, release 0.23, on every input, overflowing parts included.

mod batch;
mod build;
mod lookup;
mod pad;
mod process;
mod windows;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::decode::TextDecoder;
use crate::error::Result;
use crate::spec::Spec;

pub use batch::Inputs;
pub(crate) use batch::in_turns;
pub use build::{Input, Options};
pub use pad::pad_all;
pub use process::{added_tokens, process};
pub use windows::{truncate, window_ranges};

/// The text of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// What the vocabulary has for the id.
    OfId,
    /// Another one.
    Text(Box<str>),
}

/// What is known of each token of a text or of a pair. All lists but `overflowing` have one entry a token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FullEncoding {
    /// Ids.
    pub ids: Vec<u32>,
    /// Segment numbers.
    pub type_ids: Vec<u32>,
    /// Texts.
    pub labels: Vec<Label>,
    /// Number of the pre-token, or of the word where words were given; none for control tokens and padding.
    pub words: Vec<Option<u32>>,
    /// Characters of the text as given: first, and the one behind the last.
    pub offsets: Vec<(usize, usize)>,
    /// 1 for control tokens and padding.
    pub special_tokens_mask: Vec<u32>,
    /// 0 for padding.
    pub attention_mask: Vec<u32>,
    /// The other windows of a text that was cut.
    pub overflowing: Vec<FullEncoding>,
    /// Which tokens each text of a pair has; empty for one text, which has all of them.
    pub sequences: BTreeMap<usize, Range<usize>>,
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: u32,
    /// Its text.
    pub label: Label,
    /// Its word.
    pub word: Option<u32>,
    /// Its characters.
    pub offsets: (usize, usize),
}

impl FullEncoding {
    /// Tokens.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Adds a token of a text.
    pub fn push(&mut self, entry: Entry, type_id: u32) {
        self.ids.push(entry.id);
        self.type_ids.push(type_id);
        self.labels.push(entry.label);
        self.words.push(entry.word);
        self.offsets.push(entry.offsets);
        self.special_tokens_mask.push(0);
        self.attention_mask.push(1);
    }

    /// Control tokens, which belong to no text.
    pub fn of_control(tokens: impl IntoIterator<Item = (u32, String)>, type_id: u32) -> Self {
        let mut encoding = FullEncoding::default();
        for (id, text) in tokens {
            encoding.push(Entry { id, label: Label::Text(text.into()), word: None, offsets: (0, 0) }, type_id);
        }
        encoding.special_tokens_mask.fill(1);
        encoding
    }

    /// The texts of the tokens. O(bytes).
    ///
    /// # Errors
    /// Those of the normalizer, for the text of an added token.
    pub fn tokens<'a>(&'a self, decoder: &'a TextDecoder, spec: &Spec) -> Result<Vec<&'a str>> {
        let texts = decoder.texts(spec)?;
        let text = |(id, label): (&u32, &'a Label)| match label {
            Label::Text(text) => &**text,
            Label::OfId => texts.text(*id).unwrap_or_default(),
        };
        Ok(self.ids.iter().zip(&self.labels).map(text).collect())
    }

    /// All tokens become those of the text number `sequence`.
    pub fn set_sequence(&mut self, sequence: usize) {
        self.sequences.insert(sequence, 0..self.len());
    }

    /// The tokens of a range, without what belongs to the whole.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        FullEncoding {
            ids: self.ids[range.clone()].to_vec(),
            type_ids: self.type_ids[range.clone()].to_vec(),
            labels: self.labels[range.clone()].to_vec(),
            words: self.words[range.clone()].to_vec(),
            offsets: self.offsets[range.clone()].to_vec(),
            special_tokens_mask: self.special_tokens_mask[range.clone()].to_vec(),
            attention_mask: self.attention_mask[range].to_vec(),
            ..FullEncoding::default()
        }
    }

    /// Several encodings one after the other. With `growing_offsets` each counts its characters from the end of the
    /// one before.
    pub fn merge(encodings: impl IntoIterator<Item = FullEncoding>, growing_offsets: bool) -> Self {
        encodings.into_iter().fold(FullEncoding::default(), |mut whole, next| {
            whole.merge_with(next, growing_offsets);
            whole
        })
    }

    /// Appends another encoding. Every overflowing window of one is combined with the other and with each of its
    /// windows: O(tokens × windows of both).
    pub fn merge_with(&mut self, next: FullEncoding, growing_offsets: bool) {
        let with = |first: &FullEncoding, next: &FullEncoding| {
            let mut first = first.clone();
            first.merge_with(next.clone(), growing_offsets);
            first
        };
        let mut overflowing = Vec::new();
        for window in &self.overflowing {
            overflowing.push(with(window, &next));
            overflowing.extend(next.overflowing.iter().map(|other| with(window, other)));
        }
        overflowing.extend(next.overflowing.iter().map(|other| with(self, other)));
        let shift = self.len();
        let moved = next.sequences.into_iter().map(|(number, range)| (number, range.start + shift..range.end + shift));
        self.sequences.extend(moved);
        let start = if growing_offsets { self.offsets.last().map_or(0, |last| last.1) } else { 0 };
        self.offsets.extend(next.offsets.iter().map(|&(from, to)| (from + start, to + start)));
        self.ids.extend(next.ids);
        self.type_ids.extend(next.type_ids);
        self.labels.extend(next.labels);
        self.words.extend(next.words);
        self.special_tokens_mask.extend(next.special_tokens_mask);
        self.attention_mask.extend(next.attention_mask);
        self.overflowing = overflowing;
    }
}

#[cfg(test)]
mod tests;
