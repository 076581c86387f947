//! What the caller asks of BPE training.

use rustc_hash::FxHashSet;

use crate::error::{Error, Kind, Result, quoted};
use crate::spec::Alphabet;
use crate::train::TieBreak;

/// When training has done enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Ids in all: special tokens, alphabet and products of merges.
    VocabSize(u32),
    /// Merges, whatever their number makes of the vocabulary.
    Merges(u32),
}

/// Options of BPE training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BpeOptions {
    /// When to stop.
    pub limit: Limit,
    /// What a symbol is before the first merge. All 256 bytes, or the characters of the corpus.
    pub alphabet: Alphabet,
    /// How ties are broken; it also decides the layout of the ids.
    pub tie_break: TieBreak,
    /// A symbol of its own after the last character of every pre-token. Characters only.
    pub end_of_word: Option<String>,
    /// Training stops when the best pair occurs less often. 0 and 1 set no limit.
    pub min_frequency: u64,
    /// Special tokens, in the order of their ids.
    pub special_tokens: Vec<String>,
    /// The special token for characters outside the alphabet; the first one, unless the list above has it. Characters
    /// only.
    pub unk_token: Option<String>,
    /// Characters that are in the alphabet even if the corpus lacks them. Characters only.
    pub initial_alphabet: Vec<char>,
    /// Longest token, in symbols of the alphabet; pairs whose product is longer never form.
    ///
    /// Under [`TieBreak::Huggingface`] a token must be *shorter* than this, yet two symbols may always be joined: that
    /// is what the `tokenizers` library does. Under [`TieBreak::SentencePiece`] `None` means 16.
    pub max_token_length: Option<u32>,
}

/// Longest piece of SentencePiece unless told otherwise.
const SENTENCEPIECE_LENGTH: u32 = 16;

impl BpeOptions {
    /// Bytes, `huggingface` ties, no special tokens, no other limit.
    pub fn new(limit: Limit) -> Self {
        BpeOptions {
            limit,
            alphabet: Alphabet::Bytes,
            tie_break: TieBreak::default(),
            end_of_word: None,
            min_frequency: 0,
            special_tokens: Vec::new(),
            unk_token: None,
            initial_alphabet: Vec::new(),
            max_token_length: None,
        }
    }

    /// All special tokens in the order of their ids, the unknown token among them.
    pub(super) fn specials(&self) -> Vec<&str> {
        let listed = self.special_tokens.iter().map(String::as_str);
        let unk = self.unk_token.as_deref().filter(|unk| !self.special_tokens.iter().any(|token| token == unk));
        unk.into_iter().chain(listed).collect()
    }

    /// Symbols that a token may have.
    pub(super) fn longest_token(&self) -> u32 {
        match (self.tie_break, self.max_token_length) {
            (TieBreak::Huggingface, Some(length)) => length.saturating_sub(1).max(2),
            (TieBreak::SentencePiece, None) => SENTENCEPIECE_LENGTH,
            (_, length) => length.unwrap_or(u32::MAX),
        }
    }

    /// Checks the options against each other.
    ///
    /// # Errors
    /// [`Kind::Argument`], naming the option and its value.
    pub fn validate(&self) -> Result<()> {
        let mut seen = FxHashSet::default();
        for token in &self.special_tokens {
            if token.is_empty() {
                return argument("special_tokens holds an empty text; remove it");
            }
            if !seen.insert(token) {
                return argument(format!("special_tokens holds {} twice; give it once", quoted(token)));
            }
        }
        if self.unk_token.as_deref() == Some("") {
            return argument("unk_token is empty; give a text such as \"[UNK]\", or none");
        }
        match &self.end_of_word {
            Some(marker) if marker.is_empty() => {
                return argument("end_of_word is empty; give a text such as \"</w>\", or none");
            }
            _ => {}
        }
        self.validate_alphabet()
    }

    fn validate_alphabet(&self) -> Result<()> {
        if self.alphabet == Alphabet::Chars {
            return Ok(());
        }
        let remedy = "a byte alphabet takes none: leave it out, or train on characters";
        if let Some(marker) = &self.end_of_word {
            return argument(format!("end_of_word is {}; {remedy}", quoted(marker)));
        }
        if let Some(unk) = &self.unk_token {
            return argument(format!("unk_token is {}, but any text can be spelled in bytes; {remedy}", quoted(unk)));
        }
        if !self.initial_alphabet.is_empty() {
            let given = self.initial_alphabet.len();
            return argument(format!("initial_alphabet has {given} characters; {remedy}"));
        }
        Ok(())
    }
}

fn argument(message: impl Into<String>) -> Result<()> {
    Err(Error::new(Kind::Argument, message))
}
