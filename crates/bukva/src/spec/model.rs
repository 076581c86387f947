//! Models: pre-token → ids.

use serde::{Deserialize, Serialize};

use super::Vocab;

/// The algorithm that turns a pre-token into ids, with its vocabulary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Model {
    /// Byte-pair encoding.
    Bpe(Bpe),
    /// Greedy longest match.
    WordPiece(WordPiece),
    /// The most probable segmentation.
    Unigram(Unigram),
    /// Whole pre-tokens only.
    WordLevel(WordLevel),
}

impl Model {
    /// The vocabulary, whatever the algorithm.
    pub fn vocab(&self) -> &Vocab {
        match self {
            Model::Bpe(model) => &model.vocab,
            Model::WordPiece(model) => &model.vocab,
            Model::Unigram(model) => &model.vocab,
            Model::WordLevel(model) => &model.vocab,
        }
    }
}

/// What a symbol is before the first merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    /// A byte of the UTF-8 text: any text can be encoded.
    Bytes,
    /// A character (code point).
    Chars,
}

/// A marker at the end of every pre-token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndOfWord {
    /// The marker's text.
    pub marker: String,
    /// Joined to the last character from the start (`tokenizers`, CLIP), else a symbol of its own.
    pub attached: bool,
}

/// Two neighbouring tokens become one.
///
/// Ranks order the merges and are not ids. Merges of equal rank must spell the same bytes; among them the leftmost
/// place in the text comes first, as in tiktoken, where the rank belongs to the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Merge {
    /// Lower merges first.
    pub rank: u32,
    /// Id of the left token.
    pub left: u32,
    /// Id of the right token.
    pub right: u32,
    /// Id of the token they become.
    pub product: u32,
}

/// Byte-pair encoding. Source: Sennrich, Haddow, Birch 2016, arXiv 1508.07909.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bpe {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Merges by rank.
    pub merges: Vec<Merge>,
    /// What a symbol is before the first merge.
    pub alphabet: Alphabet,
    /// Stands for a character that has no token.
    pub unk: Option<u32>,
    /// A run of unknown characters is one unknown token.
    pub fuse_unk: bool,
    /// An unknown character becomes its `<0xNN>` byte tokens, where all of them exist.
    pub byte_fallback: bool,
    /// A pre-token that is an entry of the vocabulary is emitted whole, whatever the merges say.
    pub ignore_merges: bool,
    /// Put before every symbol but the first of a pre-token.
    pub continuing_prefix: Option<String>,
    /// The marker at the end of a pre-token.
    pub end_of_word: Option<EndOfWord>,
    /// Probability with which a merge is left out, for sampling only.
    pub dropout: Option<f32>,
}

impl Bpe {
    /// Plain BPE over `alphabet`, every option off.
    pub fn new(alphabet: Alphabet, vocab: Vocab, merges: Vec<Merge>) -> Self {
        Bpe {
            vocab,
            merges,
            alphabet,
            unk: None,
            fuse_unk: false,
            byte_fallback: false,
            ignore_merges: false,
            continuing_prefix: None,
            end_of_word: None,
            dropout: None,
        }
    }
}

/// WordPiece: greedy longest match. Source: Schuster, Nakajima 2012; BERT's `WordpieceTokenizer`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordPiece {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Stands for a pre-token that cannot be spelled.
    pub unk: u32,
    /// Put before every token but the first of a pre-token: `##`.
    pub continuing_prefix: String,
    /// Longer pre-tokens are unknown at once.
    pub max_chars_per_word: u32,
}

/// Unigram: the segmentation of highest probability. Source: Kudo 2018, arXiv 1804.10959.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unigram {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Natural logarithm of each entry's probability, in the order of the entries.
    pub scores: Vec<f64>,
    /// Stands for a character that has no token.
    pub unk: Option<u32>,
    /// An unknown character becomes its `<0xNN>` byte tokens.
    pub byte_fallback: bool,
}

/// Whole pre-tokens only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordLevel {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Stands for a pre-token that has no token.
    pub unk: Option<u32>,
}
