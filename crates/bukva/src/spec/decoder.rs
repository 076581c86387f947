//! Decoders: ids → text.

use serde::{Deserialize, Serialize};

use super::{Normalizer, Pattern, PrependScheme};

/// How the bytes of tokens become text again. `None` in a [`super::Spec`] joins them as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Decoder {
    /// Token bytes are joined. The `ByteLevel` decoder of the `tokenizers` library.
    ByteLevel,
    /// The first of a sequence only: the decoders after it see the tokens of a byte-level vocabulary as the characters
    /// of GPT-2's map that its file spells them with. Without it they see bytes.
    Mapped,
    /// `suffix` becomes a space, and nothing at the end of the text: `BPEDecoder`.
    EndOfWord {
        /// The end-of-word marker.
        suffix: String,
    },
    /// Tokens without `prefix` get a space before them.
    WordPiece {
        /// `##` as a rule.
        prefix: String,
        /// Removes the spaces that English punctuation does not want.
        cleanup: bool,
    },
    /// `replacement` becomes a space.
    Metaspace {
        /// U+2581 as a rule.
        replacement: char,
        /// Whether the first mark was put there.
        prepend_scheme: PrependScheme,
        /// As in the pre-tokenizer.
        split: bool,
    },
    /// `<0xNN>` tokens become bytes.
    ByteFallback,
    /// All tokens so far become one.
    Fuse,
    /// Tokens are joined with a space: what a `tokenizer.json` without a decoder means.
    SpaceBetween,
    /// Removes up to `start` and `stop` copies of `content` from the ends of each token.
    Strip {
        /// The character.
        content: char,
        /// At the start.
        start: usize,
        /// At the end.
        stop: usize,
    },
    /// Every match becomes `content`.
    Replace {
        /// What to look for.
        pattern: Pattern,
        /// What to put there.
        content: String,
    },
    /// Connectionist temporal classification: repeated tokens once, padding out.
    Ctc {
        /// The blank token.
        pad_token: String,
        /// Becomes a space.
        word_delimiter_token: String,
        /// As in WordPiece.
        cleanup: bool,
    },
    /// SentencePiece's: control symbols are empty, unknown ones have a surface, byte pieces become bytes (U+FFFD for
    /// each that is not UTF-8), U+2581 becomes a space, and the dummy space goes.
    SentencePiece {
        /// What stands for unknown text.
        unk_surface: String,
        /// As in the normalizer.
        add_dummy_prefix: bool,
        /// As in the normalizer.
        remove_extra_whitespaces: bool,
        /// As in the normalizer.
        whitespace_as_suffix: bool,
        /// Rewrites the decoded text: a normalizer of SentencePiece.
        denormalizer: Option<Box<Normalizer>>,
    },
    /// Each in turn.
    Sequence {
        /// The decoders in order.
        items: Vec<Decoder>,
    },
}
