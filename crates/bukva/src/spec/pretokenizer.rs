//! Pre-tokenizers: text → pre-tokens.

use serde::{Deserialize, Serialize};

/// The patterns that have a name. Each is one regular expression; see [`NamedPattern::regex`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamedPattern {
    /// GPT-2; tiktoken's r50k and p50k.
    Gpt2,
    /// GPT-4; tiktoken's `cl100k_base`.
    Cl100k,
    /// GPT-4o; tiktoken's `o200k_base`.
    O200k,
    /// Llama 3.
    Llama3,
    /// Qwen 2 and 3.
    Qwen2,
    /// The pattern of the lecture course, near cl100k.
    Course,
}

/// What to split at: a named pattern, a regular expression, or a literal text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// One of the named patterns.
    Named(NamedPattern),
    /// A regular expression, as written by its author.
    Regex(String),
    /// A literal text.
    Literal(String),
}

/// What becomes of a match of the pattern. The names are those of the `tokenizers` library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behavior {
    /// Matches are dropped.
    Removed,
    /// Matches and the text between them are pre-tokens.
    Isolated,
    /// A match is joined to the pre-token before it.
    MergedWithPrevious,
    /// A match is joined to the pre-token after it.
    MergedWithNext,
    /// Neighbouring matches are one pre-token.
    Contiguous,
}

/// When Metaspace puts its mark before the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PrependScheme {
    /// Before every piece of the text.
    Always,
    /// Never.
    Never,
    /// Before the first piece only.
    First,
}

/// How text is cut into the pieces that the model sees, one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Pretokenizer {
    /// At a pattern.
    Split {
        /// What to look for.
        pattern: Pattern,
        /// What becomes of a match.
        behavior: Behavior,
        /// Matches and the text between them change places.
        invert: bool,
    },
    /// `\w+|[^\w\s]+`, the rest dropped: `words`, and `Whitespace` of the `tokenizers` library.
    Words,
    /// At white space, which is dropped: `whitespace`, and `WhitespaceSplit` of the `tokenizers` library.
    Whitespace,
    /// The `ByteLevel` pre-tokenizer of the `tokenizers` library: every byte becomes a character of GPT-2's table. At
    /// the end of all stages before a model that sees bytes it maps nothing.
    ByteLevel {
        /// Puts a space before a text that starts with none.
        add_prefix_space: bool,
        /// Splits at GPT-2's pattern.
        use_regex: bool,
        /// Offsets leave out the spaces of a token.
        trim_offsets: bool,
    },
    /// BERT's: white space dropped, punctuation isolated.
    Bert,
    /// SentencePiece's: spaces become `replacement`.
    Metaspace {
        /// U+2581 as a rule.
        replacement: char,
        /// When the mark is put before the text.
        prepend_scheme: PrependScheme,
        /// Cut before each mark.
        split: bool,
    },
    /// Digits apart.
    Digits {
        /// Each digit alone, else runs.
        individual: bool,
    },
    /// Punctuation apart.
    Punctuation {
        /// What becomes of it.
        behavior: Behavior,
    },
    /// Where the script changes.
    UnicodeScripts,
    /// At one character, which is dropped.
    CharDelimiter {
        /// The character.
        delimiter: char,
    },
    /// Every `length` characters.
    FixedLength {
        /// Characters a piece.
        length: usize,
    },
    /// Each in turn, on the pieces of the one before.
    Sequence {
        /// The pre-tokenizers in order.
        items: Vec<Pretokenizer>,
    },
}

impl Pretokenizer {
    /// Splits at `pattern`; text between matches is kept as pre-tokens of its own, so nothing is lost.
    pub fn isolated(pattern: Pattern) -> Self {
        Pretokenizer::Split { pattern, behavior: Behavior::Isolated, invert: false }
    }
}
