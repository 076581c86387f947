//! Models: pre-token → ids.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use super::Vocab;
use crate::block::Block;

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

    /// Whether the model sees the bytes of a pre-token rather than its characters.
    pub fn sees_bytes(&self) -> bool {
        matches!(self, Model::Bpe(bpe) if bpe.alphabet == Alphabet::Bytes)
    }

    /// What the entries of a SentencePiece model are.
    pub fn pieces(&self) -> Option<&Pieces> {
        match self {
            Model::Bpe(model) => model.pieces.as_ref(),
            Model::Unigram(model) => model.pieces.as_ref(),
            Model::WordLevel(model) => model.pieces.as_ref(),
            Model::WordPiece(_) => None,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Pod, Zeroable)]
#[repr(C)]
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

/// What an entry of a SentencePiece model is. Source: `sentencepiece_model.proto`, `ModelProto.SentencePiece.Type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// Found by the model.
    Normal,
    /// Stands for what has no piece.
    Unknown,
    /// A control symbol: in no text.
    Control,
    /// Always one piece where it stands in the normalized text, never normalized.
    UserDefined,
    /// One of the 256 byte pieces.
    Byte,
    /// May be built on the way, never kept.
    Unused,
}

/// What a SentencePiece model says of each entry of its vocabulary, in the order of the entries.
///
/// A model that has this follows SentencePiece's rules where they differ from the `tokenizers` library's: scores are
/// added up in single precision, user-defined pieces are matched first, a run of unknown characters or words is one
/// unknown piece, a word model cuts the text into words itself, merges of equal score are taken from the left whatever
/// they spell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Pieces {
    /// What each entry is.
    pub kinds: Vec<PieceKind>,
    /// The score of each entry, as the file has it.
    pub scores: Vec<f32>,
}

/// Byte-pair encoding. Source: Sennrich, Haddow, Birch 2016, arXiv 1508.07909.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bpe {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Merges by rank.
    pub merges: Block<Merge>,
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
    /// What the entries of a SentencePiece model are.
    pub pieces: Option<Pieces>,
}

impl Bpe {
    /// Plain BPE over `alphabet`, every option off.
    pub fn new(alphabet: Alphabet, vocab: Vocab, merges: impl Into<Block<Merge>>) -> Self {
        Bpe {
            vocab,
            merges: merges.into(),
            alphabet,
            unk: None,
            fuse_unk: false,
            byte_fallback: false,
            ignore_merges: false,
            continuing_prefix: None,
            end_of_word: None,
            dropout: None,
            pieces: None,
        }
    }
}

/// WordPiece: greedy longest match. Source: Schuster, Nakajima 2012; BERT's `WordpieceTokenizer`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordPiece {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Stands for a pre-token that cannot be spelled, which is an error without it.
    pub unk: Option<u32>,
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
    /// What the entries of a SentencePiece model are.
    pub pieces: Option<Pieces>,
}

/// Whole pre-tokens only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordLevel {
    /// Tokens and ids.
    pub vocab: Vocab,
    /// Stands for a pre-token that has no token.
    pub unk: Option<u32>,
    /// What the entries of a SentencePiece word model are.
    pub pieces: Option<Pieces>,
}
