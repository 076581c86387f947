//! The tokens of a training run: text, length, id.
//!
//! Can two merges spell the same text? Only if a symbol of the alphabet has a text that other symbols can spell: an
//! end-of-word marker such as `</w>`. Otherwise texts stand for sequences of symbols, and wherever such a sequence lies
//! between two token borders, merging from left to right has treated it as if it stood alone: a match that began
//! before it would have removed its left border. So it is one token everywhere from the same merge on. What a merge
//! *can* spell is a special token, and then it takes the id of that token.

use rustc_hash::FxHashMap;

use super::options::BpeOptions;
use crate::train::tie_break::Pair;

/// Tokens by id, growing with every merge.
///
/// Where texts are unique, they are kept a second time as keys: about 50 bytes a token.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    bytes: Vec<u8>,
    /// End of each token in `bytes`.
    ends: Vec<usize>,
    /// Symbols of the alphabet in each token.
    lengths: Vec<u32>,
    /// What each text is already; `None` if texts may repeat.
    known: Option<FxHashMap<Box<[u8]>, Known>>,
    longest: u32,
}

/// What a text is before a merge spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// A special token that is in no word: a merge that spells it takes its id, as in the `tokenizers` library.
    Special(u32),
    /// A token.
    Token,
}

/// What becomes of a pair that is about to be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Product {
    /// A token with a new id.
    New(u32),
    /// A special token that has had its id from the start.
    Special(u32),
    /// Its text is a token already: the pair is dropped and never merged.
    Taken,
}

impl Tokens {
    pub(super) fn new(options: &BpeOptions) -> Self {
        let known = options.tie_break.unique_texts().then(FxHashMap::default);
        Tokens { known, longest: options.longest_token(), ..Tokens::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        let index = id as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }

    /// Symbols of the alphabet in the token. O(1).
    #[inline]
    pub(super) fn length(&self, id: u32) -> u32 {
        self.lengths[id as usize]
    }

    /// Adds a symbol of the alphabet, or finds the special token that spells it.
    pub(super) fn add_symbol(&mut self, text: &[u8]) -> u32 {
        match self.known.as_ref().and_then(|known| known.get(text)) {
            Some(&Known::Special(id)) => {
                self.remember(text, Known::Token);
                id
            }
            _ => self.add(text, 1, Known::Token),
        }
    }

    /// Adds a special token in front of the alphabet.
    pub(super) fn add_special(&mut self, text: &[u8]) -> u32 {
        let id = self.len() as u32;
        self.add(text, 1, Known::Special(id))
    }

    /// The text and the length that the pair would make.
    pub(super) fn joined(&self, pair: Pair) -> (u32, Box<[u8]>) {
        let length = self.length(pair.left).saturating_add(self.length(pair.right));
        (length, [self.bytes(pair.left), self.bytes(pair.right)].concat().into_boxed_slice())
    }

    /// Whether the product of the pair is short enough.
    #[inline]
    pub(super) fn admits(&self, pair: Pair) -> bool {
        self.longest == u32::MAX || self.length(pair.left).saturating_add(self.length(pair.right)) <= self.longest
    }

    /// Makes the product of a pair.
    pub(super) fn make(&mut self, pair: Pair) -> Product {
        let (length, text) = self.joined(pair);
        match self.known.as_ref().and_then(|known| known.get(&text)) {
            None => Product::New(self.add(&text, length, Known::Token)),
            Some(Known::Token) => Product::Taken,
            Some(&Known::Special(id)) => {
                self.remember(&text, Known::Token);
                self.lengths[id as usize] = length;
                Product::Special(id)
            }
        }
    }

    fn add(&mut self, text: &[u8], length: u32, known: Known) -> u32 {
        let id = self.len() as u32;
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
        self.lengths.push(length);
        self.remember(text, known);
        id
    }

    fn remember(&mut self, text: &[u8], as_what: Known) {
        if let Some(known) = &mut self.known {
            known.insert(text.into(), as_what);
        }
    }
}
